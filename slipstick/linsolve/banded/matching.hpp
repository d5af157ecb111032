// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The row permutation that maximizes the product of the sizes of the diagonal entries (Melanz 2015: A -> Q
/// A), with its scaling. This is job 5 of MC64 (Duff and Koster 2001).
///
/// With the costs c_ij = log max_i |a_ij| - log |a_ij| >= 0, the permutation is an assignment of rows to
/// columns with the least total cost. It is built by shortest augmenting paths. For one row after another,
/// Dijkstra's algorithm runs over the reduced costs c_ij - u_i - v_j >= 0, which are zero on the assignment.
/// The dual variables give the scales: with r_i = exp(u_i) and s_j = exp(v_j) / max_i |a_ij|,
///
///     |r_i a_ij s_j| <= 1,  and = 1 on the new diagonal.
///
/// The cost is O(n nnz log n) at worst, and little more than O(nnz) for matrices with large diagonal entries.
/// The storage is kept: a second matching of the same pattern allocates nothing.
class DiagonalMatching {
 public:
  /// Throws Error for a matrix that is not square or has entries that are not finite.
  void find(const CsrMatrix& a);

  Index rows() const { return static_cast<Index>(row_of_column_.size()); }
  /// The row of A that becomes row j of Q A.
  const std::vector<int>& row_of_column() const { return row_of_column_; }
  /// Rows matched with a nonzero entry. If A is structurally singular, there are fewer than rows(). The other
  /// rows get the other columns in ascending order, and the bound above holds for all entries.
  Index structural_rank() const { return rank_; }
  /// The scales r and s. They are limited to the range 1e-150 to 1e150.
  const Vector& row_scale() const { return row_scale_; }
  const Vector& column_scale() const { return column_scale_; }

 private:
  struct Candidate {
    double distance;
    int column;
  };

  void find_costs(const CsrMatrix& a);
  void match_cheaply(const CsrMatrix& a);
  bool augment(const CsrMatrix& a, int row);
  void relax(const CsrMatrix& a, int row, double distance);
  void complete();
  void find_scales(const CsrMatrix& a);

  Index rank_ = 0;
  std::vector<int> row_of_column_;
  std::vector<int> column_of_row_;
  std::vector<int> entry_of_row_;  // the matched entry's position in A
  std::vector<double> cost_;       // costs of the stored entries, infinite for zeros
  Vector u_, v_, column_log_;
  Vector row_scale_, column_scale_;

  // Data of one search: distances of columns, the row that each was reached from, and the columns to reset
  // afterwards.
  std::vector<double> distance_;
  std::vector<int> reached_from_;
  std::vector<int> reached_entry_;
  std::vector<char> scanned_;
  std::vector<int> touched_;
  std::vector<Candidate> heap_;
};

}  // namespace slipstick::internal
