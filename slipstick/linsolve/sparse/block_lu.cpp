// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/block_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr int widest_panel = panel_tile_depth;  // rows of a diagonal block, eliminated one by one
// Both are relative to the largest entry of the diagonal block. A pivot below the first is rounding error.
// The second replaces it.
constexpr double rounding_pivot = 1e-14;
constexpr double replacing_pivot = 1e-10;

// True if two panels become one, although `zeros` of `entries` are then stored needlessly.
bool lu_worth_merging(int width, double zeros, double entries) {
  if (zeros == 0.0) return true;
  const double share = zeros / entries;
  return width <= 6 ? share < 0.4 : width <= 16 ? share < 0.2 : share < 0.05;
}

// C -= A B', B columns x depth.
void subtract_outer(Index rows, int columns, int depth, Block<const double> a, Block<const double> b,
                    Block<double> c, double* scratch) {
  if (columns >= 8 && depth >= 8) {
    for (int j = 0; j < columns; ++j)
      for (int p = 0; p < depth; ++p) scratch[p + static_cast<Index>(j) * depth] = b(j, p);
    subtract_product<double>(rows, columns, depth, a, {scratch, depth}, c);
    return;
  }
  int j = 0;
  for (; j + 4 <= columns; j += 4) {
    detail::subtract_columns<4, double>(rows, depth, a, TransposedBlock<const double>{b.data + j, b.stride},
                                        {c.column(j), c.stride});
  }
  detail::subtract_few<double>(rows, columns - j, depth, a,
                               TransposedBlock<const double>{b.data + j, b.stride}, {c.column(j), c.stride});
}

}  // namespace

BlockLu::BlockLu(Ordering ordering) : ordering_(ordering) {
  check_available(ordering);
}

void BlockLu::analyze(std::span<const int> start, std::span<const int> columns,
                      std::span<const int> largest) {
  assert(start.size() == largest.size() + 1);
  if (pattern_.matches(start, columns) && std::ranges::equal(largest, largest_)) return;
  n_ = static_cast<int>(largest.size());
  pattern_.set(start, columns);
  largest_.assign(largest.begin(), largest.end());
  CsrMatrix pattern(n_, n_);
  pattern.resizeNonZeros(static_cast<Index>(columns.size()));
  std::copy(start.begin(), start.end(), pattern.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), columns.size(), 1.0);
  symbolic_.analyze(pattern, ordering_,
                    {.pays = lu_worth_merging, .widths = largest_, .widest = widest_panel});
  find_entries(start, columns);
}

// Finds the target of each entry, and allocates for the largest sizes.
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
  left_looking_.resize(symbolic_);
  magnitude_.resize(n);
  values_.resize(static_cast<std::size_t>(lay_out(largest_)));
  int tallest = 0;
  for (const Layout& layout : layout_) tallest = std::max(tallest, layout.height);
  target_.resize(static_cast<std::size_t>(tallest));
  swaps_.resize(static_cast<std::size_t>(rows()));
  tile_.resize(static_cast<std::size_t>(panel_tile_rows) * widest_panel);
  transposed_.resize(static_cast<std::size_t>(widest_panel) * widest_panel);
  work_.resize(rows());
  below_.resize(tallest);
}

// Computes the offsets for the sizes and returns the number of values.
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
  if (entry.upper) {  // the transposed block: its rows become columns
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

bool BlockLu::factorize(bool definite) {
  sign_ = 1;
  perturbed_ = 0;
  definite_ = definite;
  flops_ = 0.0;
  return left_looking_.factorize(
      symbolic_, [&](int s, int d, int begin, int end) { subtract_descendant(s, d, begin, end); },
      [&](int s) {
        const Layout& layout = layout_[s];
        if (layout.width == 0) return LeftLooking::Panel::empty;
        if (!(definite_ ? factorize_definite_diagonal(s) : factorize_diagonal(s)))
          return LeftLooking::Panel::failed;
        factorize_below(s);
        flops_ += 2.0 * layout.width * layout.width * (layout.width / 3.0 + layout.below());
        return LeftLooking::Panel::done;
      });
}

// panel -= L_d U_d on the rows and columns of the panel. L starts at its first row in the panel. U starts
// after its last row in the panel.
void BlockLu::subtract_descendant(int panel, int descendant, int begin, int end) {
  const Panel& d = symbolic_.panels[descendant];
  const Layout& from = layout_[descendant];
  const Layout& to = layout_[panel];
  const int* d_offset = offsets(descendant);
  const int first = d_offset[begin], last = d_offset[end];
  const int columns = last - first;
  if (columns == 0) return;
  const int* offset = offsets(panel);
  int* target = target_.data();
  for (int k = begin; k < d.rows; ++k) {
    const int row = offset[left_looking_.local_row(symbolic_.rows[d.row_start + k])];
    for (int c = 0; c < d_offset[k + 1] - d_offset[k]; ++c) *target++ = row + c;
  }

  const double* lower = values_.data() + from.lower;
  const double* upper = values_.data() + from.upper;
  const Index below = from.below();
  const auto subtract = [&](int row_begin, Block<const double> left, Block<const double> right,
                            double* values, int stride, int skipped) {
    for (int row = row_begin; row < from.height; row += panel_tile_rows) {
      const int count = std::min(panel_tile_rows, from.height - row);
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
  if (definite_) return;
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

// A11 = L11 U11 without exchanges. Only the lower triangle of A11 is read.
bool BlockLu::factorize_definite_diagonal(int s) {
  const Layout& layout = layout_[s];
  const int width = layout.width;
  const Index stride = layout.height;
  double* a = values_.data() + layout.lower;
  int* swaps = swaps_.data() + step_row_[symbolic_.panels[s].first];
  for (int c = 0; c < width; ++c) {
    double* column = a + c * stride;
    swaps[c] = c;
    if (!(column[c] > 0.0 && std::isfinite(column[c]))) return false;
    const double inverse = 1.0 / column[c];
    for (int j = c + 1; j < width; ++j) {
      double* right = a + j * stride;
      const double factor = column[j] * inverse;
      right[c] = column[j];  // U11
      for (int i = j; i < width; ++i) right[i] -= factor * column[i];
    }
    for (int i = c + 1; i < width; ++i) column[i] *= inverse;
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
  if (!definite_) exchange_columns(s);
  double inverse[widest_panel];
  for (int j = 0; j < width; ++j) inverse[j] = 1.0 / diagonal[j + j * stride];
  solve_panel(below, width, {diagonal, stride}, {values_.data() + layout.lower + width, stride},
              {inverse, static_cast<std::size_t>(width)});
  if (definite_) {
    for (int j = 0; j < width; ++j) {
      const double* from = values_.data() + layout.lower + width + j * stride;
      double* to = values_.data() + layout.upper + static_cast<std::ptrdiff_t>(j) * below;
      for (int i = 0; i < below; ++i) to[i] = diagonal[j + j * stride] * from[i];
    }
    return;
  }
  for (int j = 0; j < width; ++j)
    for (int p = 0; p < j; ++p) transposed_[p + j * width] = diagonal[j + p * stride];
  solve_panel(below, width, {transposed_.data(), width}, {values_.data() + layout.upper, below}, {});
}

// Applies the row exchanges of the diagonal block to A12, whose rows are columns of U'.
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

}  // namespace slipstick::internal
