// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A lower triangle by columns, its diagonal apart.
struct LowerColumns {
  std::vector<int> start;     ///< of each column, and the end of the last
  std::vector<int> below;     ///< rows below the diagonal, ascending within a column
  std::vector<double> entry;  ///< below the diagonal
  std::vector<double> pivot;  ///< of A: the diagonal; of L: 1 / L_kk

  Index columns() const { return static_cast<Index>(pivot.size()); }
  void clear() {
    start.assign(1, 0);
    below.clear();
    entry.clear();
  }
  void reserve(Index rows, Index entries);
};

/// Incomplete Cholesky factors, left-looking: column k of A, then minus the columns of L that have an entry
/// in row k, times that entry; which ones is kept in lists, one per row. A column can be made again without
/// those before it.
class ColumnCholesky {
 public:
  struct Outcome {
    Index breakdowns = 0;
    double shift = 0.0;  ///< the largest, relative to its unit
  };
  /// A pivot is a breakdown where it is not above smallest_pivot times the diagonal of A. A shift adds
  /// multiples of unit[k] to the diagonal. A diagonal of A that is not positive gets the pivot 1.

  /// ICT with the p largest (Ho 2022, Alg. 5): entries of column k of L that are not as large as the drop
  /// tolerance times the norm of a_k, before or after the division by the pivot, are dropped, then all but
  /// the `most_entries` largest (0: no limit). The whole diagonal is shifted where it breaks down. The print
  /// also compares after every subtraction; here a column is complete when it is compared.
  Outcome factor_threshold(const LowerColumns& a, std::span<const double> unit, double smallest_pivot,
                           double first_shift, double drop_tolerance, Index most_entries, LowerColumns& l);
  /// IC(0) with partial shifts (Ho 2022, 4.1.4): where column k breaks down, it and the columns with an entry
  /// in row k are shifted by 2^p `first_shift`, p the times it happened to them before, and the factorization
  /// goes back to the first of them.
  Outcome factor_partial_shift(const LowerColumns& a, std::span<const double> unit, double smallest_pivot,
                               double first_shift, LowerColumns& l);

 private:
  void link(const LowerColumns& l, int column, int position);
  void rewind(const LowerColumns& l, Index column);
  double gather(const LowerColumns& a, const LowerColumns& l, int column, bool fill);
  void drop(double threshold);
  void keep_largest(Index count);

  std::vector<int> head_, next_, position_;  // columns with their next entry in a row, and where that is
  std::vector<int> mark_;                    // the column that a row was last gathered for
  std::vector<int> gathered_;                // rows of the column under way
  std::vector<double> work_;                 // its entries
  std::vector<double> shift_;
  std::vector<int> shifted_;  // times
};

}  // namespace slipstick::internal
