// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/subtract_product.hpp"
#include "slipstick/linsolve/ordering.hpp"

namespace slipstick {
namespace {

// A tile of a panel, tile_rows x tile_depth, stays in the first cache during a product.
constexpr int tile_rows = 72;
constexpr int tile_depth = 48;
constexpr int tile_columns = 64;
constexpr int small_step = 8;  // columns eliminated one by one

// Whether two panels become one although that stores `zeros` of `entries` for nothing: wide panels pay for
// themselves, zeros do not (the shares of Chen, Davis, Hager and Rajamanickam 2008).
bool worth_merging(int width, double zeros, double entries) {
  if (zeros == 0.0 || width <= 4) return true;
  const double share = zeros / entries;
  return width <= 16 ? share < 0.8 : width <= 48 ? share < 0.1 : share < 0.05;
}

// to(p, j) = sign_p l(j, p) for `columns` rows j of l
void transpose_with_signs(const double* l, Index stride, int columns, int depth, const signed char* sign,
                          double* to) {
  for (int j = 0; j < columns; ++j) {
    for (int p = 0; p < depth; ++p) to[p + static_cast<Index>(j) * depth] = sign[p] * l[j + p * stride];
  }
}

}  // namespace

void SparseCholesky::analyze(const CsrMatrix& lower) {
  if (same_pattern(lower)) return;
  if (lower.rows() != lower.cols())
    fail("Cholesky factorization of a {} x {} matrix", lower.rows(), lower.cols());
  for (Index i = 0; i < lower.rows(); ++i) {
    const int end = lower.outerIndexPtr()[i + 1];
    if (end == lower.outerIndexPtr()[i] || lower.innerIndexPtr()[end - 1] != i)
      fail("row {} of a lower triangle does not end on the diagonal", i);
  }
  n_ = static_cast<int>(lower.rows());
  pattern_start_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + n_ + 1);
  pattern_columns_.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
  order(lower);
  list_entries(lower);
  find_tree();
  postorder();
  list_entries(lower);
  find_tree();
  find_panels();
  find_rows();
  find_places(lower);
}

bool SparseCholesky::same_pattern(const CsrMatrix& lower) const {
  const auto n = static_cast<std::size_t>(lower.rows());
  const auto entries = static_cast<std::size_t>(lower.nonZeros());
  return pattern_start_.size() == n + 1 && pattern_columns_.size() == entries &&
         std::equal(pattern_start_.begin(), pattern_start_.end(), lower.outerIndexPtr()) &&
         std::equal(pattern_columns_.begin(), pattern_columns_.end(), lower.innerIndexPtr());
}

SparseCholesky::SparseCholesky(Ordering ordering) : ordering_(ordering) {
  check_available(ordering);
}

void SparseCholesky::order(const CsrMatrix& lower) {
  order_ = order_rows(lower, ordering_);
  position_.resize(order_.size());
  for (int k = 0; k < n_; ++k) position_[order_[k]] = k;
}

// The entries off the diagonal, in steps, by row and by column.
void SparseCholesky::list_entries(const CsrMatrix& lower) {
  const auto n = static_cast<std::size_t>(n_);
  left_start_.assign(n + 1, 0);
  below_start_.assign(n + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (int r = 0; r < n_; ++r) {
      for (int k = lower.outerIndexPtr()[r]; k + 1 < lower.outerIndexPtr()[r + 1]; ++k) {
        const int a = position_[r];
        const int b = position_[lower.innerIndexPtr()[k]];
        visit(std::max(a, b), std::min(a, b));
      }
    }
  };
  for_each([&](int row, int column) {
    ++left_start_[row + 1];
    ++below_start_[column + 1];
  });
  for (std::size_t k = 0; k < n; ++k) {
    left_start_[k + 1] += left_start_[k];
    below_start_[k + 1] += below_start_[k];
  }
  left_.resize(static_cast<std::size_t>(left_start_[n]));
  below_rows_.resize(left_.size());
  count_.assign(left_start_.begin(), left_start_.end());
  mark_.assign(below_start_.begin(), below_start_.end());
  for_each([&](int row, int column) {
    left_[count_[row]++] = column;
    below_rows_[mark_[column]++] = row;
  });
}

// The elimination tree (Liu 1986): the parent of a column is its first entry below the diagonal of L.
void SparseCholesky::find_tree() {
  parent_.assign(static_cast<std::size_t>(n_), -1);
  mark_.assign(static_cast<std::size_t>(n_), -1);  // ancestors, paths compressed
  for (int row = 0; row < n_; ++row) {
    for (int k = left_start_[row]; k < left_start_[row + 1]; ++k) {
      int node = left_[k];
      while (mark_[node] >= 0 && mark_[node] != row) {
        const int up = mark_[node];
        mark_[node] = row;
        node = up;
      }
      if (mark_[node] < 0) {
        mark_[node] = row;
        parent_[node] = row;
      }
    }
  }
}

// Renumbers the steps so that the descendants of a column stand right before it.
void SparseCholesky::postorder() {
  const auto n = static_cast<std::size_t>(n_);
  std::vector<int> first_child(n, -1), sibling(n, -1), stack, sequence;
  for (int k = n_ - 1; k >= 0; --k) {
    if (parent_[k] < 0) continue;
    sibling[k] = first_child[parent_[k]];
    first_child[parent_[k]] = k;
  }
  for (int root = 0; root < n_; ++root) {
    if (parent_[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back();
      if (first_child[node] >= 0) {
        stack.push_back(first_child[node]);
        first_child[node] = sibling[first_child[node]];
      } else {
        sequence.push_back(node);
        stack.pop_back();
      }
    }
  }
  for (int& step : sequence) step = order_[step];
  order_ = sequence;
  for (int k = 0; k < n_; ++k) position_[order_[k]] = k;
}

// Runs of columns with one pattern, then merged with their parents where that pays.
void SparseCholesky::find_panels() {
  const auto n = static_cast<std::size_t>(n_);
  count_.assign(n, 1);  // of the entries of each column of L
  mark_.assign(n, -1);
  for (int row = 0; row < n_; ++row) {
    mark_[row] = row;
    for (int k = left_start_[row]; k < left_start_[row + 1]; ++k) {
      for (int node = left_[k]; mark_[node] != row; node = parent_[node]) {
        ++count_[node];
        mark_[node] = row;
      }
    }
  }
  panels_.clear();
  std::vector<double> zeros;
  for (int first = 0; first < n_;) {
    int last = first + 1;
    while (last < n_ && parent_[last - 1] == last && count_[last] == count_[last - 1] - 1) ++last;
    Panel panel{.first = first, .last = last, .rows = count_[first]};
    double panel_zeros = 0.0;
    while (!panels_.empty()) {
      const Panel& child = panels_.back();
      if (parent_[child.last - 1] < 0 || parent_[child.last - 1] >= panel.last) break;
      const int width = child.width() + panel.width();
      const double rows = child.width() + panel.rows;
      const double merged_zeros = zeros.back() + panel_zeros + child.width() * (rows - child.rows);
      if (!worth_merging(width, merged_zeros, width * (rows - 0.5 * width))) break;
      panel.first = child.first;
      panel.rows = static_cast<int>(rows);
      panel_zeros = merged_zeros;
      panels_.pop_back();
      zeros.pop_back();
    }
    panels_.push_back(panel);
    zeros.push_back(panel_zeros);
    first = last;
  }
}

// The rows of a panel are those of A and of the panels that it is the parent of.
void SparseCholesky::find_rows() {
  const int panels = static_cast<int>(panels_.size());
  panel_of_.resize(static_cast<std::size_t>(n_));
  for (int s = 0; s < panels; ++s) {
    for (int j = panels_[s].first; j < panels_[s].last; ++j) panel_of_[j] = s;
  }
  list_head_.assign(panels_.size(), -1);
  list_next_.assign(panels_.size(), -1);
  next_row_.assign(panels_.size(), 0);
  mark_.assign(static_cast<std::size_t>(n_), -1);
  value_start_.assign(1, 0);
  rows_.clear();
  flops_ = 0.0;
  int widest = 0;
  Index longest = 0;
  for (int s = 0; s < panels; ++s) {
    Panel& panel = panels_[s];
    panel.row_start = static_cast<std::ptrdiff_t>(rows_.size());
    for (int j = panel.first; j < panel.last; ++j) rows_.push_back(j);
    const auto add = [&](int row) {
      if (row < panel.last || mark_[row] == s) return;
      mark_[row] = s;
      rows_.push_back(row);
    };
    for (int k = below_start_[panel.first]; k < below_start_[panel.last]; ++k) add(below_rows_[k]);
    for (int child = list_head_[s]; child >= 0; child = list_next_[child]) {
      const Panel& c = panels_[child];
      for (int k = c.width(); k < c.rows; ++k) add(rows_[c.row_start + k]);
    }
    std::sort(rows_.begin() + panel.row_start + panel.width(), rows_.end());
    panel.rows = static_cast<int>(static_cast<std::ptrdiff_t>(rows_.size()) - panel.row_start);
    if (panel.rows > panel.width()) {
      const int up = panel_of_[rows_[panel.row_start + panel.width()]];
      list_next_[s] = list_head_[up];
      list_head_[up] = s;
    }
    value_start_.push_back(value_start_.back() + static_cast<std::ptrdiff_t>(panel.rows) * panel.width());
    widest = std::max(widest, panel.width());
    longest = std::max<Index>(longest, panel.rows);
    for (int j = 0; j < panel.width(); ++j) flops_ += std::pow(static_cast<double>(panel.rows - j), 2);
  }
  values_.resize(static_cast<std::size_t>(value_start_.back()));
  transposed_.resize(static_cast<std::size_t>(std::max(widest, tile_depth)) * tile_columns);
  tile_.resize(static_cast<std::size_t>(tile_rows) * tile_columns);
  local_row_.resize(static_cast<std::size_t>(n_));
  signs_.resize(static_cast<std::size_t>(n_));
  idle_.assign(static_cast<std::size_t>(n_), 0);
  busy_.clear();
  for (const Panel& panel : panels_) busy_.push_back(panel.width());
  work_.resize(n_);
  below_.resize(longest);
}

void SparseCholesky::find_places(const CsrMatrix& lower) {
  place_.resize(static_cast<std::size_t>(lower.nonZeros()));
  for (int r = 0; r < n_; ++r) {
    for (int k = lower.outerIndexPtr()[r]; k < lower.outerIndexPtr()[r + 1]; ++k) {
      const int a = position_[r];
      const int b = position_[lower.innerIndexPtr()[k]];
      const int s = panel_of_[std::min(a, b)];
      const Panel& panel = panels_[s];
      const auto begin = rows_.begin() + panel.row_start;
      const auto row = std::lower_bound(begin, begin + panel.rows, std::max(a, b)) - begin;
      place_[k] =
          value_start_[s] + row + static_cast<std::ptrdiff_t>(std::min(a, b) - panel.first) * panel.rows;
    }
  }
}

bool SparseCholesky::factorize(const CsrMatrix& lower, std::span<const signed char> signs) {
  assert(signs.empty() || static_cast<Index>(signs.size()) == lower.rows());
  analyze(lower);
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t k = 0; k < place_.size(); ++k) values_[place_[k]] = lower.valuePtr()[k];
  for (int k = 0; k < n_; ++k) signs_[k] = signs.empty() ? 1 : signs[order_[k]];

  std::fill(list_head_.begin(), list_head_.end(), -1);
  for (int s = 0; s < static_cast<int>(panels_.size()); ++s) {
    const Panel& panel = panels_[s];
    double* values = values_.data() + value_start_[s];
    for (int k = 0; k < panel.rows; ++k) local_row_[rows_[panel.row_start + k]] = k;
    for (int d = list_head_[s]; d >= 0;) {
      const int next = list_next_[d];
      if (busy_[s] > 0) subtract_descendant(panel, values, d);
      link(d, rows_within(panel, d));
      d = next;
    }
    if (busy_[s] == 0) continue;
    if (!factorize_panel(panel, values)) return false;
    link(s, panel.width());
  }
  return true;
}

// Puts a panel on the list of the one that owns its row at `position`.
void SparseCholesky::link(int panel, int position) {
  next_row_[panel] = position;
  if (position >= panels_[panel].rows) return;
  const int owner = panel_of_[rows_[panels_[panel].row_start + position]];
  list_next_[panel] = list_head_[owner];
  list_head_[owner] = panel;
}

// panel -= L_d S_d L_d' on the rows and columns of the panel.
void SparseCholesky::subtract_descendant(const Panel& panel, double* values, int descendant) {
  const Panel& d = panels_[descendant];
  const int* rows = rows_.data() + d.row_start;
  const double* l = values_.data() + value_start_[descendant];
  const int begin = next_row_[descendant];
  const int end = rows_within(panel, descendant);

  for (int column = begin; column < end; column += tile_columns) {
    const int columns = std::min(tile_columns, end - column);
    transpose_with_signs(l + column, d.rows, columns, d.width(), signs_.data() + d.first, transposed_.data());
    for (int row = column; row < d.rows; row += tile_rows) {
      const int count = std::min(tile_rows, d.rows - row);
      std::fill_n(tile_.begin(), static_cast<std::ptrdiff_t>(count) * columns, 0.0);
      for (int p = 0; p < d.width(); p += tile_depth) {
        const int depth = std::min(tile_depth, d.width() - p);
        subtract_product<double>(count, columns, depth, {l + row + static_cast<Index>(p) * d.rows, d.rows},
                                 {transposed_.data() + p, d.width()}, {tile_.data(), count});
      }
      for (int j = 0; j < columns; ++j) {
        double* to = values + static_cast<std::ptrdiff_t>(rows[column + j] - panel.first) * panel.rows;
        const double* from = tile_.data() + static_cast<std::ptrdiff_t>(j) * count;
        for (int i = std::max(0, column + j - row); i < count; ++i) to[local_row_[rows[row + i]]] += from[i];
      }
    }
  }
}

// The end of the descendant's rows that are columns of the panel.
int SparseCholesky::rows_within(const Panel& panel, int descendant) const {
  const Panel& d = panels_[descendant];
  int end = next_row_[descendant];
  while (end < d.rows && rows_[d.row_start + end] < panel.last) ++end;
  return end;
}

// A panel of its own: block columns in turn, each subtracted from those to its right.
bool SparseCholesky::factorize_panel(const Panel& panel, double* values) {
  const Index stride = panel.rows;
  const signed char* signs = signs_.data() + panel.first;
  for (int start = 0; start < panel.width(); start += tile_depth) {
    const int width = std::min(tile_depth, panel.width() - start);
    double* block = values + start + start * stride;  // the diagonal block's corner

    // The diagonal block, column by column.
    for (int c = 0; c < width; ++c) {
      double* column = block + c * stride;
      for (int p = 0; p < c; ++p) {
        const double factor = signs[start + p] * block[c + p * stride];
        const double* left = block + p * stride;
        for (int i = c; i < width; ++i) column[i] -= factor * left[i];
      }
      const double pivot = signs[start + c] * column[c];
      if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
      column[c] = std::sqrt(pivot);
      const double scale = signs[start + c] / column[c];
      for (int i = c + 1; i < width; ++i) column[i] *= scale;
    }

    // The rows below it: L21 = A21 L11^-T S.
    transpose_with_signs(block, stride, width, width, signs + start, transposed_.data());
    for (int row = start + width; row < panel.rows; row += tile_rows) {
      const int count = std::min(tile_rows, panel.rows - row);
      double* tile = values + row + start * stride;
      for (int c = 0; c < width; c += small_step) {
        const int columns = std::min(small_step, width - c);
        subtract_product<double>(count, columns, c, {tile, stride},
                                 {transposed_.data() + static_cast<std::ptrdiff_t>(c) * width, width},
                                 {tile + c * stride, stride});
        for (int j = c; j < c + columns; ++j) {
          double* column = tile + j * stride;
          for (int p = c; p < j; ++p) {
            const double factor = transposed_[p + j * width];
            const double* left = tile + p * stride;
            for (int i = 0; i < count; ++i) column[i] -= factor * left[i];
          }
          const double scale = signs[start + j] / block[j + j * stride];
          for (int i = 0; i < count; ++i) column[i] *= scale;
        }
      }
    }

    // The columns to its right.
    for (int column = start + width; column < panel.width(); column += tile_columns) {
      const int columns = std::min(tile_columns, panel.width() - column);
      transpose_with_signs(values + column + start * stride, stride, columns, width, signs + start,
                           transposed_.data());
      for (int row = column; row < panel.rows; row += tile_rows) {
        const int count = std::min(tile_rows, panel.rows - row);
        subtract_product<double>(count, columns, width, {values + row + start * stride, stride},
                                 {transposed_.data(), width}, {values + row + column * stride, stride});
      }
    }
  }
  return true;
}

void SparseCholesky::solve(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[order_[k]];
  forward();
  for (int k = 0; k < n_; ++k) work_[k] *= signs_[k];
  backward();
  for (int k = 0; k < n_; ++k) x[order_[k]] = work_[k];
}

void SparseCholesky::solve_lower(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[order_[k]];
  forward();
  x = work_.head(n_);
}

void SparseCholesky::solve_upper(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = signs_[k] * x[k];
  backward();
  for (int k = 0; k < n_; ++k) x[order_[k]] = work_[k];
}

// work_ <- L^-1 work_
void SparseCholesky::forward() const {
  for (std::size_t s = 0; s < panels_.size(); ++s) {
    if (busy_[s] == 0) continue;
    const Panel& panel = panels_[s];
    const int width = panel.width();
    const int below = panel.rows - width;
    double* own = work_.data() + panel.first;
    std::fill_n(below_.data(), below, 0.0);
    for (int c = 0; c < width; ++c) {
      if (idle_[panel.first + c] != 0) continue;
      const double* column = values_.data() + value_start_[s] + static_cast<std::ptrdiff_t>(c) * panel.rows;
      const double y = own[c] /= column[c];
      for (int i = c + 1; i < width; ++i) own[i] -= y * column[i];
      for (int i = 0; i < below; ++i) below_[i] += y * column[width + i];
    }
    const int* rows = rows_.data() + panel.row_start + width;
    for (int i = 0; i < below; ++i) work_[rows[i]] -= below_[i];
  }
}

// work_ <- L^-T work_
void SparseCholesky::backward() const {
  for (std::size_t s = panels_.size(); s-- > 0;) {
    if (busy_[s] == 0) continue;
    const Panel& panel = panels_[s];
    const int width = panel.width();
    const int below = panel.rows - width;
    double* own = work_.data() + panel.first;
    const int* rows = rows_.data() + panel.row_start + width;
    for (int i = 0; i < below; ++i) below_[i] = work_[rows[i]];
    for (int c = width - 1; c >= 0; --c) {
      if (idle_[panel.first + c] != 0) continue;
      const double* column = values_.data() + value_start_[s] + static_cast<std::ptrdiff_t>(c) * panel.rows;
      double sum = own[c];
      for (int i = c + 1; i < width; ++i) sum -= column[i] * own[i];
      sum -= Eigen::Map<const Vector>(column + width, below).dot(below_.head(below));
      own[c] = sum / column[c];
    }
  }
}

}  // namespace slipstick
