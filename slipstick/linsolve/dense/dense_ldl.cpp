// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_ldl.hpp"

#include <algorithm>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {
namespace {

constexpr Index ldl_panel_width = 32;  // a multiple of pack_size
// Columns that are updated together. The wasted work above the diagonal grows with this number.
constexpr Index strip_width = 24;

Index whole_packs(Index rows) {
  return (rows + pack_size - 1) / pack_size * pack_size;
}

}  // namespace

void DenseLdl::reserve(Index size) {
  valid_ = 0;
  const Index stride = whole_packs(size + 1);
  if (stride <= stride_) return;
  stride_ = stride;
  entries_.resize(static_cast<std::size_t>(stride * stride));
  for (auto* vector : {&inverse_, &solution_}) vector->resize(static_cast<std::size_t>(stride));
}

Index DenseLdl::resize(Index size, Index kept) {
  if (size >= stride_) reserve(size);
  size_ = size;
  rows_ = whole_packs(size + 1);
  return first_ = std::min(kept, valid_) / pack_size * pack_size;
}

const double* DenseLdl::solve(double smallest) {
  valid_ = 0;
  for (Index j = first_; j < size_; ++j) inverse_[static_cast<std::size_t>(j)] = smallest * column(j)[j];
  for (Index i = size_ + 1; i < rows_; ++i)
    for (Index j = 0; j < size_; ++j) column(j)[i] = 0.0;
  for (Index start = 0; start < size_; start += ldl_panel_width) {
    const Index end = std::min(size_, start + ldl_panel_width);
    for (Index j = start; j < end; j += pack_size) {
      const Index row = std::max(j, first_);
      detail::subtract_columns<pack_size>(
          rows_ - row, j - start, Block<const double>{column(start) + row, stride_},
          Block<const double>{column(j) + start, stride_}, {column(j) + row, stride_});
      if (!eliminate(j)) return nullptr;
    }
    update(start, end, size_);
  }
  valid_ = size_;
  substitute_back();
  return solution_.data();
}

// Subtracts four columns from each other, at first in the rows of their diagonal block, and writes their rows
// of L' above the diagonal. Columns from size_ on follow the others. They are never read.
bool DenseLdl::eliminate(Index start) {
  double* const columns[] = {column(start), column(start + 1), column(start + 2), column(start + 3)};
  double* const inverse = inverse_.data() + start;
  Pack factor[pack_size][pack_size];
  for (Index j = 0; j < pack_size; ++j) {
    const double pivot = columns[j][start + j];
    if (start >= first_) {
      if (start + j < size_ && !(pivot > inverse[j])) return false;
      inverse[j] = 1.0 / pivot;
    }
    const Pack rows = load_pack(columns[j] + start);
    for (Index c = j + 1; c < pack_size; ++c) {
      double* const target = columns[c] + start;
      factor[j][c] = Pack{} - columns[j][start + c] * inverse[j];
      if (start >= first_) store_pack(target, multiply_add(factor[j][c], rows, load_pack(target)));
    }
  }
  for (Index i = std::max(start + pack_size, first_); i < rows_; i += pack_size) {
    Pack rows[pack_size];
    for (Index c = 0; c < pack_size; ++c) {
      rows[c] = load_pack(columns[c] + i);
      for (Index j = 0; j < c; ++j) rows[c] = multiply_add(factor[j][c], rows[j], rows[c]);
      store_pack(columns[c] + i, rows[c]);
    }
#pragma GCC unroll 4
    for (Index r = 0; r < pack_size; ++r)
      store_pack(column(i + r) + start,
                 load_pack(inverse) * Pack{rows[0][r], rows[1][r], rows[2][r], rows[3][r]});
  }
  return true;
}

// Subtracts columns [start, end) from columns [end, stop), in whole packs.
void DenseLdl::update(Index start, Index end, Index stop) {
  for (Index c = end; c < stop; c += strip_width) {
    const Index row = std::max(c, first_);
    count_work(2.0 * static_cast<double>((rows_ - row) * strip_width * (end - start)));
    subtract_product<double>(rows_ - row, std::min(strip_width, whole_packs(stop) - c), end - start,
                             {column(start) + row, stride_}, {column(c) + start, stride_},
                             {column(c) + row, stride_});
  }
}

// L'x = D^-1 L^-1 r. Column j holds L_ij D_jj and, in the row below, the same product for the right-hand
// side. That row has the factor -1. The products of four columns with the known unknowns are independent.
void DenseLdl::substitute_back() {
  double* const x = solution_.data();
  std::fill(x + size_, x + rows_, 0.0);
  x[size_] = -1.0;
  for (Index begin = whole_packs(size_) - pack_size; begin >= 0; begin -= pack_size) {
    const double* const columns[] = {column(begin), column(begin + 1), column(begin + 2), column(begin + 3)};
    Pack sums[pack_size] = {};
    for (Index i = begin + pack_size; i < rows_; i += pack_size) {
      for (Index k = 0; k < pack_size; ++k)
        sums[k] = multiply_add(load_pack(columns[k] + i), load_pack(x + i), sums[k]);
    }
    double sum[] = {sum_of(sums[0]), sum_of(sums[1]), sum_of(sums[2]), sum_of(sums[3])};
#pragma GCC unroll 4
    for (Index k = pack_size - 1; k >= 0; --k) {
      if (begin + k < size_) x[begin + k] = -sum[k] * inverse_[static_cast<std::size_t>(begin + k)];
      for (Index i = 0; i < k; ++i) sum[i] += columns[i][begin + k] * x[begin + k];
    }
  }
}

}  // namespace slipstick::internal
