// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/general_band.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {

GeneralBand::GeneralBand(Index rows, Index half_bandwidth) {
  if (rows < 0 || half_bandwidth < 0) {
    fail("a banded matrix needs rows >= 0 and half-bandwidth >= 0, not {} and {}", rows, half_bandwidth);
  }
  columns_ = DenseMatrix::Zero(2 * half_bandwidth + 1, rows);
}

GeneralBand::GeneralBand(const CsrMatrix& a) : GeneralBand(a.rows(), internal::half_bandwidth(a)) {
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) at(i, it.col()) = it.value();
  }
}

double GeneralBand::entry(Index i, Index j) const {
  return std::abs(i - j) > half_bandwidth() ? 0.0 : at(i, j);
}

// Every thread owns some rows and passes over the columns that reach them.
void GeneralBand::multiply(ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows());
  const Index k = half_bandwidth();
  parallel_for(rows(), threads, [&](Index begin, Index end) {
    y.segment(begin, end - begin).setZero();
    for (Index j = std::max<Index>(0, begin - k); j < std::min(rows(), end + k); ++j) {
      const Index first = std::max(begin, j - k);
      const Index count = std::min(end, j + k + 1) - first;
      y.segment(first, count) += x[j] * columns_.col(j).segment(k + first - j, count);
    }
  });
}

DenseMatrix GeneralBand::to_dense() const {
  return DenseMatrix::NullaryExpr(rows(), rows(), [this](Index i, Index j) { return entry(i, j); });
}

Index half_bandwidth(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("a banded matrix must be square, not {} x {}", a.rows(), a.cols());
  Index width = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) width = std::max(width, std::abs(i - Index{it.col()}));
  }
  return width;
}

}  // namespace slipstick::internal
