// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sparse_rows.hpp"

#include <algorithm>
#include <limits>

namespace slipstick::internal {

void SparseRows::set(const CsrView& matrix) {
  constexpr Index width = SparseArrays::slice_rows;
  constexpr Index most_growth = 2;
  rows_ = static_cast<int>(matrix.rows);
  const Index entries = matrix.rows > 0 ? matrix.start[matrix.rows] : 0;
  start_.assign(1, 0);
  Index length = 0;
  for (Index first = 0; first < matrix.rows; first += width) {
    int longest = 0;
    for (Index row = first; row < std::min(first + width, matrix.rows); ++row)
      longest = std::max(longest, matrix.start[row + 1] - matrix.start[row]);
    length += longest;
    start_.push_back(static_cast<int>(std::min<Index>(length, std::numeric_limits<int>::max())));
  }
  sliced_ = width * length <= most_growth * entries + 64 * width &&
            width * length <= std::numeric_limits<int>::max();
  if (!sliced_) {
    start_.assign(matrix.start, matrix.start + matrix.rows + 1);
    columns_.assign(matrix.column, matrix.column + entries);
    values_.assign(matrix.value, matrix.value + entries);
    return;
  }
  columns_.assign(static_cast<std::size_t>(width * length), 0);
  values_.assign(columns_.size(), 0.0);
  for (Index row = 0; row < matrix.rows; ++row) {
    const auto slice = static_cast<std::size_t>(row / width);
    const Index lane = row % width, last = start_[slice + 1];
    Index at = width * start_[slice] + lane;
    for (int k = matrix.start[row]; k < matrix.start[row + 1]; ++k, at += width) {
      columns_[static_cast<std::size_t>(at)] = matrix.column[k];
      values_[static_cast<std::size_t>(at)] = matrix.value[k];
    }
    for (; at < width * last; at += width) columns_[static_cast<std::size_t>(at)] = static_cast<int>(row);
  }
}

}  // namespace slipstick::internal
