// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "slipstick/linalg/operator.hpp"

namespace slipstick {

// for_each_in_row(a, i, visit) calls visit(column, value) for the stored entries of row i. A matrix-free
// operator has none to offer.

template <class Visit>
void for_each_in_row(const CsrMatrix& a, Index i, const Visit& visit) {
  for (CsrMatrix::InnerIterator it(a, i); it; ++it) visit(Index{it.col()}, it.value());
}

template <class Visit>
void for_each_in_row(const BlockCsrMatrix& a, Index i, const Visit& visit) {
  constexpr Index size = BlockCsrMatrix::block_size;
  for (int k = a.row_start()[i / size]; k < a.row_start()[i / size + 1]; ++k) {
    const double* values = a.values().data() + k * Index{BlockCsrMatrix::block_entries} + (i % size) * size;
    for (Index j = 0; j < size; ++j) visit(size * a.columns()[k] + j, values[j]);
  }
}

template <class Visit>
void for_each_in_row(const BandedMatrix& a, Index i, const Visit& visit) {
  const Index last = std::min(a.rows() - 1, i + a.bandwidth());
  for (Index j = std::max<Index>(0, i - a.bandwidth()); j < i; ++j) visit(j, a.lower()(i - j, j));
  for (Index j = i; j <= last; ++j) visit(j, a.lower()(j - i, i));
}

template <class Visit>
void for_each_in_row(const DenseMatrix& a, Index i, const Visit& visit) {
  for (Index j = 0; j < a.cols(); ++j) visit(j, a(i, j));
}

}  // namespace slipstick
