// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A lower triangle by columns, with the diagonal stored separately.
struct LowerColumns {
  std::vector<int> start;     ///< start of each column, and the end of the last
  std::vector<int> below;     ///< rows below the diagonal, ascending within a column
  std::vector<double> entry;  ///< entries below the diagonal
  std::vector<double> pivot;  ///< in A: the diagonal; in L: 1 / L_kk

  Index columns() const { return static_cast<Index>(pivot.size()); }
  void clear() {
    start.assign(1, 0);
    below.clear();
    entry.clear();
  }
  void reserve(Index rows, Index entries);
};

/// Incomplete Cholesky factors, left-looking: column k of A minus the columns of L that have an entry in row
/// k, times that entry. Lists, one per row, hold these columns. A column can be computed again without the
/// columns before it.
class ColumnCholesky {
 public:
  struct Outcome {
    Index breakdowns = 0;
    double shift = 0.0;  ///< the largest shift, relative to its unit
  };
  /// A pivot is a breakdown if it is not above smallest_pivot times the diagonal of A. A shift adds a
  /// multiple of unit[k] to the diagonal. If a diagonal entry of A is not positive, its pivot is 1.

  /// ICT with the p largest (Ho 2022, Alg. 5). Entries of column k of L below the drop tolerance times the
  /// norm of a_k are dropped, before and after the division by the pivot. Then only the `most_entries`
  /// largest stay (0: no limit). The whole diagonal is shifted after a breakdown. The paper also compares
  /// after every subtraction. Here only a complete column is compared.
  Outcome factor_threshold(const LowerColumns& a, std::span<const double> unit, double smallest_pivot,
                           double first_shift, double drop_tolerance, Index most_entries, LowerColumns& l);
  /// IC(0) with partial shifts (Ho 2022, 4.1.4). If column k breaks down, it and the columns with an entry in
  /// row k are shifted by 2^p `first_shift` more. p is the number of earlier shifts of the column. The
  /// factorization goes back to the first shifted column.
  Outcome factor_partial_shift(const LowerColumns& a, std::span<const double> unit, double smallest_pivot,
                               double first_shift, LowerColumns& l);

 private:
  void link(const LowerColumns& l, int column, int position);
  void rewind(const LowerColumns& l, Index column);
  double gather(const LowerColumns& a, const LowerColumns& l, int column, bool fill);
  void drop(double threshold);
  void keep_largest(Index count);

  // Lists of columns by the row of their next entry, and the position of that entry.
  std::vector<int> head_, next_, position_;
  std::vector<int> mark_;      // the column that a row was last gathered for
  std::vector<int> gathered_;  // rows of the current column
  std::vector<double> work_;   // entries of the current column
  std::vector<double> shift_;
  std::vector<int> shifted_;  // number of shifts of each column
};

}  // namespace slipstick::internal
