// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The permutation of rows that makes the product of the sizes of the diagonal entries as large as possible
/// (Melanz 2015: A -> Q A), with the scaling that belongs to it: MC64's job 5 (Duff and Koster 2001).
///
/// With the costs c_ij = log max_i |a_ij| - log |a_ij| >= 0 of the entries, it is an assignment of rows to
/// columns of least total cost. It is built by shortest augmenting paths: for one row after another
/// Dijkstra's algorithm runs over the reduced costs c_ij - u_i - v_j >= 0, which are zero on the assignment.
/// The dual variables scale: with r_i = exp(u_i) and s_j = exp(v_j) / max_i |a_ij|,
///
///     |r_i a_ij s_j| <= 1,  and = 1 on the new diagonal.
///
/// Costs O(n nnz log n) at the worst, and little more than O(nnz) for matrices with a heavy diagonal. Keeps
/// its storage: a second matching of the same pattern allocates nothing.
class DiagonalMatching {
 public:
  /// Throws Error for a matrix that is not square or has entries that are not finite.
  void find(const CsrMatrix& a);

  Index rows() const { return static_cast<Index>(row_of_column_.size()); }
  /// The row of A that becomes row j of Q A.
  const std::vector<int>& row_of_column() const { return row_of_column_; }
  /// Rows matched with a nonzero entry. Where A is structurally singular these are fewer than rows(); the
  /// other rows are given the other columns in ascending order, and the bound above holds for all entries.
  Index structural_rank() const { return rank_; }
  /// r and s. Powers of e beyond the range of a double are cut off at 1e+-150.
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
  std::vector<double> cost_;       // of the stored entries, infinite for zeros
  Vector u_, v_, column_log_;
  Vector row_scale_, column_scale_;

  // One search: distances of columns, the row each was reached from, and what must be undone.
  std::vector<double> distance_;
  std::vector<int> reached_from_;
  std::vector<int> reached_entry_;
  std::vector<char> scanned_;
  std::vector<int> touched_;
  std::vector<Candidate> heap_;
};

}  // namespace slipstick::internal
