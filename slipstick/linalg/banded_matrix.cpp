// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/banded_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/prefetch.hpp"

namespace slipstick::internal {
namespace {

// A product over ranges of columns. Each range writes only to its own rows.
struct Columns {
  const double* lower;
  const double* x;
  double* y;
  Index n;
  Index width;

  const double* column(Index j) const { return lower + j * (width + 1); }

  // Adds the contributions of the columns before the range to its rows.
  void enter(Index begin, Index end) const {
    std::fill(y + begin, y + end, 0.0);
    for (Index j = std::max<Index>(0, begin - width); j < begin; ++j) {
      for (Index i = begin; i < std::min(end, j + width + 1); ++i) y[i] += column(j)[i - j] * x[j];
    }
  }

  // Adds column j, with its part below the diagonal down to row `end`.
  void add_one(Index j, Index end) const {
    const double* c = column(j);
    const Index last = std::min(width, n - 1 - j);
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index k = 0; k <= last; ++k) sum += c[k] * x[j + k];
    for (Index k = 1; k < std::min(last + 1, end - j); ++k) y[j + k] += c[k] * x[j];
    y[j] += sum;
  }

  // How often four columns of a range can be added with all of their rows inside the range.
  Index fours(Index begin, Index end) const {
    return width < 4 ? 0 : std::max<Index>(0, (end - begin - width) / 4);
  }

  // Adds columns j to j + 3. y is loaded and stored once for the four columns.
  void add_four(Index j) const {
    const double* c0 = column(j);
    const double* c1 = column(j + 1) - 1;  // all four are indexed by the row minus j
    const double* c2 = column(j + 2) - 2;
    const double* c3 = column(j + 3) - 3;
    for (Index k = 0; k < 4 * (width + 1); k += 8) prefetch_next_page(c0 + k);
    const double* xj = x + j;
    double* yj = y + j;
    const double x0 = xj[0], x1 = xj[1], x2 = xj[2], x3 = xj[3];
    double sum0 = c0[0] * x0 + c0[1] * x1 + c0[2] * x2 + c0[3] * x3;
    double sum1 = c1[1] * x1 + c1[2] * x2 + c1[3] * x3;
    double sum2 = c2[2] * x2 + c2[3] * x3;
    double sum3 = c3[3] * x3;
#pragma omp simd reduction(+ : sum0, sum1, sum2, sum3)
    for (Index k = 4; k <= width; ++k) {
      yj[k] = yj[k] + c0[k] * x0 + c1[k] * x1 + c2[k] * x2 + c3[k] * x3;
      sum0 += c0[k] * xj[k];
      sum1 += c1[k] * xj[k];
      sum2 += c2[k] * xj[k];
      sum3 += c3[k] * xj[k];
    }
    // Rows that not all four columns reach: the first rows lie above a diagonal, the last rows below a band.
    const Index w = width;
    yj[w + 1] = yj[w + 1] + c1[w + 1] * x1 + c2[w + 1] * x2 + c3[w + 1] * x3;
    yj[w + 2] = yj[w + 2] + c2[w + 2] * x2 + c3[w + 2] * x3;
    yj[w + 3] += c3[w + 3] * x3;
    yj[0] += sum0;
    yj[1] = yj[1] + c0[1] * x0 + (sum1 + c1[w + 1] * xj[w + 1]);
    yj[2] = yj[2] + c0[2] * x0 + c1[2] * x1 + (sum2 + (c2[w + 1] * xj[w + 1] + c2[w + 2] * xj[w + 2]));
    yj[3] = yj[3] + c0[3] * x0 + c1[3] * x1 + c2[3] * x2 +
            (sum3 + (c3[w + 1] * xj[w + 1] + c3[w + 2] * xj[w + 2] + c3[w + 3] * xj[w + 3]));
  }
};

}  // namespace

BandedMatrix::BandedMatrix(DenseMatrix lower) : lower_(std::move(lower)) {
  if (lower_.rows() == 0) fail("a banded matrix needs its diagonal");
  for (Index j = std::max<Index>(0, rows() - bandwidth()); j < rows(); ++j)
    lower_.col(j).tail(bandwidth() - (rows() - 1 - j)).setZero();
}

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

// One pass over the storage: each column serves as a column and, mirrored, as a row. y_i is the sum over the
// columns left of i in ascending order, then over the rest of the row.
void BandedMatrix::multiply(ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows());
  const Columns columns{lower_.data(), x.data(), y.data(), rows(), bandwidth()};
  parallel_for(rows(), threads, [&](Index begin, Index end) {
    // Two ranges in turn, because memory is read faster in two places.
    const Index middle = begin + (end - begin) / 2;
    columns.enter(begin, middle);
    columns.enter(middle, end);
    const Index first_fours = columns.fours(begin, middle);
    const Index second_fours = columns.fours(middle, end);
    for (Index k = 0; k < std::max(first_fours, second_fours); ++k) {
      if (k < first_fours) columns.add_four(begin + 4 * k);
      if (k < second_fours) columns.add_four(middle + 4 * k);
    }
    for (Index j = begin + 4 * first_fours; j < middle; ++j) columns.add_one(j, middle);
    for (Index j = middle + 4 * second_fours; j < end; ++j) columns.add_one(j, end);
  });
}

double BandedMatrix::row_dot(Index i, const double* x) const {
  const Index n = rows();
  const Index stride = bandwidth();  // step of one row up and one column left in the storage
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
  CsrMatrix result(rows(), rows());
  result.reserve(2 * (lower_.array() != 0.0).count());
  for (Index i = 0; i < rows(); ++i) {
    count_work(10.0 * static_cast<double>(bandwidth()));
    result.startVec(i);
    const auto add = [&](Index j, double value) {
      if (value != 0.0) result.insertBack(i, j) = value;
    };
    for (Index j = std::max<Index>(0, i - bandwidth()); j < i; ++j) add(j, lower_(i - j, j));
    for (Index k = 0; k <= std::min(bandwidth(), rows() - 1 - i); ++k) add(i + k, lower_(k, i));
  }
  result.finalize();
  return result;
}

}  // namespace slipstick::internal
