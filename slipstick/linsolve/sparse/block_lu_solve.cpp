// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "slipstick/base/parallel.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {
namespace {

// A panel above the subtrees is divided if it has more entries than this per part.
constexpr double entries_per_part = 4e3;

// y += A x for four columns of A.
inline void add_columns(int count, const double* a, Index stride, const double (&x)[4], double* y) {
  const double *b = a + stride, *c = b + stride, *d = c + stride;
  for (int i = 0; i < count; ++i) {
    double sum = y[i];
    sum += x[0] * a[i];
    sum += x[1] * b[i];
    sum += x[2] * c[i];
    sum += x[3] * d[i];
    y[i] = sum;
  }
}

}  // namespace

// Forward: the subtrees, what they add to the rows above, and the panels above, each divided by its rows.
// Backward: the panels above, each divided by its columns, and the subtrees.
void BlockLu::list_solve_tasks() {
  solve_tasks_.clear();
  solve_after_.clear();
  const auto add = [&](SolveTask::Kind kind, int index, int first, int last, std::size_t after) {
    solve_tasks_.push_back({kind, index, first, last});
    solve_after_.push_back(static_cast<int>(after));
  };
  const auto parts_of = [&](int s) {
    const double entries = static_cast<double>(layout_[s].width) * layout_[s].below();
    return std::clamp(static_cast<int>(entries / entries_per_part), 1, static_cast<int>(workspaces_.size()));
  };
  const int subtrees = static_cast<int>(schedule_.subtrees().size());
  for (int t = 0; t < subtrees; ++t) add(SolveTask::Kind::forward_subtree, t, 0, 0, 0);
  add(SolveTask::Kind::add_subtrees, 0, 0, 0, solve_tasks_.size());
  for (const int s : schedule_.top()) {
    const Panel& panel = symbolic_.panels[s];
    const int below = panel.rows - panel.width(), parts = std::clamp(parts_of(s), 1, std::max(1, below));
    const std::size_t after = solve_tasks_.size();
    for (int part = 0; part < parts; ++part)
      add(SolveTask::Kind::forward, s, panel.width() + below * part / parts,
          panel.width() + below * (part + 1) / parts, after);
  }
  for (std::size_t k = schedule_.top().size(); k-- > 0;) {
    const int s = schedule_.top()[k], parts = std::min(parts_of(s), symbolic_.panels[s].width());
    const int width = symbolic_.panels[s].width();
    const std::size_t after = solve_tasks_.size();
    for (int part = 0; part < parts; ++part)
      add(SolveTask::Kind::products, s, width * part / parts, width * (part + 1) / parts, after);
    add(SolveTask::Kind::backward, s, 0, 0, solve_tasks_.size());
  }
  const std::size_t after = solve_tasks_.size();
  for (int t = 0; t < subtrees; ++t) add(SolveTask::Kind::backward_subtree, t, 0, 0, after);
}

void BlockLu::solve(VectorView x) const {
  assert(x.size() == rows());
  for (int k = 0; k < n_; ++k) {
    const double* from = x.data() + offset_[symbolic_.order[k]];
    std::copy_n(from, step_size_[k], work_.data() + step_row_[k]);
  }
  if (threads() == 1) {
    for (const SolveTask& task : solve_tasks_) run(task, workspaces_.front());
  } else {
    ordered_tasks(solve_after_, threads(), [&](int task, int thread) {
      run(solve_tasks_[static_cast<std::size_t>(task)], workspaces_[static_cast<std::size_t>(thread)]);
    });
  }
  for (int k = 0; k < n_; ++k)
    std::copy_n(work_.data() + step_row_[k], step_size_[k], x.data() + offset_[symbolic_.order[k]]);
}

void BlockLu::run(const SolveTask& task, Workspace& own) const {
  const int s = task.index;
  const auto rows_of = [&](Vector& work) { return work.data() + step_row_[symbolic_.panels[s].first]; };
  switch (task.kind) {
    case SolveTask::Kind::forward_subtree:
      return forward_subtree(s, own);
    case SolveTask::Kind::add_subtrees: {
      const double* from = outside_.data();
      for (const PanelSchedule::Subtree& subtree : schedule_.subtrees()) {
        const Panel& root = symbolic_.panels[subtree.last - 1];
        for (int k = root.width(); k < root.rows; ++k) {
          const int step = symbolic_.rows[root.row_start + k];
          double* to = work_.data() + step_row_[step];
          for (int c = 0; c < step_size_[step]; ++c) to[c] -= *from++;
        }
        from = outside_.data() +
               outside_start_[static_cast<std::size_t>(&subtree - schedule_.subtrees().data()) + 1];
      }
      return;
    }
    case SolveTask::Kind::forward: {
      // Every part solves with the diagonal block for itself. One of them keeps the result.
      const int width = layout_[s].width;
      double solved[widest_block_panel];
      std::copy_n(rows_of(work_), width, solved);
      forward_panel(s, solved, task.first, task.last, own.below.data());
      if (task.first == symbolic_.panels[s].width()) std::copy_n(solved, width, rows_of(top_work_));
      const double* from = own.below.data();
      for (int k = task.first; k < task.last; ++k) {
        const int step = symbolic_.rows[symbolic_.panels[s].row_start + k];
        double* to = work_.data() + step_row_[step];
        for (int c = 0; c < step_size_[step]; ++c) to[c] -= *from++;
      }
      return;
    }
    case SolveTask::Kind::products: {
      const int* offset = offsets(s);
      gather_below(s, own.below.data());
      subtract_products(s, own.below.data(), offset[task.first], offset[task.last], rows_of(top_work_));
      return;
    }
    case SolveTask::Kind::backward:
      backward_diagonal(s, rows_of(top_work_));
      std::copy_n(rows_of(top_work_), layout_[s].width, rows_of(work_));
      return;
    case SolveTask::Kind::backward_subtree: {
      const PanelSchedule::Subtree& subtree = schedule_.subtrees()[static_cast<std::size_t>(s)];
      for (int panel = subtree.last; panel-- > subtree.first;) backward_panel(panel, own);
      return;
    }
  }
}

// work_ <- L^-1 P work_ in a subtree. What it adds to rows above is kept apart, because other subtrees add to
// them, too.
void BlockLu::forward_subtree(int t, Workspace& own) const {
  const PanelSchedule::Subtree& subtree = schedule_.subtrees()[static_cast<std::size_t>(t)];
  const int root = subtree.last - 1, end = symbolic_.panels[root].last;
  const int* outside_offset = offsets(root);
  double* outside = outside_.data() + outside_start_[static_cast<std::size_t>(t)];
  std::fill_n(outside, layout_[root].below(), 0.0);
  place_rows(root, own);
  for (int s = subtree.first; s < subtree.last; ++s) {
    const Panel& panel = symbolic_.panels[s];
    if (layout_[s].width == 0) continue;
    double* own_rows = work_.data() + step_row_[panel.first];
    forward_panel(s, own_rows, panel.width(), panel.rows, own.below.data());
    const double* from = own.below.data();
    for (int k = panel.width(); k < panel.rows; ++k) {
      const int step = symbolic_.rows[panel.row_start + k];
      if (step < end) {
        double* to = work_.data() + step_row_[step];
        for (int c = 0; c < step_size_[step]; ++c) to[c] -= *from++;
      } else {
        double* to = outside + (outside_offset[own.local_row[step]] - layout_[root].width);
        for (int c = 0; c < step_size_[step]; ++c) to[c] += *from++;
      }
    }
  }
}

// own_rows <- L11^-1 P own_rows, below = L21 own_rows on block rows [first, last), four columns at a time.
void BlockLu::forward_panel(int s, double* own_rows, int first, int last, double* below) const {
  const Layout& layout = layout_[s];
  const int width = layout.width, begin = offsets(s)[first], count = offsets(s)[last] - begin;
  const Index stride = layout.height;
  const int* swaps = swaps_.data() + step_row_[symbolic_.panels[s].first];
  for (int c = 0; c < width; ++c) std::swap(own_rows[c], own_rows[swaps[c]]);
  std::fill_n(below, count, 0.0);
  const double* column = values_.data() + layout.lower;
  int c = 0;
  for (; c + 4 <= width; c += 4, column += 4 * stride) {
    for (int p = 0; p < 4; ++p)
      for (int i = p + 1; i < 4; ++i) own_rows[c + i] -= own_rows[c + p] * column[c + i + p * stride];
    const double y[4] = {own_rows[c], own_rows[c + 1], own_rows[c + 2], own_rows[c + 3]};
    add_columns(width - c - 4, column + c + 4, stride, {-y[0], -y[1], -y[2], -y[3]}, own_rows + c + 4);
    add_columns(count, column + begin, stride, y, below);
  }
  for (; c < width; ++c, column += stride) {
    const double y = own_rows[c];
    for (int i = c + 1; i < width; ++i) own_rows[i] -= y * column[i];
    for (int i = 0; i < count; ++i) below[i] += y * column[begin + i];
  }
}

// The rows of work_ below a panel.
void BlockLu::gather_below(int s, double* to) const {
  const Panel& panel = symbolic_.panels[s];
  for (int k = panel.width(); k < panel.rows; ++k) {
    const int step = symbolic_.rows[panel.row_start + k];
    to = std::copy_n(work_.data() + step_row_[step], step_size_[step], to);
  }
}

// own_rows -= U12 below in rows [first, last). A row of U12 is a column of U', or of L21, times its pivot.
void BlockLu::subtract_products(int s, const double* below, int first, int last, double* own_rows) const {
  const Layout& layout = layout_[s];
  const double* diagonal = values_.data() + layout.lower;
  const double* upper = definite_ ? diagonal + layout.width : values_.data() + layout.upper;
  const Index stride = definite_ ? layout.height : layout.below();
  const Eigen::Map<const Vector> gathered(below, layout.below());
  for (int c = first; c < last; ++c) {
    const double pivot = definite_ ? diagonal[c + c * stride] : 1.0;
    own_rows[c] -= pivot * Eigen::Map<const Vector>(upper + c * stride, layout.below()).dot(gathered);
  }
}

// own_rows <- U11^-1 own_rows
void BlockLu::backward_diagonal(int s, double* own_rows) const {
  const Layout& layout = layout_[s];
  for (int c = layout.width - 1; c >= 0; --c) {
    const double* column = values_.data() + layout.lower + static_cast<std::ptrdiff_t>(c) * layout.height;
    const double y = own_rows[c] /= column[c];
    for (int i = 0; i < c; ++i) own_rows[i] -= y * column[i];
  }
}

void BlockLu::backward_panel(int s, Workspace& own) const {
  double* own_rows = work_.data() + step_row_[symbolic_.panels[s].first];
  gather_below(s, own.below.data());
  subtract_products(s, own.below.data(), 0, layout_[s].width, own_rows);
  backward_diagonal(s, own_rows);
}

}  // namespace slipstick::internal
