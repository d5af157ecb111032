// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/block_lu.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {
namespace {

constexpr int widest_panel = widest_block_panel;
constexpr int diagonal_columns = 24;  // of a diagonal block, eliminated one by one
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

// Products of at least this many columns and this depth copy their left factor to one place.
constexpr int least_packed_columns = 16, least_packed_depth = 16;
constexpr int least_direct_rows = 24;
constexpr int triangle_columns = 48;
constexpr int deep_tile_rows = 48;  // of a tile deeper than panel_tile_depth

}  // namespace

BlockLu::BlockLu(Ordering ordering) : ordering_(ordering) {
  check_available(ordering);
}

void BlockLu::analyze(std::span<const int> start, std::span<const int> columns,
                      std::span<const int> largest) {
  assert(start.size() == largest.size() + 1);
  if (pattern_.matches(start, columns) && std::ranges::equal(largest, largest_)) return;
  pattern_.clear();
  n_ = static_cast<int>(largest.size());
  largest_.assign(largest.begin(), largest.end());
  CsrMatrix pattern(n_, n_);
  pattern.resizeNonZeros(static_cast<Index>(columns.size()));
  std::copy(start.begin(), start.end(), pattern.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), columns.size(), 1.0);
  symbolic_.analyze(pattern, ordering_,
                    {.pays = lu_worth_merging, .widths = largest_, .widest = widest_panel});
  find_entries(start, columns);
  pattern_.set(start, columns);
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
  left_looking_.prepare(symbolic_);
  magnitude_.resize(n);
  definite_ = false;
  resize_with_looks(values_, static_cast<std::size_t>(lay_out(largest_)));
  widest_ = tallest_ = 0;
  for (const Layout& layout : layout_) {
    widest_ = std::max(widest_, layout.width);
    tallest_ = std::max(tallest_, layout.height);
  }
  swaps_.resize(static_cast<std::size_t>(rows()));
  divide();
  prepare_threads();
}

// The operations of a panel with the present sizes.
double BlockLu::panel_flops(int s) const {
  const double kinds = definite_ ? 1.0 : 2.0;  // L and U
  const Layout& layout = layout_[s];
  double flops = kinds * layout.width * layout.width * (layout.width / 3.0 + layout.below());
  for (const LeftLooking::Update& update : left_looking_.updates(s)) {
    const Layout& from = layout_[update.descendant];
    const int* offset = offsets(update.descendant);
    const double first = offset[update.begin], last = offset[update.end];
    flops +=
        2.0 * (last - first) * from.width * (from.height - first + (definite_ ? 0.0 : from.height - last));
  }
  return flops;
}

double BlockLu::flops() const {
  double sum = 0.0;
  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) sum += panel_flops(s);
  return sum;
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
    end = layout.upper + (definite_ ? 0 : static_cast<std::ptrdiff_t>(layout.width) * layout.below());
  }
  return end;
}

void BlockLu::begin(std::span<const int> sizes, bool definite) {
  assert(static_cast<int>(sizes.size()) == n_);
  definite_ = definite;
  parallel_for(lay_out(sizes), threads(), [&](std::ptrdiff_t first, std::ptrdiff_t last) {
    std::fill(values_.begin() + first, values_.begin() + last, 0.0);
  });
  std::fill(magnitude_.begin(), magnitude_.end(), 0.0);
}

void BlockLu::put(std::size_t k, const double* values) {
  const Entry& entry = entries_[k];
  const Layout& layout = layout_[entry.panel];
  const int* offset = offsets(entry.panel);
  const int row = offset[entry.row], column = offset[entry.column];
  const int rows = offset[entry.row + 1] - row, columns = offset[entry.column + 1] - column;
  if (entry.upper && definite_) return;
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

bool BlockLu::factorize() {
  for (Workspace& own : workspaces_) {
    own.sign = 1;
    own.perturbed = 0;
  }
  std::atomic<bool> failed = false;
  if (threads() == 1) {
    for (int s = 0; s < static_cast<int>(symbolic_.panels.size()) && !failed; ++s)
      failed = !factorize_panel(s, workspaces_.front());
  } else {
    ordered_tasks(task_after_, threads(), [&](int task, int thread) {
      if (failed.load(std::memory_order_relaxed)) return;
      if (!run(tasks_[static_cast<std::size_t>(task)], workspaces_[static_cast<std::size_t>(thread)]))
        failed = true;
    });
  }
  sign_ = 1;
  perturbed_ = 0;
  for (const Workspace& own : workspaces_) {
    sign_ *= own.sign;
    perturbed_ += own.perturbed;
  }
  return !failed;
}

bool BlockLu::factorize_panel(int s, Workspace& own) {
  const Panel& panel = symbolic_.panels[s];
  if (layout_[s].width == 0) return true;
  place_rows(s, own);
  subtract_updates(s, 0, panel.rows, own);
  if (!(definite_ ? factorize_definite_diagonal(s) : factorize_diagonal(s, own))) return false;
  factorize_below(s, panel.width(), panel.rows, own);
  return true;
}

void BlockLu::place_rows(int s, Workspace& own) const {
  const Panel& panel = symbolic_.panels[s];
  for (int k = 0; k < panel.rows; ++k) own.local_row[symbolic_.rows[panel.row_start + k]] = k;
}

// Subtracts the descendants from block rows [first, last) of a panel. Of a definite matrix only the lower
// triangle is needed, so the columns are taken in parts.
void BlockLu::subtract_updates(int s, int first, int last, Workspace& own) {
  for (const LeftLooking::Update& update : left_looking_.updates(s)) {
    const int* offset = offsets(update.descendant);
    for (int begin = update.begin; begin < update.end;) {
      int end = definite_ ? begin + 1 : update.end;
      while (end < update.end && offset[end + 1] - offset[begin] <= triangle_columns) ++end;
      subtract(s, {update.descendant, begin, end}, first, last, own);
      begin = end;
    }
  }
}

// panel -= L_d U_d on the columns of the panel, and on its block rows [first, last). L starts at its first
// row in the panel. U starts after its last row in the panel.
void BlockLu::subtract(int s, const LeftLooking::Update& update, int first, int last, Workspace& own) {
  const Panel& d = symbolic_.panels[update.descendant];
  const Layout& from = layout_[update.descendant];
  const Layout& to = layout_[s];
  const int* d_offset = offsets(update.descendant);
  const int begin = d_offset[update.begin], end = d_offset[update.end];
  if (begin == end || from.width == 0) return;
  const int* steps = symbolic_.rows.data() + d.row_start;
  const auto find = [&](int row, int from_row) {
    return static_cast<int>(std::partition_point(steps + from_row, steps + d.rows,
                                                 [&](int step) { return own.local_row[step] < row; }) -
                            steps);
  };
  const int k_first = first == 0 ? update.begin : find(first, update.begin);
  const int k_last = last == symbolic_.panels[s].rows ? d.rows : find(last, k_first);
  if (k_first == k_last) return;
  list_runs(s, update.descendant, update.begin, update.end, own, own.columns);
  list_runs(s, update.descendant, k_first, k_last, own, own.runs);

  const double* lower = values_.data() + from.lower;
  const double* upper = values_.data() + from.upper;
  const Index below = from.below();
  const int columns = end - begin, depth = from.width;
  count_work(2.0 * (d_offset[k_last] - d_offset[k_first]) * columns * depth);
  const auto pack_right = [&](const double* rows, Index stride, const auto& scale) {
    for (int p = 0; p < depth; ++p) {
      const double factor = scale(p);
      double* packed = own.right.data() + static_cast<std::ptrdiff_t>(p) * columns;
      for (int j = 0; j < columns; ++j) packed[j] = factor * rows[j + p * stride];
    }
  };
  if (definite_) {
    pack_right(lower + begin, from.height,
               [&](int p) { return lower[p + static_cast<Index>(p) * from.height]; });
  } else {
    pack_right(upper + (begin - from.width), below, [](int) { return 1.0; });
  }
  subtract_product_of({lower, from.height, depth, columns, values_.data() + to.lower, to.height}, own);
  const int k_upper = std::max(k_first, update.end);
  if (definite_ || k_upper >= k_last) return;
  pack_right(lower + begin, from.height, [](int) { return 1.0; });
  if (k_upper > k_first) list_runs(s, update.descendant, k_upper, k_last, own, own.runs);
  subtract_product_of(
      {upper - from.width, below, depth, columns, values_.data() + to.upper - to.width, to.below()}, own);
}

// Block rows [first, last) of a descendant that are neighbours in the panel, too.
void BlockLu::list_runs(int s, int descendant, int first, int last, const Workspace& own,
                        std::vector<Run>& runs) const {
  const int* steps = symbolic_.rows.data() + symbolic_.panels[descendant].row_start;
  const int *from = offsets(descendant), *to = offsets(s);
  runs.clear();
  for (int k = first; k < last; ++k) {
    const int size = from[k + 1] - from[k], target = to[own.local_row[steps[k]]];
    if (!runs.empty() && runs.back().target + runs.back().count == target) {
      runs.back().count += size;
    } else if (size > 0) {
      runs.push_back({from[k], target, size});
    }
  }
}

// values -= left right' on the rows of the runs, tile by tile. A long run needs no tile in between if the
// columns are one run, too. Every entry is one sum in both cases, so that it has the same bits.
void BlockLu::subtract_product_of(const Product& product, Workspace& own) {
  const int tile_rows = product.depth > panel_tile_depth ? deep_tile_rows : panel_tile_rows;
  const bool together = own.columns.size() == 1;
  const Run *run = own.runs.data(), *end = run + own.runs.size();
  int done = 0;  // rows of the present run
  while (run != end) {
    if (together && run->count - done >= least_direct_rows) {
      const int count = std::min(tile_rows, run->count - done);
      double* to = product.values + run->target + done + own.columns[0].target * product.stride;
      subtract_tile(product, run->first + done, count, {to, product.stride}, own);
      done += count;
    } else {
      const Run* first = run;
      const int row = run->first + done;
      int count = 0;
      while (run != end && count < tile_rows &&
             !(run != first && together && run->count >= least_direct_rows)) {
        const int more = std::min(tile_rows - count, run->count - done);
        count += more;
        done += more;
        if (done < run->count) break;
        ++run;
        done = 0;
      }
      std::fill_n(own.tile.begin(), static_cast<std::ptrdiff_t>(count) * product.columns, 0.0);
      subtract_tile(product, row, count, {own.tile.data(), count}, own);
      add_tile(product, row, count, {first, done > 0 ? run + 1 : run}, own);
    }
    if (run != end && done == run->count) {
      ++run;
      done = 0;
    }
  }
}

// to -= left right' on rows [row, row + count) of a descendant. Columns that are far from each other are on
// many pages of memory. They are brought together if they are used often.
void BlockLu::subtract_tile(const Product& product, int row, int count, Block<double> to, Workspace& own) {
  Block<const double> left{product.left + row, product.left_stride};
  if (product.columns >= least_packed_columns && product.depth >= least_packed_depth) {
    for (int p = 0; p < product.depth; ++p)
      std::copy_n(left.column(p), count, own.left.data() + static_cast<Index>(p) * count);
    left = {own.left.data(), count};
  }
  subtract_product(count, product.columns, product.depth, left, {own.right.data(), product.columns}, to);
}

// Adds a tile of rows [row, row + count) of a descendant, which are in these runs.
void BlockLu::add_tile(const Product& product, int row, int count, std::span<const Run> runs,
                       const Workspace& own) {
  const double* tile = own.tile.data();
  for (const Run& run : own.columns) {
    for (int j = 0; j < run.count; ++j) {
      double* column = product.values + (run.target + j) * product.stride;
      for (const Run& part : runs) {
        const int first = std::max(0, row - part.first),
                  last = std::min(part.count, row + count - part.first);
        double* to = column + part.target;
        for (int i = first; i < last; ++i) to[i] += *tile++;
      }
    }
  }
}

// P A11 = L11 U11, a few columns at a time.
bool BlockLu::factorize_diagonal(int s, Workspace& own) {
  const Panel& panel = symbolic_.panels[s];
  const Layout& layout = layout_[s];
  const int width = layout.width;
  const Index stride = layout.height;
  double* a = values_.data() + layout.lower;
  int* swaps = swaps_.data() + step_row_[panel.first];
  int step = panel.first;
  for (int first = 0; first < width; first += diagonal_columns) {
    const int last = std::min(first + diagonal_columns, width);
    for (int c = first; c < last; ++c) {
      while (step_row_[step + 1] - step_row_[panel.first] <= c) ++step;
      double* column = a + c * stride;
      int best = c;
      for (int i = c + 1; i < width; ++i)
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
      swaps[c] = best;
      if (best != c) {
        for (int j = 0; j < width; ++j) std::swap(a[c + j * stride], a[best + j * stride]);
        own.sign = -own.sign;
      }
      const double magnitude = magnitude_[step] > 0.0 ? magnitude_[step] : 1.0;
      if (!std::isfinite(column[c])) return false;
      if (std::abs(column[c]) <= rounding_pivot * magnitude) {
        column[c] = std::copysign(replacing_pivot * magnitude, column[c]);
        ++own.perturbed;
      }
      if (column[c] < 0.0) own.sign = -own.sign;
      const double inverse = 1.0 / column[c];
      for (int i = c + 1; i < width; ++i) column[i] *= inverse;
      for (int j = c + 1; j < last; ++j) {
        double* right = a + j * stride;
        const double factor = right[c];
        for (int i = c + 1; i < width; ++i) right[i] -= factor * column[i];
      }
    }
    // The columns to the right of these.
    for (int j = last; j < width; ++j) {
      double* right = a + j * stride;
      for (int c = first; c < last; ++c)
        for (int i = c + 1; i < last; ++i) right[i] -= right[c] * a[i + c * stride];
    }
    subtract_product<double>(width - last, width - last, last - first, {a + last + first * stride, stride},
                             {a + first + last * stride, stride}, {a + last + last * stride, stride});
  }
  return true;
}

// A11 = L11 U11 without exchanges, a few columns at a time. Only the lower triangle of A11 is read.
bool BlockLu::factorize_definite_diagonal(int s) {
  const Layout& layout = layout_[s];
  const int width = layout.width;
  const Index stride = layout.height;
  double* a = values_.data() + layout.lower;
  int* swaps = swaps_.data() + step_row_[symbolic_.panels[s].first];
  for (int first = 0; first < width; first += diagonal_columns) {
    const int last = std::min(first + diagonal_columns, width);
    for (int c = first; c < last; ++c) {
      double* column = a + c * stride;
      swaps[c] = c;
      if (!(column[c] > 0.0 && std::isfinite(column[c]))) return false;
      const double inverse = 1.0 / column[c];
      for (int j = c + 1; j < width; ++j) {
        const double value = a[c + j * stride] = column[j];  // U11
        column[j] = value * inverse;
      }
      for (int j = c + 1; j < last; ++j) {
        double* right = a + j * stride;
        const double factor = right[c];
        for (int i = j; i < width; ++i) right[i] -= factor * column[i];
      }
    }
    // The lower triangle of the columns to the right of these.
    for (int j = last; j < width; j += diagonal_columns) {
      const int columns = std::min(diagonal_columns, width - j);
      subtract_product<double>(width - j, columns, last - first, {a + j + first * stride, stride},
                               {a + first + j * stride, stride}, {a + j + j * stride, stride});
    }
  }
  return true;
}

// L21 = A21 U11^-1 and U12' = (P A12)' L11^-T, on block rows [first, last).
void BlockLu::factorize_below(int s, int first, int last, Workspace& own) {
  const Layout& layout = layout_[s];
  const int* offset = offsets(s);
  const int row = offset[first] - layout.width, count = offset[last] - offset[first];
  if (count == 0) return;
  const int width = layout.width, below = layout.below();
  const Index stride = layout.height;
  const double* diagonal = values_.data() + layout.lower;
  double inverse[widest_panel];
  for (int j = 0; j < width; ++j) inverse[j] = 1.0 / diagonal[j + j * stride];
  solve_panel(count, width, {diagonal, stride}, {values_.data() + layout.lower + offset[first], stride},
              {inverse, static_cast<std::size_t>(width)});
  if (definite_) return;
  exchange_columns(s, row, count);
  for (int j = 0; j < width; ++j)
    for (int p = 0; p < j; ++p)
      own.diagonal[p + static_cast<std::size_t>(j) * width] = diagonal[j + p * stride];
  solve_panel(count, width, {own.diagonal.data(), width}, {values_.data() + layout.upper + row, below}, {});
}

// Applies the row exchanges of the diagonal block to columns of A12. They are rows of U'.
void BlockLu::exchange_columns(int s, int first, int count) {
  const Layout& layout = layout_[s];
  const int below = layout.below();
  const int* swaps = swaps_.data() + step_row_[symbolic_.panels[s].first];
  double* upper = values_.data() + layout.upper + first;
  for (int c = 0; c < layout.width; ++c) {
    if (swaps[c] == c) continue;
    double* a = upper + static_cast<std::ptrdiff_t>(c) * below;
    std::swap_ranges(a, a + count, upper + static_cast<std::ptrdiff_t>(swaps[c]) * below);
  }
}

}  // namespace slipstick::internal
