// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <span>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The arrays of a matrix in compressed sparse rows, owned by someone else.
struct CsrView {
  Index rows;
  const int* start;  ///< start of each row, and the end of the last
  const int* column;
  const double* value;

  CsrView(Index row_count, const int* row_starts, const int* columns, const double* values)
      : rows(row_count), start(row_starts), column(columns), value(values) {}
  CsrView(const CsrMatrix& a) : CsrView(a.rows(), a.outerIndexPtr(), a.innerIndexPtr(), a.valuePtr()) {}
};

/// y = A x. Moves 12 bytes per entry, 4 per row pointer, 8 per row of y, and x at least once.
void multiply(const CsrView& a, ConstVectorView x, VectorView y, int threads = 1);

/// The inner product of row i with x.
inline double row_dot(const CsrView& a, Index i, const double* x) {
  double sum = 0.0;
  for (int k = a.start[i], end = a.start[i + 1]; k < end; ++k) sum += a.value[k] * x[a.column[k]];
  return sum;
}

/// The entry (i, j), or zero if it is not stored.
inline double entry(const CsrMatrix& a, Index i, Index j) {
  const int* columns = a.innerIndexPtr();
  const int* start = columns + a.outerIndexPtr()[i];
  const int* end = columns + a.outerIndexPtr()[i + 1];
  // Columns ascend: at most j entries are before column j, and at most cols - j from it on.
  const int* begin = start + std::max<Index>(0, end - start - (a.cols() - j));
  end = start + std::min<Index>(end - start, j + 1);
  const int* found = begin != end && *begin == j ? begin : std::lower_bound(begin, end, static_cast<int>(j));
  return found != end && *found == j ? a.valuePtr()[found - columns] : 0.0;
}

/// The square submatrix of the given rows and columns (sorted, unique), in that order.
CsrMatrix principal_submatrix(const CsrMatrix& a, std::span<const int> rows);

/// The submatrix of the given rows and columns, each list sorted and unique.
CsrMatrix submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns);
/// The same. `to` keeps its storage, and `new_column` is scratch.
void submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns, CsrMatrix& to,
               std::vector<int>& new_column);

/// True if both have the same pattern and the same values.
bool same_entries(const CsrMatrix& a, const CsrMatrix& b);

/// to <- A'. `to` keeps its storage.
void transpose(const CsrMatrix& a, CsrMatrix& to);

/// Builds a matrix row by row, from entries in any order. Entries of one place are added. Allocates nothing
/// if the last matrix had the same pattern.
class CsrBuilder {
 public:
  /// `to` is built next, and keeps its storage.
  void start(CsrMatrix& to, Index rows, Index columns);
  void add(Index column, double value);
  /// Adds factor times a row of A. Its columns begin at `first`.
  void add(const CsrMatrix& a, Index row, double factor = 1.0, Index first = 0);
  /// Adds a row of A B.
  void add_product(const CsrMatrix& a, Index row, const CsrMatrix& b);
  void end_row();
  /// to <- A B.
  void multiply(const CsrMatrix& a, const CsrMatrix& b, CsrMatrix& to);

 private:
  CsrMatrix* to_ = nullptr;
  Index row_ = 0;
  std::vector<int> columns_;    // of the row
  std::vector<double> values_;  // of every column
  std::vector<char> has_;       // whether the row has the column
};

/// max |a_ij - a_ji| / max |a_ij|; 0 for an empty matrix. `next` is scratch.
SLIPSTICK_EXPORT double asymmetry(const CsrMatrix& a);
double asymmetry(const CsrMatrix& a, std::vector<int>& next);

/// (A + A') / 2
SLIPSTICK_EXPORT CsrMatrix symmetric_part(const CsrMatrix& a);
/// The same. `to` keeps its storage, and `transposed` is scratch.
void symmetric_part(const CsrMatrix& a, CsrMatrix& to, CsrMatrix& transposed);

}  // namespace slipstick::internal
