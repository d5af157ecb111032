// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/saddle_factor.hpp"

#include <algorithm>
#include <limits>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// A diagonal entry that is missing in both matrices.
constexpr int no_source = std::numeric_limits<int>::min();
constexpr Index block_columns = 64;  // right-hand sides solved together

}  // namespace

// The lower triangle of M with a full diagonal.
void SparseSaddleFactor::build(const SaddleMatrix& matrix) {
  const CsrMatrix& a = *matrix.sparse_a();
  const CsrMatrix* g = matrix.G();
  const auto n = static_cast<int>(matrix.unknowns());
  const auto rows = static_cast<int>(matrix.rows());
  lower_.resize(rows, rows);
  lower_.resizeNonZeros(a.nonZeros() + (g != nullptr ? g->nonZeros() : 0) + rows);
  source_.clear();
  int count = 0;
  const auto append = [&](int column, int source) {
    lower_.innerIndexPtr()[count++] = column;
    source_.push_back(source);
  };
  for (int i = 0; i < rows; ++i) {
    lower_.outerIndexPtr()[i] = count;
    int diagonal = no_source;
    // Without G there are no more than n rows. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    const CsrMatrix& from = i < n ? a : *g;
    const int row = i < n ? i : i - n;
    for (int k = from.outerIndexPtr()[row]; k < from.outerIndexPtr()[row + 1]; ++k) {
      const int column = from.innerIndexPtr()[k];
      if (i < n && column == i) diagonal = k;
      if (i < n && column >= i) break;
      append(column, i < n ? k : -1 - k);
    }
    append(i, diagonal);
    count_work(4.0 * (count - lower_.outerIndexPtr()[i]));
  }
  lower_.outerIndexPtr()[rows] = count;
  lower_.resizeNonZeros(count);
  signs_.assign(static_cast<std::size_t>(rows), 1);
  std::fill(signs_.begin() + n, signs_.end(), static_cast<signed char>(-1));
  version_ = matrix.version();
  cholesky_.analyze(lower_);
}

bool SparseSaddleFactor::factorize(const SaddleMatrix& matrix, const std::vector<char>& inside) {
  if (version_ != matrix.version()) build(matrix);
  const double* a = matrix.sparse_a()->valuePtr();
  const double* g = matrix.G() != nullptr ? matrix.G()->valuePtr() : nullptr;
  double* values = lower_.valuePtr();
  for (Index i = 0; i < lower_.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double sign = signs_[row];
    for (int k = lower_.outerIndexPtr()[i]; k < lower_.outerIndexPtr()[i + 1]; ++k) {
      const int column = lower_.innerIndexPtr()[k];
      const int source = source_[static_cast<std::size_t>(k)];
      // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only rows of G have such a source.
      const double value = source == no_source ? 0.0 : source >= 0 ? a[source] : g[-1 - source];
      if (column == i) {
        values[k] = inside[row] != 0 ? value + sign * matrix.shift()[i] : sign;
      } else {
        values[k] = inside[row] != 0 && inside[static_cast<std::size_t>(column)] != 0 ? value : 0.0;
      }
    }
    count_work(4.0 * (lower_.outerIndexPtr()[i + 1] - lower_.outerIndexPtr()[i]));
  }
  return cholesky_.factorize(lower_, signs_);
}

void SparseSaddleFactor::solve_lower(MatrixView x) {
  for (Index j = 0; j < x.cols(); ++j) cholesky_.solve_lower(x.col(j));
}

void SparseSaddleFactor::solve_upper(VectorView x) {
  cholesky_.solve_upper(x);
}

void SparseSaddleFactor::multiply_signs(VectorView x) const {
  for (Index k = 0; k < x.size(); ++k) x[k] *= cholesky_.signs()[static_cast<std::size_t>(k)];
}

bool BandedSaddleFactor::factorize(const SaddleMatrix& matrix, const std::vector<char>& inside) {
  const Index n = matrix.unknowns();
  rows_.reserve(static_cast<std::size_t>(n));
  rows_.clear();
  for (int k = 0; k < n; ++k) {
    if (inside[static_cast<std::size_t>(k)] != 0) rows_.push_back(k);
  }
  if (rows_.empty()) return true;
  if ((matrix.shift().array() == 0.0).all()) return cholesky_.factorize(*matrix.banded_a(), rows_);
  shifted_ = *matrix.banded_a();
  for (Index k = 0; k < n; ++k) shifted_.at(k, k) += matrix.shift()[k];
  return cholesky_.factorize(shifted_, rows_);
}

void BandedSaddleFactor::solve_lower(MatrixView x) {
  without_outside(x, [this](MatrixView block) { cholesky_.solve_lower(block); });
}

void BandedSaddleFactor::solve_upper(VectorView x) {
  without_outside(x, [this](MatrixView block) { cholesky_.solve_upper(block); });
}

template <class Solve>
void BandedSaddleFactor::without_outside(MatrixView x, const Solve& solve) {
  const auto rows = static_cast<Index>(rows_.size());
  if (rows == 0) return;
  block_.reserve(static_cast<std::size_t>(x.rows() * block_columns));
  for (Index first = 0; first < x.cols(); first += block_columns) {
    const Index columns = std::min(block_columns, x.cols() - first);
    block_.resize(static_cast<std::size_t>(rows * columns));
    Eigen::Map<DenseMatrix> block(block_.data(), rows, columns);
    for (Index j = 0; j < columns; ++j) {
      for (Index i = 0; i < rows; ++i) block(i, j) = x(rows_[static_cast<std::size_t>(i)], first + j);
    }
    solve(block);
    for (Index j = 0; j < columns; ++j) {
      for (Index i = 0; i < rows; ++i) x(rows_[static_cast<std::size_t>(i)], first + j) = block(i, j);
    }
  }
}

std::unique_ptr<SaddleFactor> make_saddle_factor(const SaddleMatrix& matrix) {
  if (matrix.banded_a() != nullptr) return std::make_unique<BandedSaddleFactor>();
  return std::make_unique<SparseSaddleFactor>();
}

}  // namespace slipstick::internal
