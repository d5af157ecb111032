// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/sparse/ordering.hpp"

namespace slipstick::internal {
namespace {

constexpr int tile_columns = 64;

// METIS takes about as long as so many operations of a factorization per row and entry. It is not tried if
// there is little fill.
constexpr double dissection_cost = 5e3;
constexpr double fill_for_dissection = 1.5;  // entries of the factor over those of the matrix
constexpr double better_order = 0.8;         // share of the operations

// True if two panels become one, although `zeros` of `entries` are then stored needlessly. Wide panels are
// worth it, many zeros are not. The shares are those of Chen, Davis, Hager and Rajamanickam 2008, but for
// narrow panels (theirs: 0.8), since chains would fill up.
bool worth_merging(int width, double zeros, double entries) {
  if (zeros == 0.0 || width <= 4) return true;
  const double share = zeros / entries;
  return width <= 16 ? share < 0.3 : width <= 48 ? share < 0.1 : share < 0.05;
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
  if (pattern_.matches(lower)) return;
  if (lower.rows() != lower.cols())
    fail("Cholesky factorization of a {} x {} matrix", lower.rows(), lower.cols());
  for (Index i = 0; i < lower.rows(); ++i) {
    const int end = lower.outerIndexPtr()[i + 1];
    if (end == lower.outerIndexPtr()[i] || lower.innerIndexPtr()[end - 1] != i)
      fail("row {} of a lower triangle does not end on the diagonal", i);
  }
  pattern_.clear();
  n_ = static_cast<int>(lower.rows());
  choose_order(lower);
  lay_out();
  find_places(lower);
  pattern_.set(lower);
}

SparseCholesky::SparseCholesky(std::optional<Ordering> ordering) : ordering_(ordering) {
  if (ordering) check_available(*ordering);
}

void SparseCholesky::choose_order(const CsrMatrix& lower) {
  symbolic_.analyze(lower, ordering_.value_or(Ordering::amd), {.pays = worth_merging});
  if (ordering_ || !is_available(Ordering::metis)) return;
  const double entries = static_cast<double>(lower.nonZeros()), flops = symbolic_.operations();
  if (symbolic_.entries() < fill_for_dissection * entries || flops < dissection_cost * (n_ + entries)) return;
  PanelAnalysis dissected;
  dissected.analyze(lower, Ordering::metis, {.pays = worth_merging});
  if (dissected.operations() < better_order * flops) symbolic_ = std::move(dissected);
}

// Allocates the panels.
void SparseCholesky::lay_out() {
  value_start_.assign(1, 0);
  flops_ = symbolic_.operations();
  int widest = 0;
  Index longest = 0;
  busy_.clear();
  for (const Panel& panel : symbolic_.panels) {
    value_start_.push_back(value_start_.back() + static_cast<std::ptrdiff_t>(panel.rows) * panel.width());
    widest = std::max(widest, panel.width());
    longest = std::max<Index>(longest, panel.rows);
    busy_.push_back(panel.width());
  }
  resize_with_looks(values_, static_cast<std::size_t>(value_start_.back()));
  left_looking_.prepare(symbolic_);
  local_row_.resize(static_cast<std::size_t>(n_));
  transposed_.resize(static_cast<std::size_t>(std::max(widest, panel_tile_depth)) * tile_columns);
  tile_.resize(static_cast<std::size_t>(panel_tile_rows) * tile_columns);
  signs_.resize(static_cast<std::size_t>(n_));
  idle_.assign(static_cast<std::size_t>(n_), 0);
  work_.resize(n_);
  below_.resize(longest);
}

void SparseCholesky::find_places(const CsrMatrix& lower) {
  place_.resize(static_cast<std::size_t>(lower.nonZeros()));
  for (int r = 0; r < n_; ++r) {
    count_work(50.0 * (lower.outerIndexPtr()[r + 1] - lower.outerIndexPtr()[r]));
    for (int k = lower.outerIndexPtr()[r]; k < lower.outerIndexPtr()[r + 1]; ++k) {
      const int a = symbolic_.position[r];
      const int b = symbolic_.position[lower.innerIndexPtr()[k]];
      const int s = symbolic_.panel_of[std::min(a, b)];
      const Panel& panel = symbolic_.panels[s];
      const auto begin = symbolic_.rows.begin() + panel.row_start;
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
  count_work(static_cast<double>(values_.size()));
  for (int r = 0; r < n_; ++r) {
    const int begin = lower.outerIndexPtr()[r], end = lower.outerIndexPtr()[r + 1];
    for (int k = begin; k < end; ++k) values_[place_[k]] = lower.valuePtr()[k];
    count_work(4.0 * (end - begin));
  }
  for (int k = 0; k < n_; ++k) signs_[k] = signs.empty() ? 1 : signs[symbolic_.order[k]];

  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) {
    if (busy_[s] == 0) continue;
    const Panel& panel = symbolic_.panels[s];
    for (int k = 0; k < panel.rows; ++k) local_row_[symbolic_.rows[panel.row_start + k]] = k;
    for (const LeftLooking::Update& update : left_looking_.updates(s))
      if (busy_[update.descendant] > 0) subtract_descendant(s, update.descendant, update.begin, update.end);
    if (!factorize_panel(s)) return false;
  }
  return true;
}

// panel -= L_d S_d L_d' on the rows and columns of the panel.
void SparseCholesky::subtract_descendant(int s, int descendant, int begin, int end) {
  const Panel& panel = symbolic_.panels[s];
  const Panel& d = symbolic_.panels[descendant];
  double* values = values_.data() + value_start_[s];
  const int* rows = symbolic_.rows.data() + d.row_start;
  const double* l = values_.data() + value_start_[descendant];
  for (int column = begin; column < end; column += tile_columns) {
    const int columns = std::min(tile_columns, end - column);
    transpose_with_signs(l + column, d.rows, columns, d.width(), signs_.data() + d.first, transposed_.data());
    for (int row = column; row < d.rows; row += panel_tile_rows) {
      const int count = std::min(panel_tile_rows, d.rows - row);
      count_work(2.0 * count * columns * d.width());
      std::fill_n(tile_.begin(), static_cast<std::ptrdiff_t>(count) * columns, 0.0);
      for (int p = 0; p < d.width(); p += panel_tile_depth) {
        const int depth = std::min(panel_tile_depth, d.width() - p);
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

// Factorizes one panel by block columns, each subtracted from the columns to its right.
bool SparseCholesky::factorize_panel(int s) {
  const Panel& panel = symbolic_.panels[s];
  double* values = values_.data() + value_start_[s];
  const Index stride = panel.rows;
  const signed char* signs = signs_.data() + panel.first;
  for (int start = 0; start < panel.width(); start += panel_tile_depth) {
    const int width = std::min(panel_tile_depth, panel.width() - start);
    double* block = values + start + start * stride;  // the diagonal block's corner
    count_work(static_cast<double>(panel.rows - start) * width * width);

    // The diagonal block, column by column.
    for (int c = 0; c < width; ++c) {
      double* column = block + c * stride;
      for (int p = 0; p < c; ++p) {
        const double factor = signs[start + p] * block[c + p * stride];
        const double* left = block + p * stride;
        for (int i = c; i < width; ++i) column[i] -= factor * left[i];
      }
      double pivot = signs[start + c] * column[c];
      if (!(pivot > repair_.least)) {
        if (!(pivot > -repair_.rounding)) return false;
        pivot = repair_.pivot;
      }
      if (!std::isfinite(pivot)) return false;
      column[c] = std::sqrt(pivot);
      const double scale = signs[start + c] / column[c];
      for (int i = c + 1; i < width; ++i) column[i] *= scale;
    }

    // The rows below it: L21 = A21 L11^-T S.
    transpose_with_signs(block, stride, width, width, signs + start, transposed_.data());
    double scale[panel_tile_depth];
    for (int j = 0; j < width; ++j) scale[j] = signs[start + j] / block[j + j * stride];
    solve_panel(panel.rows - start - width, width, {transposed_.data(), width}, {block + width, stride},
                {scale, static_cast<std::size_t>(width)});

    // The columns to its right.
    for (int column = start + width; column < panel.width(); column += tile_columns) {
      const int columns = std::min(tile_columns, panel.width() - column);
      transpose_with_signs(values + column + start * stride, stride, columns, width, signs + start,
                           transposed_.data());
      for (int row = column; row < panel.rows; row += panel_tile_rows) {
        const int count = std::min(panel_tile_rows, panel.rows - row);
        count_work(2.0 * count * columns * width);
        subtract_product<double>(count, columns, width, {values + row + start * stride, stride},
                                 {transposed_.data(), width}, {values + row + column * stride, stride});
      }
    }
  }
  return true;
}

void SparseCholesky::solve(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[symbolic_.order[k]];
  forward();
  for (int k = 0; k < n_; ++k) work_[k] *= signs_[k];
  backward();
  for (int k = 0; k < n_; ++k) x[symbolic_.order[k]] = work_[k];
}

void SparseCholesky::solve_lower(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = x[symbolic_.order[k]];
  forward();
  x = work_.head(n_);
}

void SparseCholesky::solve_upper(VectorView x) const {
  assert(x.size() == n_);
  for (int k = 0; k < n_; ++k) work_[k] = signs_[k] * x[k];
  backward();
  for (int k = 0; k < n_; ++k) x[symbolic_.order[k]] = work_[k];
}

// work_ <- L^-1 work_
void SparseCholesky::forward() const {
  count_work(2.0 * static_cast<double>(values_.size()));
  for (std::size_t s = 0; s < symbolic_.panels.size(); ++s) {
    if (busy_[s] == 0) continue;
    const Panel& panel = symbolic_.panels[s];
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
    const int* rows = symbolic_.rows.data() + panel.row_start + width;
    for (int i = 0; i < below; ++i) work_[rows[i]] -= below_[i];
  }
}

// work_ <- L^-T work_
void SparseCholesky::backward() const {
  count_work(2.0 * static_cast<double>(values_.size()));
  for (std::size_t s = symbolic_.panels.size(); s-- > 0;) {
    if (busy_[s] == 0) continue;
    const Panel& panel = symbolic_.panels[s];
    const int width = panel.width();
    const int below = panel.rows - width;
    double* own = work_.data() + panel.first;
    const int* rows = symbolic_.rows.data() + panel.row_start + width;
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

}  // namespace slipstick::internal
