// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/csr_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/prefetch.hpp"

namespace slipstick::internal {
namespace {

constexpr int entries_per_line = 8;  // entries in a cache line
// A smaller product ends before other threads start.
constexpr int fewest_entries_for_threads = 20000;

}  // namespace

void multiply(const CsrView& a, ConstVectorView x, VectorView y, int threads) {
  assert(y.size() == a.rows);
  const double* input = x.data();
  double* output = y.data();
  if (a.rows == 0 || a.start[a.rows] - a.start[0] < fewest_entries_for_threads) threads = 1;
  parallel_for(a.rows, threads, [&](Index begin, Index end) {
    in_two_streams(begin, end, [&](Index i) {
      for (int k = a.start[i]; k < a.start[i + 1]; k += entries_per_line) {
        prefetch_next_page(a.value + k);
        prefetch_next_page(a.column + k);
      }
      output[i] = row_dot(a, i, input);
    });
  });
}

double entry(const CsrMatrix& a, Index i, Index j) {
  const int* columns = a.innerIndexPtr();
  const int* start = columns + a.outerIndexPtr()[i];
  const int* end = columns + a.outerIndexPtr()[i + 1];
  // Columns ascend: at most j entries are before column j, and at most cols - j from it on.
  const int* begin = start + std::max<Index>(0, end - start - (a.cols() - j));
  end = start + std::min<Index>(end - start, j + 1);
  const int* found = std::lower_bound(begin, end, static_cast<int>(j));
  return found != end && *found == j ? a.valuePtr()[found - columns] : 0.0;
}

CsrMatrix principal_submatrix(const CsrMatrix& a, std::span<const int> rows) {
  return submatrix(a, rows, rows);
}

CsrMatrix submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns) {
  CsrMatrix result;
  std::vector<int> new_column;
  submatrix(a, rows, columns, result, new_column);
  return result;
}

void submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns, CsrMatrix& to,
               std::vector<int>& new_column) {
  new_column.assign(static_cast<std::size_t>(a.cols()), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) new_column[columns[k]] = static_cast<int>(k);
  to.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  Index nonzeros = 0;
  for (int row : rows) {
    for (CsrMatrix::InnerIterator it(a, row); it; ++it) nonzeros += new_column[it.col()] >= 0;
  }
  to.resizeNonZeros(nonzeros);
  int position = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    to.outerIndexPtr()[i] = position;
    for (CsrMatrix::InnerIterator it(a, rows[i]); it; ++it) {
      if (new_column[it.col()] < 0) continue;
      to.innerIndexPtr()[position] = new_column[it.col()];
      to.valuePtr()[position++] = it.value();
    }
  }
  to.outerIndexPtr()[rows.size()] = position;
}

double asymmetry(const CsrMatrix& a) {
  std::vector<int> next;
  return asymmetry(a, next);
}

double asymmetry(const CsrMatrix& a, std::vector<int>& next) {
  if (a.rows() != a.cols()) return INFINITY;
  const int* const start = a.outerIndexPtr();
  const int* const columns = a.innerIndexPtr();
  const double* const values = a.valuePtr();
  double largest = 0.0;
  double difference = 0.0;
  const auto compare = [&](double entry, double opposite) {
    largest = std::max({largest, std::abs(entry), std::abs(opposite)});
    difference = std::max(difference, std::abs(entry - opposite));
  };
  // Columns are requested in ascending order. Skipped entries have no symmetric partner.
  next.assign(start, start + a.rows());
  const auto take = [&](int row, int column) {
    int& k = next[static_cast<std::size_t>(row)];
    const int end = start[row + 1];
    for (; k < end && columns[k] < column; ++k) compare(values[k], 0.0);
    return k < end && columns[k] == column ? values[k++] : 0.0;
  };
  for (int i = 0; i < a.rows(); ++i) {
    const double diagonal = take(i, i);
    compare(diagonal, diagonal);
    for (int k = next[static_cast<std::size_t>(i)]; k < start[i + 1]; ++k)
      compare(values[k], take(columns[k], i));
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

CsrMatrix symmetric_part(const CsrMatrix& a) {
  const CsrMatrix transposed = a.transpose();
  return (a + transposed) * 0.5;
}

}  // namespace slipstick::internal

namespace slipstick {

CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> triplets) {
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(triplets.size());
  for (const Triplet& t : triplets) {
    if (t.row < 0 || t.row >= rows || t.column < 0 || t.column >= columns)
      internal::fail("entry ({}, {}) lies outside a {} x {} matrix", t.row, t.column, rows, columns);
    entries.emplace_back(t.row, t.column, t.value);
  }
  CsrMatrix result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

CsrMatrix csr_from_dense(const DenseMatrix& a) {
  CsrMatrix result = a.sparseView(0.0, 0.0);
  result.makeCompressed();
  return result;
}

}  // namespace slipstick
