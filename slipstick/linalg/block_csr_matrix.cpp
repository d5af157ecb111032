// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/block_csr_matrix.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/streams.hpp"

namespace slipstick {

BlockCsrMatrix::BlockCsrMatrix(const CsrMatrix& a) {
  if (a.rows() != a.cols() || a.rows() % block_size != 0) {
    fail("a 3x3-block matrix needs a square matrix of a size divisible by 3, not {} x {}", a.rows(),
         a.cols());
  }
  const Index blocks = a.rows() / block_size;
  std::vector<int> seen_in_row(static_cast<std::size_t>(blocks), -1);
  std::vector<int> slot(static_cast<std::size_t>(blocks));
  row_start_.reserve(static_cast<std::size_t>(blocks) + 1);
  for (Index row = 0; row < blocks; ++row) {
    const std::size_t first = columns_.size();
    for (Index i = block_size * row; i < block_size * (row + 1); ++i) {
      for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
        const int column = static_cast<int>(it.col() / block_size);
        if (seen_in_row[column] == row) continue;
        seen_in_row[column] = static_cast<int>(row);
        columns_.push_back(column);
      }
    }
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(first), columns_.end());
    for (std::size_t k = first; k < columns_.size(); ++k) slot[columns_[k]] = static_cast<int>(k);
    values_.resize(columns_.size() * block_entries, 0.0);
    for (Index i = block_size * row; i < block_size * (row + 1); ++i) {
      for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
        const std::size_t block = slot[it.col() / block_size];
        values_[block * block_entries + (i % block_size) * block_size + it.col() % block_size] += it.value();
      }
    }
    row_start_.push_back(static_cast<int>(columns_.size()));
  }
}

void BlockCsrMatrix::multiply(ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows());
  const double* input = x.data();
  double* output = y.data();
  parallel_for(block_rows(), threads, [&](Index begin, Index end) {
    in_two_streams(begin, end, [&](Index row) {
      double sum0 = 0.0, sum1 = 0.0, sum2 = 0.0;
      for (int k = row_start_[row]; k < row_start_[row + 1]; ++k) {
        const double* v = values_.data() + static_cast<std::size_t>(k) * block_entries;
        prefetch_next_page(v);
        prefetch_next_page(columns_.data() + k);
        const double* u = input + static_cast<std::size_t>(columns_[k]) * block_size;
        sum0 += v[0] * u[0] + v[1] * u[1] + v[2] * u[2];
        sum1 += v[3] * u[0] + v[4] * u[1] + v[5] * u[2];
        sum2 += v[6] * u[0] + v[7] * u[1] + v[8] * u[2];
      }
      output[block_size * row] = sum0;
      output[block_size * row + 1] = sum1;
      output[block_size * row + 2] = sum2;
    });
  });
}

double BlockCsrMatrix::row_dot(Index i, const double* x) const {
  const Index row = i / block_size;
  double sum = 0.0;
  for (int k = row_start_[row]; k < row_start_[row + 1]; ++k) {
    const double* v =
        values_.data() + static_cast<std::size_t>(k) * block_entries + (i % block_size) * block_size;
    const double* u = x + static_cast<std::size_t>(columns_[k]) * block_size;
    sum += v[0] * u[0] + v[1] * u[1] + v[2] * u[2];
  }
  return sum;
}

void BlockCsrMatrix::block_row_dot(Index start, const double* x, double* product) const {
  const Index row = start / block_size;
  double sum[block_size] = {};
  for (int k = row_start_[row]; k < row_start_[row + 1]; ++k) {
    const double* v = values_.data() + static_cast<std::size_t>(k) * block_entries;
    const double* u = x + static_cast<std::size_t>(columns_[k]) * block_size;
    for (Index i = 0; i < block_size; ++i)
      sum[i] += v[3 * i] * u[0] + v[3 * i + 1] * u[1] + v[3 * i + 2] * u[2];
  }
  for (int i = 0; i < block_size; ++i) product[i] = sum[i];
}

double BlockCsrMatrix::entry(Index i, Index j) const {
  const Index row = i / block_size;
  const auto begin = columns_.begin() + row_start_[row];
  const auto end = columns_.begin() + row_start_[row + 1];
  const auto found = std::lower_bound(begin, end, static_cast<int>(j / block_size));
  if (found == end || *found != j / block_size) return 0.0;
  const std::size_t block = static_cast<std::size_t>(found - columns_.begin());
  return values_[block * block_entries + (i % block_size) * block_size + j % block_size];
}

CsrMatrix BlockCsrMatrix::to_csr() const {
  CsrMatrix result(rows(), rows());
  result.resizeNonZeros(nonzeros());
  int position = 0;
  for (Index i = 0; i < rows(); ++i) {
    result.outerIndexPtr()[i] = position;
    const Index row = i / block_size;
    for (int k = row_start_[row]; k < row_start_[row + 1]; ++k) {
      for (int c = 0; c < block_size; ++c) {
        result.innerIndexPtr()[position] = columns_[k] * block_size + c;
        result.valuePtr()[position++] =
            values_[static_cast<std::size_t>(k) * block_entries + (i % block_size) * block_size + c];
      }
    }
  }
  result.outerIndexPtr()[rows()] = position;
  return result;
}

}  // namespace slipstick
