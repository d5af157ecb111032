// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_ldl.hpp"

#include <algorithm>

#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {
namespace {

constexpr Index ldl_panel_width = 16;
// Columns that are updated together. The wasted work above the diagonal grows with this number.
constexpr Index strip_width = 24;

// Includes the row of the right-hand side.
Index stride_of(Index size) {
  return (size + pack_size) / pack_size * pack_size;
}

}  // namespace

void DenseLdl::reserve(Index size) {
  const Index stride = stride_of(size);
  entries_.reserve(static_cast<std::size_t>(stride * size));
  scaled_.reserve(static_cast<std::size_t>(ldl_panel_width * stride));
  least_.reserve(static_cast<std::size_t>(size));
  inverse_.reserve(static_cast<std::size_t>(size));
}

void DenseLdl::resize(Index size) {
  size_ = size;
  stride_ = stride_of(size);
  const auto entries = static_cast<std::size_t>(stride_ * size);
  if (entries_.size() < entries) {
    entries_.resize(entries, 0.0);
    scaled_.resize(static_cast<std::size_t>(ldl_panel_width * stride_));
  }
  least_.resize(static_cast<std::size_t>(size));
  inverse_.resize(static_cast<std::size_t>(size));
}

bool DenseLdl::solve(double smallest, double* x) {
  for (Index j = 0; j < size_; ++j) least_[static_cast<std::size_t>(j)] = smallest * column(j)[j];
  for (Index start = 0; start < size_; start += ldl_panel_width) {
    const Index end = std::min(size_, start + ldl_panel_width);
    if (!factorize_panel(start, end)) return false;
    if (end < size_) update_trailing(start, end);
  }
  substitute_back(x);
  return true;
}

// Goes column by column and subtracts each column from the later columns of the panel. Whole packs write
// above the diagonal and below the last row. These entries are never read.
bool DenseLdl::factorize_panel(Index start, Index end) {
  for (Index j = start; j < end; ++j) {
    const double* const pivot_column = column(j);
    const double pivot = pivot_column[j];
    if (!(pivot > least_[static_cast<std::size_t>(j)])) return false;
    const double inverse = 1.0 / pivot;
    inverse_[static_cast<std::size_t>(j)] = inverse;
    for (Index c = j + 1; c < end; ++c) {
      double* const target = column(c);
      const double factor = pivot_column[c] * inverse;
      for (Index i = c / pack_size * pack_size; i < stride_; i += pack_size)
        store_pack(target + i, load_pack(target + i) - factor * load_pack(pivot_column + i));
    }
  }
  return true;
}

void DenseLdl::update_trailing(Index start, Index end) {
  const Index width = end - start;
  for (Index j = start; j < end; ++j) {
    const double inverse = inverse_[static_cast<std::size_t>(j)];
    const double* const from = column(j);
    double* const to = scaled_.data() + (j - start);
    for (Index c = end; c < size_; ++c) to[(c - end) * width] = from[c] * inverse;
  }
  for (Index c = end; c < size_; c += strip_width) {
    subtract_product<double>(size_ + 1 - c, std::min(strip_width, size_ - c), width,
                             {column(start) + c, stride_}, {scaled_.data() + (c - end) * width, width},
                             {column(c) + c, stride_});
  }
}

// L'x = D^-1 L^-1 r. Column j holds L_ij D_jj and, in the row below, the same product for the right-hand
// side. Four columns are taken at a time, because their products with the known unknowns are independent.
void DenseLdl::substitute_back(double* x) const {
  for (Index end = size_, begin = 0; end > 0; end = begin) {
    begin = std::max<Index>(0, end - 4);
    const auto known = Vector::Map(x + end, size_ - end);
    for (Index j = begin; j < end; ++j) {
      const double* const entries = entries_.data() + j * stride_;
      x[j] = entries[size_] - Vector::Map(entries + end, size_ - end).dot(known);
    }
    for (Index j = end - 1; j >= begin; --j) {
      const double* const entries = entries_.data() + j * stride_;
      for (Index i = end - 1; i > j; --i) x[j] -= entries[i] * x[i];
      x[j] *= inverse_[static_cast<std::size_t>(j)];
    }
  }
}

}  // namespace slipstick::internal
