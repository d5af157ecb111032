// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/banded_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick {

BandedMatrix::BandedMatrix(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("a banded matrix must be square, not {} x {}", a.rows(), a.cols());
  Index width = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) width = std::max(width, std::abs(i - Index{it.col()}));
  }
  lower_ = DenseMatrix::Zero(width + 1, a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      if (it.col() <= i) at(i, it.col()) = it.value();
    }
  }
}

void BandedMatrix::multiply(ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows());
  const Index n = rows();
  if (threads <= 1) {
    // One pass over the storage: each column serves as a column and, mirrored, as a row.
    y.setZero();
    for (Index j = 0; j < n; ++j) {
      const Index below = std::min(bandwidth(), n - 1 - j);
      const double xj = x[j];
      const double* column = lower_.data() + j * (bandwidth() + 1);
      double sum = column[0] * xj;
      const double* xi = x.data() + j;
      double* yi = y.data() + j;
      for (Index k = 1; k <= below; ++k) {
        sum += column[k] * xi[k];
        yi[k] += column[k] * xj;
      }
      y[j] += sum;
    }
    return;
  }
  const double* input = x.data();
  double* output = y.data();
  parallel_for(n, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) output[i] = row_dot(i, input);
  });
}

double BandedMatrix::row_dot(Index i, const double* x) const {
  const Index n = rows();
  const Index stride = bandwidth();  // moving one row up and one column left in the storage
  const Index first = std::max<Index>(0, i - bandwidth());
  double sum = 0.0;
  const double* left = lower_.data() + first * (bandwidth() + 1) + (i - first);
  for (Index j = first; j < i; ++j, left += stride) sum += *left * x[j];
  const double* column = lower_.data() + i * (bandwidth() + 1);
  const Index below = std::min(bandwidth(), n - 1 - i);
  for (Index k = 0; k <= below; ++k) sum += column[k] * x[i + k];
  return sum;
}

double BandedMatrix::entry(Index i, Index j) const {
  if (i < j) std::swap(i, j);
  return i - j > bandwidth() ? 0.0 : lower_(i - j, j);
}

CsrMatrix BandedMatrix::to_csr() const {
  std::vector<Triplet> triplets;
  triplets.reserve(static_cast<std::size_t>(2 * lower_.size()));
  for (Index j = 0; j < rows(); ++j) {
    for (Index k = 0; k <= std::min(bandwidth(), rows() - 1 - j); ++k) {
      if (lower_(k, j) == 0.0) continue;
      const int row = static_cast<int>(j + k);
      const int column = static_cast<int>(j);
      triplets.push_back({row, column, lower_(k, j)});
      if (k > 0) triplets.push_back({column, row, lower_(k, j)});
    }
  }
  return csr_from_triplets(rows(), rows(), triplets);
}

}  // namespace slipstick
