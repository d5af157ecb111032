// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/block_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick {
namespace {

constexpr int widest_panel = 48;  // rows of a diagonal block, eliminated one by one
constexpr int lu_tile_rows = 72;  // of a product: with widest_panel columns they stay in the first cache
constexpr int lu_small_step = 8;  // columns of a triangular solve that are eliminated one by one
// Of the diagonal block's largest entry: pivots below are rounding, and what replaces them.
constexpr double rounding_pivot = 1e-14;
constexpr double replacing_pivot = 1e-10;

// Whether two panels become one although that stores `zeros` of `entries` for nothing.
bool lu_worth_merging(int width, double zeros, double entries) {
  if (zeros == 0.0) return true;
  const double share = zeros / entries;
  return width <= 6 ? share < 0.4 : width <= 16 ? share < 0.2 : share < 0.05;
}

// C -= A B for few columns, B in either storage.
template <class Right>
void subtract_few(Index rows, int columns, Index depth, Block<const double> a, const Right& b,
                  Block<double> c) {
  switch (columns) {
    case 3:
      detail::subtract_columns<3, double>(rows, depth, a, b, c);
      break;
    case 2:
      detail::subtract_columns<2, double>(rows, depth, a, b, c);
      break;
    case 1:
      detail::subtract_columns<1, double>(rows, depth, a, b, c);
      break;
    default:
      break;
  }
}

// C -= A B, like subtract_product, without columns one by one.
void subtract_block(Index rows, int columns, Index depth, Block<const double> a, Block<const double> b,
                    Block<double> c) {
  const int fours = columns / 4 * 4;
  subtract_product<double>(rows, fours, depth, a, b, c);
  subtract_few(rows, columns - fours, depth, a, Block<const double>{b.column(fours), b.stride},
               {c.column(fours), c.stride});
}

// C -= A B', B columns x depth.
void subtract_outer(Index rows, int columns, int depth, Block<const double> a, Block<const double> b,
                    Block<double> c, double* scratch) {
  if (columns >= 8 && depth >= 8) {
    for (int j = 0; j < columns; ++j)
      for (int p = 0; p < depth; ++p) scratch[p + static_cast<Index>(j) * depth] = b(j, p);
    subtract_block(rows, columns, depth, a, {scratch, depth}, c);
    return;
  }
  int j = 0;
  for (; j + 4 <= columns; j += 4) {
    detail::subtract_columns<4, double>(rows, depth, a, TransposedBlock<const double>{b.data + j, b.stride},
                                        {c.column(j), c.stride});
  }
  subtract_few(rows, columns - j, depth, a, TransposedBlock<const double>{b.data + j, b.stride},
               {c.column(j), c.stride});
}

}  // namespace

void BlockLu::analyze(std::span<const int> start, std::span<const int> columns,
                      std::span<const int> largest) {
  assert(start.size() == largest.size() + 1);
  if (same_pattern(start, columns, largest)) return;
  n_ = static_cast<int>(largest.size());
  pattern_start_.assign(start.begin(), start.end());
  pattern_columns_.assign(columns.begin(), columns.end());
  largest_.assign(largest.begin(), largest.end());
  CsrMatrix pattern(n_, n_);
  pattern.resizeNonZeros(static_cast<Index>(columns.size()));
  std::copy(start.begin(), start.end(), pattern.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), columns.size(), 1.0);
  symbolic_.analyze(pattern, Ordering::amd,
                    {.pays = lu_worth_merging, .widths = largest_, .widest = widest_panel});
  find_entries(start, columns);
}

bool BlockLu::same_pattern(std::span<const int> start, std::span<const int> columns,
                           std::span<const int> largest) const {
  return std::ranges::equal(start, pattern_start_) && std::ranges::equal(columns, pattern_columns_) &&
         std::ranges::equal(largest, largest_);
}

// Where the entries go, and storage for the largest sizes.
void BlockLu::find_entries(std::span<const int> start, std::span<const int> columns) {
  entries_.resize(columns.size());
  for (int i = 0; i < n_; ++i) {
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int row = symbolic_.position[i], column = symbolic_.position[columns[k]];
      const int s = symbolic_.panel_of[std::min(row, column)];
      const Panel& panel = symbolic_.panels[s];
      const auto begin = symbolic_.rows.begin() + panel.row_start;
      const auto place = [&](int step) {
        return static_cast<int>(std::lower_bound(begin, begin + panel.rows, step) - begin);
      };
      const bool upper = column >= panel.last;
      entries_[k] = {s, place(upper ? column : row), place(upper ? row : column), upper};
    }
  }
  const auto n = static_cast<std::size_t>(n_);
  size_.resize(n);
  offset_.assign(n + 1, 0);
  step_size_.resize(n);
  step_row_.assign(n + 1, 0);
  row_offset_.resize(symbolic_.rows.size() + symbolic_.panels.size());
  layout_.resize(symbolic_.panels.size());
  for (std::vector<int>* list : {&list_head_, &list_next_, &next_row_}) list->resize(symbolic_.panels.size());
  magnitude_.resize(n);
  local_row_.resize(n);
  values_.resize(static_cast<std::size_t>(lay_out(largest_)));
  int tallest = 0;
  for (const Layout& layout : layout_) tallest = std::max(tallest, layout.height);
  target_.resize(static_cast<std::size_t>(tallest));
  swaps_.resize(static_cast<std::size_t>(rows()));
  tile_.resize(static_cast<std::size_t>(lu_tile_rows) * widest_panel);
  transposed_.resize(static_cast<std::size_t>(widest_panel) * widest_panel);
  work_.resize(rows());
  below_.resize(tallest);
}

// Offsets for the sizes; returns the number of values.
std::ptrdiff_t BlockLu::lay_out(std::span<const int> sizes) {
  for (int i = 0; i < n_; ++i) {
    assert(sizes[i] >= 0 && sizes[i] <= largest_[i]);
    size_[i] = sizes[i];
    offset_[i + 1] = offset_[i] + sizes[i];
  }
  for (int k = 0; k < n_; ++k) {
    step_size_[k] = size_[symbolic_.order[k]];
    step_row_[k + 1] = step_row_[k] + step_size_[k];
  }
  std::ptrdiff_t end = 0;
  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) {
    const Panel& panel = symbolic_.panels[s];
    int* offset = row_offset_.data() + panel.row_start + s;
    const int* rows = symbolic_.rows.data() + panel.row_start;
    offset[0] = 0;
    for (int k = 0; k < panel.rows; ++k) offset[k + 1] = offset[k] + step_size_[rows[k]];
    Layout& layout = layout_[s];
    layout.width = offset[panel.width()];
    layout.height = offset[panel.rows];
    layout.lower = end;
    layout.upper = end + static_cast<std::ptrdiff_t>(layout.width) * layout.height;
    end = layout.upper + static_cast<std::ptrdiff_t>(layout.width) * layout.below();
  }
  return end;
}

void BlockLu::begin(std::span<const int> sizes) {
  assert(static_cast<int>(sizes.size()) == n_);
  std::fill_n(values_.begin(), lay_out(sizes), 0.0);
  std::fill(magnitude_.begin(), magnitude_.end(), 0.0);
}

void BlockLu::put(std::size_t k, const double* values) {
  const Entry& entry = entries_[k];
  const Layout& layout = layout_[entry.panel];
  const int* offset = offsets(entry.panel);
  const int row = offset[entry.row], column = offset[entry.column];
  const int rows = offset[entry.row + 1] - row, columns = offset[entry.column + 1] - column;
  if (entry.upper) {  // the transpose, so that these are the block's columns and rows
    double* to = values_.data() + layout.upper + (row - layout.width) +
                 static_cast<std::ptrdiff_t>(column) * layout.below();
    for (int a = 0; a < columns; ++a)
      for (int c = 0; c < rows; ++c)
        to[c + static_cast<std::ptrdiff_t>(a) * layout.below()] = values[rows * a + c];
    return;
  }
  double* to = values_.data() + layout.lower + row + static_cast<std::ptrdiff_t>(column) * layout.height;
  for (int a = 0; a < rows; ++a)
    for (int c = 0; c < columns; ++c)
      to[a + static_cast<std::ptrdiff_t>(c) * layout.height] = values[columns * a + c];
  if (entry.row != entry.column) return;
  double& magnitude = magnitude_[symbolic_.panels[entry.panel].first + entry.row];
  for (int a = 0; a < rows * columns; ++a) magnitude = std::max(magnitude, std::abs(values[a]));
}

bool BlockLu::factorize() {
  sign_ = 1;
  perturbed_ = 0;
  flops_ = 0.0;
  std::fill(list_head_.begin(), list_head_.end(), -1);
  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) {
    const Panel& panel = symbolic_.panels[s];
    const Layout& layout = layout_[s];
    for (int k = 0; k < panel.rows; ++k) local_row_[symbolic_.rows[panel.row_start + k]] = k;
    for (int d = list_head_[s]; d >= 0;) {
      const int next = list_next_[d];
      const int end = rows_within(panel, d);
      subtract_descendant(s, d, end);
      link(d, end);
      d = next;
    }
    if (layout.width == 0) continue;
    if (!factorize_diagonal(s)) return false;
    factorize_below(s);
    flops_ += 2.0 * layout.width * layout.width * (layout.width / 3.0 + layout.below());
    link(s, panel.width());
  }
  return true;
}

// Puts a panel on the list of the one that owns its block row at `position`.
void BlockLu::link(int panel, int position) {
  next_row_[panel] = position;
  if (position >= symbolic_.panels[panel].rows) return;
  const int owner = symbolic_.panel_of[symbolic_.rows[symbolic_.panels[panel].row_start + position]];
  list_next_[panel] = list_head_[owner];
  list_head_[owner] = panel;
}

// The end of the descendant's block rows that are steps of the panel.
int BlockLu::rows_within(const Panel& panel, int descendant) const {
  const Panel& d = symbolic_.panels[descendant];
  int end = next_row_[descendant];
  while (end < d.rows && symbolic_.rows[d.row_start + end] < panel.last) ++end;
  return end;
}

// panel -= L_d U_d on the rows and columns of the panel: of L all rows from the first one in the panel on, of
// U those behind it.
void BlockLu::subtract_descendant(int panel, int descendant, int end) {
  const Panel& d = symbolic_.panels[descendant];
  const Layout& from = layout_[descendant];
  const Layout& to = layout_[panel];
  const int* d_offset = offsets(descendant);
  const int begin = next_row_[descendant];
  const int first = d_offset[begin], last = d_offset[end];
  const int columns = last - first;
  if (columns == 0) return;
  const int* offset = offsets(panel);
  int* target = target_.data();
  for (int k = begin; k < d.rows; ++k) {
    const int row = offset[local_row_[symbolic_.rows[d.row_start + k]]];
    for (int c = 0; c < d_offset[k + 1] - d_offset[k]; ++c) *target++ = row + c;
  }

  const double* lower = values_.data() + from.lower;
  const double* upper = values_.data() + from.upper;
  const Index below = from.below();
  const auto subtract = [&](int row_begin, Block<const double> left, Block<const double> right,
                            double* values, int stride, int skipped) {
    for (int row = row_begin; row < from.height; row += lu_tile_rows) {
      const int count = std::min(lu_tile_rows, from.height - row);
      std::fill_n(tile_.begin(), static_cast<std::ptrdiff_t>(count) * columns, 0.0);
      subtract_outer(count, columns, from.width, {left.data + row, left.stride}, right, {tile_.data(), count},
                     transposed_.data());
      const int* rows = target_.data() + (row - first);
      for (int j = 0; j < columns; ++j) {
        double* column = values + static_cast<std::ptrdiff_t>(target_[j]) * stride - skipped;
        const double* tile = tile_.data() + static_cast<std::ptrdiff_t>(j) * count;
        for (int i = 0; i < count; ++i) column[rows[i]] += tile[i];
      }
    }
    flops_ += 2.0 * (from.height - row_begin) * columns * from.width;
  };
  subtract(first, {lower, from.height}, {upper + (first - from.width), below}, values_.data() + to.lower,
           to.height, 0);
  subtract(last, {upper - from.width, below}, {lower + first, from.height}, values_.data() + to.upper,
           to.below(), to.width);
}

// P A11 = L11 U11, column by column.
bool BlockLu::factorize_diagonal(int s) {
  const Panel& panel = symbolic_.panels[s];
  const Layout& layout = layout_[s];
  const int width = layout.width;
  const Index stride = layout.height;
  double* a = values_.data() + layout.lower;
  int* swaps = swaps_.data() + step_row_[panel.first];
  int step = panel.first;
  for (int c = 0; c < width; ++c) {
    while (step_row_[step + 1] - step_row_[panel.first] <= c) ++step;
    double* column = a + c * stride;
    int best = c;
    for (int i = c + 1; i < width; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    swaps[c] = best;
    if (best != c) {
      for (int j = 0; j < width; ++j) std::swap(a[c + j * stride], a[best + j * stride]);
      sign_ = -sign_;
    }
    const double magnitude = magnitude_[step] > 0.0 ? magnitude_[step] : 1.0;
    if (!std::isfinite(column[c])) return false;
    if (std::abs(column[c]) <= rounding_pivot * magnitude) {
      column[c] = std::copysign(replacing_pivot * magnitude, column[c]);
      ++perturbed_;
    }
    if (column[c] < 0.0) sign_ = -sign_;
    const double inverse = 1.0 / column[c];
    for (int i = c + 1; i < width; ++i) column[i] *= inverse;
    for (int j = c + 1; j < width; ++j) {
      double* right = a + j * stride;
      const double factor = right[c];
      for (int i = c + 1; i < width; ++i) right[i] -= factor * column[i];
    }
  }
  return true;
}

// L21 = A21 U11^-1 and U12' = (P A12)' L11^-T, tile by tile.
void BlockLu::factorize_below(int s) {
  const Layout& layout = layout_[s];
  const int below = layout.below();
  if (below == 0) return;
  const int width = layout.width;
  const Index stride = layout.height;
  const double* diagonal = values_.data() + layout.lower;
  exchange_columns(s);
  const auto eliminate = [&](double* values, Index values_stride, Block<const double> factor, bool divide) {
    for (int row = 0; row < below; row += lu_tile_rows) {
      const int count = std::min(lu_tile_rows, below - row);
      double* tile = values + row;
      for (int c = 0; c < width; c += lu_small_step) {
        const int columns = std::min(lu_small_step, width - c);
        if (c > 0) {
          subtract_block(count, columns, c, {tile, values_stride}, {factor.column(c), factor.stride},
                         {tile + c * values_stride, values_stride});
        }
        for (int j = c; j < c + columns; ++j) {
          double* column = tile + j * values_stride;
          for (int p = c; p < j; ++p) {
            const double f = factor(p, j);
            const double* left = tile + p * values_stride;
            for (int i = 0; i < count; ++i) column[i] -= f * left[i];
          }
          if (!divide) continue;
          const double inverse = 1.0 / diagonal[j + j * stride];
          for (int i = 0; i < count; ++i) column[i] *= inverse;
        }
      }
    }
  };
  eliminate(values_.data() + layout.lower + width, stride, {diagonal, stride}, true);
  for (int j = 0; j < width; ++j)
    for (int p = 0; p < j; ++p) transposed_[p + j * width] = diagonal[j + p * stride];
  eliminate(values_.data() + layout.upper, below, {transposed_.data(), width}, false);
}

// The exchanges of the diagonal block in the rows of A12, which are columns of U'.
void BlockLu::exchange_columns(int s) {
  const Layout& layout = layout_[s];
  const int below = layout.below();
  const int* swaps = swaps_.data() + step_row_[symbolic_.panels[s].first];
  double* upper = values_.data() + layout.upper;
  for (int c = 0; c < layout.width; ++c) {
    if (swaps[c] == c) continue;
    double* a = upper + static_cast<std::ptrdiff_t>(c) * below;
    std::swap_ranges(a, a + below, upper + static_cast<std::ptrdiff_t>(swaps[c]) * below);
  }
}

void BlockLu::solve(VectorView x) const {
  assert(x.size() == rows());
  for (int k = 0; k < n_; ++k) {
    const double* from = x.data() + offset_[symbolic_.order[k]];
    std::copy_n(from, step_size_[k], work_.data() + step_row_[k]);
  }
  forward();
  backward();
  for (int k = 0; k < n_; ++k)
    std::copy_n(work_.data() + step_row_[k], step_size_[k], x.data() + offset_[symbolic_.order[k]]);
}

// work_ <- L^-1 P work_
void BlockLu::forward() const {
  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) {
    const Panel& panel = symbolic_.panels[s];
    const Layout& layout = layout_[s];
    const int width = layout.width, below = layout.below();
    if (width == 0) continue;
    double* own = work_.data() + step_row_[panel.first];
    const int* swaps = swaps_.data() + step_row_[panel.first];
    for (int c = 0; c < width; ++c) std::swap(own[c], own[swaps[c]]);
    std::fill_n(below_.data(), below, 0.0);
    const double* column = values_.data() + layout.lower;
    for (int c = 0; c < width; ++c, column += layout.height) {
      const double y = own[c];
      for (int i = c + 1; i < width; ++i) own[i] -= y * column[i];
      for (int i = 0; i < below; ++i) below_[i] += y * column[width + i];
    }
    const double* from = below_.data();
    for (int k = panel.width(); k < panel.rows; ++k) {
      const int step = symbolic_.rows[panel.row_start + k];
      double* to = work_.data() + step_row_[step];
      for (int c = 0; c < step_size_[step]; ++c) to[c] -= *from++;
    }
  }
}

// work_ <- U^-1 work_
void BlockLu::backward() const {
  for (int s = static_cast<int>(symbolic_.panels.size()); s-- > 0;) {
    const Panel& panel = symbolic_.panels[s];
    const Layout& layout = layout_[s];
    const int width = layout.width, below = layout.below();
    if (width == 0) continue;
    double* own = work_.data() + step_row_[panel.first];
    double* gathered = below_.data();
    for (int k = panel.width(); k < panel.rows; ++k) {
      const int step = symbolic_.rows[panel.row_start + k];
      gathered = std::copy_n(work_.data() + step_row_[step], step_size_[step], gathered);
    }
    const double* diagonal = values_.data() + layout.lower;
    const double* upper = values_.data() + layout.upper;
    for (int c = 0; c < width; ++c, upper += below)
      own[c] -= Eigen::Map<const Vector>(upper, below).dot(below_.head(below));
    for (int c = width - 1; c >= 0; --c) {
      const double* column = diagonal + static_cast<std::ptrdiff_t>(c) * layout.height;
      const double y = own[c] /= column[c];
      for (int i = 0; i < c; ++i) own[i] -= y * column[i];
    }
  }
}

}  // namespace slipstick
