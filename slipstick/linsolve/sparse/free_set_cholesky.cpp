// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/free_set_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// A pivot below this share of its diagonal entry is taken for zero.
constexpr double singular_pivot = 1e-13;

// The cost model, in multiplications and additions of a large factorization. One core of the Xeon of
// bench/results makes 6e9 of them per second. Laplacians of 256 to 65,536 rows in the plane and 512 to 32,768
// rows in space were measured there. A factorization costs its operations, and the filling and the overhead
// of short columns per entry of L. A row change passes 1e9 entries per second and takes 1 us to find them.
// About half of the entries on its way are skipped, because the vector is zero there. With these numbers bpp
// was as fast as with the better of the two ways. The tests were sequences of pressure problems and packings,
// warm and cold (slipstick-study sequence).
constexpr double stored_entry_cost = 20.0;
constexpr double changed_entry_cost = 3.0;
constexpr double row_cost = 6000.0;

}  // namespace

void FreeSetCholesky::prepare(std::shared_ptr<const CsrMatrix> a) {
  const bool known = analyzed_ && pattern_.matches(*a);
  a_ = std::move(a);
  const auto n = static_cast<std::size_t>(a_->rows());
  if (!known) analyze();
  free_.assign(n, 0);
  shift_.resize(a_->rows());
  shift_.setZero();
  current_ = false;
}

// Makes the lower triangle with a full diagonal, its symbolic factorization, and the storage.
void FreeSetCholesky::analyze() {
  const CsrMatrix& a = *a_;
  const int n = static_cast<int>(a.rows());
  pattern_.set(a);
  analyzed_ = false;
  std::vector<int> columns;
  source_.clear();
  lower_.resize(n, n);
  for (int i = 0; i < n; ++i) {
    int diagonal = -1;
    count_work(10.0 * (pattern_.start()[i + 1] - pattern_.start()[i]));
    for (int k = pattern_.start()[i]; k < pattern_.start()[i + 1]; ++k) {
      if (pattern_.columns()[k] == i) diagonal = k;
      if (pattern_.columns()[k] >= i) continue;
      columns.push_back(pattern_.columns()[k]);
      source_.push_back(k);
    }
    columns.push_back(i);
    source_.push_back(diagonal);
    lower_.outerIndexPtr()[i + 1] = static_cast<int>(columns.size());
  }
  lower_.resizeNonZeros(static_cast<Index>(columns.size()));
  std::copy(columns.begin(), columns.end(), lower_.innerIndexPtr());
  std::fill_n(lower_.valuePtr(), columns.size(), 0.0);
  factor_.analyze(lower_);

  const auto count = static_cast<std::size_t>(n);
  diagonal_.resize(n);
  removed_.reserve(count);
  added_.reserve(count);
  sparse_.assign(count, 0.0);
  panels_.reserve(factor_.symbolic_.panels.size());
  mark_.assign(factor_.symbolic_.panels.size(), 0);
  marked_ = 0;
  int longest = 0;
  for (const SparseCholesky::Panel& panel : factor_.symbolic_.panels) longest = std::max(longest, panel.rows);
  dense_.resize(static_cast<std::size_t>(longest));
  estimate_costs();
  analyzed_ = true;
}

// Both estimates do not depend on the set. They are the cost of each panel in a factorization, and the
// entries of L in the columns that each row meets.
void FreeSetCholesky::estimate_costs() {
  panel_cost_.clear();
  row_entries_.assign(static_cast<std::size_t>(factor_.n_), 0.0);
  for (const SparseCholesky::Panel& panel : factor_.symbolic_.panels) {
    double entries = 0.0, flops = 0.0;
    for (int k = 0; k < panel.rows; ++k) {
      row_entries_[factor_.symbolic_.rows[panel.row_start + k]] += entries;
      if (k >= panel.width()) continue;
      entries += panel.rows - k;
      flops += std::pow(static_cast<double>(panel.rows - k), 2);
    }
    panel_cost_.push_back(flops + stored_entry_cost * entries);
  }
}

bool FreeSetCholesky::rows_are_cheaper() const {
  double limit = 0.0;
  for (std::size_t s = 0; s < panel_cost_.size(); ++s) {
    if (factor_.busy_[s] > 0) limit += panel_cost_[s];
  }
  // A row change touches the columns from the row's own column to the root.
  double cost = 0.0;
  for (const std::vector<int>* list : {&removed_, &added_}) {
    for (const int row : *list) {
      const int step = factor_.symbolic_.position[row];
      double entries = list == &added_ ? row_entries_[step] : 0.0;
      for (int s = factor_.symbolic_.panel_of[step]; s >= 0; s = parent_panel(s)) {
        const SparseCholesky::Panel& panel = factor_.symbolic_.panels[s];
        entries += factor_.busy_[s] * (panel.rows - 0.5 * panel.width());
      }
      cost += row_cost + changed_entry_cost * entries;
      if (cost > limit) return false;
    }
  }
  return true;
}

void FreeSetCholesky::set_shift(const Vector& shift) {
  assert(shift.size() == rows());
  shift_ = shift;
  current_ = false;
}

void FreeSetCholesky::add_shift(Index row, double amount) {
  assert(amount >= 0.0);
  shift_[row] += amount;
  if (!current_ || free_[static_cast<std::size_t>(row)] == 0) return;
  changed_ = true;
  const int step = factor_.symbolic_.position[row];
  diagonal_[step] += amount;
  sparse_[step] = std::sqrt(amount);
  current_ = change_rank_one(step, 1.0);
}

bool FreeSetCholesky::set_free(std::span<const char> free, FactorChange change) {
  assert(static_cast<Index>(free.size()) == rows());
  removed_.clear();
  added_.clear();
  for (std::size_t i = 0; i < free.size(); ++i) {
    if ((free[i] != 0) == (free_[i] != 0)) continue;
    (free[i] != 0 ? added_ : removed_).push_back(static_cast<int>(i));
    free_[i] = free[i] != 0;
  }
  if (current_ && removed_.empty() && added_.empty()) return true;
  const bool by_rows =
      current_ && change != FactorChange::refactor && (change == FactorChange::rows || rows_are_cheaper());
  if (!by_rows) return refactorize();

  current_ = false;  // until all rows are changed
  // Rows are added one by one. The later rows are not yet in the set.
  for (const int row : added_) free_[row] = 0;
  changed_ = true;
  for (const int row : removed_) {
    remove_row(row);
    count_work(std::exchange(row_work_, 0.0));
  }
  bool regular = true;
  for (const int row : added_) {
    regular = regular && add_row(row);
    free_[row] = 1;
    count_work(std::exchange(row_work_, 0.0));
  }
  row_changes_ += static_cast<std::int64_t>(removed_.size() + added_.size());
  current_ = regular;
  // After many changes, rounding errors can make a regular matrix look singular.
  return regular || refactorize();
}

bool FreeSetCholesky::refactorize() {
  const int n = static_cast<int>(rows());
  double* values = lower_.valuePtr();
  const int* start = lower_.outerIndexPtr();
  const int* columns = lower_.innerIndexPtr();
  for (int i = 0; i < n; ++i) {
    set_idle(factor_.symbolic_.position[i], free_[i] == 0);
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double a = source_[k] >= 0 ? a_->valuePtr()[source_[k]] : 0.0;
      const bool diagonal = columns[k] == i;
      if (free_[i] != 0 && free_[columns[k]] != 0) {
        values[k] = diagonal ? a + shift_[i] : a;
      } else {
        values[k] = diagonal ? 1.0 : 0.0;
      }
      if (diagonal) diagonal_[factor_.symbolic_.position[i]] = values[k];
    }
  }
  ++refactorizations_;
  changed_ = false;
  current_ = false;
  current_ = factor_.factorize(lower_);
  for (std::size_t s = 0; s < factor_.symbolic_.panels.size() && current_; ++s) {
    if (factor_.busy_[s] == 0) continue;
    const SparseCholesky::Panel& panel = factor_.symbolic_.panels[s];
    const double* corner = values_of(static_cast<int>(s));
    for (int c = 0; c < panel.width() && current_; ++c, corner += panel.rows + 1) {
      current_ = *corner * *corner > singular_pivot * diagonal_[panel.first + c];
    }
  }
  return current_;
}

void FreeSetCholesky::set_idle(int step, bool idle) {
  factor_.busy_[factor_.symbolic_.panel_of[step]] +=
      static_cast<int>(factor_.idle_[step] != 0) - static_cast<int>(idle);
  factor_.idle_[step] = static_cast<char>(idle);
}

// Lists the panels that have row `step`, ascending. They lie on the paths up the tree from the row's entries
// in A.
void FreeSetCholesky::list_panels(int step) {
  panels_.clear();
  ++marked_;
  const int row = factor_.symbolic_.order[step];
  const int own = factor_.symbolic_.panel_of[step];
  mark_[own] = marked_;
  for (int k = pattern_.start()[row]; k < pattern_.start()[row + 1]; ++k) {
    const int column = factor_.symbolic_.position[pattern_.columns()[k]];
    if (column >= step) continue;
    for (int s = factor_.symbolic_.panel_of[column]; mark_[s] != marked_; s = parent_panel(s)) {
      mark_[s] = marked_;
      panels_.push_back(s);
    }
  }
  std::sort(panels_.begin(), panels_.end());
  panels_.push_back(own);
}

void FreeSetCholesky::remove_row(int row) {
  const int step = factor_.symbolic_.position[row];
  set_idle(step, true);
  list_panels(step);
  for (const int s : panels_) {
    const SparseCholesky::Panel& panel = factor_.symbolic_.panels[s];
    double* entry = values_of(s) + row_in_panel(s, step);
    for (int c = panel.first; c < std::min(panel.last, step); ++c, entry += panel.rows) *entry = 0.0;
  }
  const SparseCholesky::Panel& panel = factor_.symbolic_.panels[panels_.back()];
  const int local = step - panel.first;
  const int* rows = factor_.symbolic_.rows.data() + panel.row_start;
  double* column = values_of(panels_.back()) + static_cast<std::ptrdiff_t>(local) * panel.rows;
  for (int k = local + 1; k < panel.rows; ++k) {
    sparse_[rows[k]] = column[k];
    column[k] = 0.0;
  }
  column[local] = 1.0;
  diagonal_[step] = 1.0;
  change_rank_one(step, 1.0);
}

// Returns false if the block with the row is singular. The factor is then invalid.
bool FreeSetCholesky::add_row(int row) {
  const int step = factor_.symbolic_.position[row];
  set_idle(step, false);
  double pivot = shift_[row];
  for (int k = pattern_.start()[row]; k < pattern_.start()[row + 1]; ++k) {
    const int other = pattern_.columns()[k];
    if (other == row) pivot += a_->valuePtr()[k];
    if (free_[other] != 0) sparse_[factor_.symbolic_.position[other]] = a_->valuePtr()[k];
  }
  diagonal_[step] = pivot;

  // Forward substitution over the columns that the row meets: gives l12, and a32 - L31 l12 in the later rows.
  list_panels(step);
  for (const int s : panels_) {
    const SparseCholesky::Panel& panel = factor_.symbolic_.panels[s];
    const int* rows = factor_.symbolic_.rows.data() + panel.row_start;
    const int at = row_in_panel(s, step);
    double* column = values_of(s);
    row_work_ += 2.0 * panel.rows * panel.width();
    for (int k = 0; k < panel.rows; ++k) dense_[k] = sparse_[rows[k]];
    for (int c = 0; c < std::min(panel.width(), step - panel.first); ++c, column += panel.rows) {
      sparse_[rows[c]] = 0.0;
      if (dense_[c] == 0.0) continue;
      const double y = dense_[c] / column[c];
      for (int k = c + 1; k < panel.rows; ++k) dense_[k] -= y * column[k];
      column[at] = y;
      pivot -= y * y;
    }
    const int done = std::min(panel.width(), step - panel.first);
    for (int k = done; k < panel.rows; ++k) sparse_[rows[k]] = dense_[k];
  }

  const SparseCholesky::Panel& panel = factor_.symbolic_.panels[panels_.back()];
  const int local = step - panel.first;
  const int* rows = factor_.symbolic_.rows.data() + panel.row_start;
  double* column = values_of(panels_.back()) + static_cast<std::ptrdiff_t>(local) * panel.rows;
  const bool regular = pivot > singular_pivot * diagonal_[step];
  column[local] = regular ? std::sqrt(pivot) : 1.0;
  sparse_[step] = 0.0;
  for (int k = local + 1; k < panel.rows; ++k) {
    column[k] = sparse_[rows[k]] /= column[local];
    if (!regular) sparse_[rows[k]] = 0.0;
  }
  return regular && change_rank_one(step, -1.0);
}

// L L' + sign v v' for the v in sparse_, whose rows are among the rows of column `step`. v becomes zero.
// Returns false if the matrix becomes singular.
bool FreeSetCholesky::change_rank_one(int step, double sign) {
  bool regular = true;
  for (int s = factor_.symbolic_.panel_of[step]; s >= 0; s = parent_panel(s)) {
    const SparseCholesky::Panel& panel = factor_.symbolic_.panels[s];
    const int* rows = factor_.symbolic_.rows.data() + panel.row_start;
    const int first = std::max(0, step - panel.first);
    bool rest = false;
    for (int k = first; k < panel.rows; ++k) {
      dense_[k] = sparse_[rows[k]];
      sparse_[rows[k]] = 0.0;
      rest = rest || dense_[k] != 0.0;
    }
    if (!rest) return regular;  // nothing is left of v
    if (!regular) continue;
    row_work_ += 6.0 * (panel.rows - first) * (panel.width() - first);
    double* column = values_of(s) + static_cast<std::ptrdiff_t>(first) * panel.rows;
    for (int c = first; c < panel.width(); ++c, column += panel.rows) {
      const double v = dense_[c];
      if (v == 0.0) continue;
      const double square = (column[c] + v) * (column[c] - v);
      const double changed = sign > 0.0 ? column[c] * column[c] + v * v : square;
      if (!(changed > singular_pivot * diagonal_[panel.first + c])) {
        regular = false;
        break;
      }
      const double length = std::sqrt(changed);
      const double cosine = length / column[c], sine = v / column[c];
      const double inverse = 1.0 / cosine, step_sine = sign * sine;
      column[c] = length;
      for (int k = c + 1; k < panel.rows; ++k) {
        column[k] = (column[k] + step_sine * dense_[k]) * inverse;
        dense_[k] = cosine * dense_[k] - sine * column[k];
      }
    }
    for (int k = panel.width(); k < panel.rows; ++k) sparse_[rows[k]] = regular ? dense_[k] : 0.0;
  }
  return regular;
}

int FreeSetCholesky::row_in_panel(int panel, int step) const {
  const SparseCholesky::Panel& p = factor_.symbolic_.panels[panel];
  if (step < p.last) return step - p.first;
  const auto begin = factor_.symbolic_.rows.begin() + p.row_start + p.width();
  const auto end = factor_.symbolic_.rows.begin() + p.row_start + p.rows;
  const auto found = std::lower_bound(begin, end, step);
  assert(found != end && *found == step);
  return p.width() + static_cast<int>(found - begin);
}

int FreeSetCholesky::parent_panel(int panel) const {
  const SparseCholesky::Panel& p = factor_.symbolic_.panels[panel];
  return p.rows == p.width() ? -1
                             : factor_.symbolic_.panel_of[factor_.symbolic_.rows[p.row_start + p.width()]];
}

}  // namespace slipstick::internal
