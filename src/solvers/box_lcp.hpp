// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problems/problem.hpp"
#include "slipstick/solvers/active_set_polish.hpp"
#include "slipstick/solvers/lemke_tableau.hpp"

namespace slipstick {

/// A boxed problem as a dense LCP w = M z + q, 0 <= z, w, z'w = 0, in storage that is kept.
///
/// Rows and columns are scaled to size 1, independently of each other (complementarity asks for signs only);
/// fixed rows are substituted, lower bounds shifted to 0, rows bounded from above alone reflected. Free
/// unknowns are eliminated by complete pivoting (UIC survey, eq. 12-13). Where their block is singular, the
/// rest are exchanged together with a bounded row each, so that the LCP starts from another complementary
/// basis; what no such pivot reaches is split into positive and negative parts. A row with two bounds gets a
/// row for the multiplier of its upper bound: s = upper - lower - z, 0 <= s, mu, s mu = 0.
class BoxLcp {
 public:
  /// Returns false where the free rows contradict each other, so that there is no solution.
  bool build(const Problem& problem);

  Index rows() const { return q_.size(); }
  const DenseMatrix& M() const { return M_; }
  const Vector& q() const { return q_; }

  /// x and the active set of the tableau's basis.
  void recover(const Problem& problem, const LemkeTableau& tableau, VectorView x, std::vector<Place>& places);

  /// Rows that build() would need for the problem, without eliminating anything.
  static Index count_rows(const ProductSet& K);

 private:
  void classify(const Problem& problem);
  void fill(const Problem& problem);
  void scale();
  bool eliminate_free_unknown();
  bool exchange_free_unknown();
  bool drop_empty_rows();
  void drop_column(Index column);
  void assemble(const Problem& problem);
  bool is_pair(int variable) const { return variable < pairs_; }

  // Unknowns of the dictionary are numbered by position in rows_ (bounded ones, the pairs, first), the slack
  // of that row is size_ + position.
  std::vector<int> rows_;
  int pairs_ = 0;
  int size_ = 0;
  std::vector<int> two_sided_;
  Vector base_, sign_, offset_;
  Vector row_scale_, column_scale_;
  double unit_ = 1.0;  // of the constants

  DenseMatrix dictionary_;  // column 0: constants
  Index columns_ = 0;
  std::vector<int> column_variable_;
  std::vector<int> row_variable_;
  std::vector<Index> open_rows_, open_columns_;  // slacks of free rows, free unknowns not yet basic
  std::vector<Index> pair_row_, pair_column_;
  std::vector<char> exchanged_;  // per pair: z is basic in the dictionary
  Index splits_ = 0;
  Vector scratch_, values_;
  std::vector<int> place_;

  // Row and column of the dictionary behind those of the LCP, with the sign; 0 where there is none.
  std::vector<Index> lcp_row_, lcp_column_;
  std::vector<double> lcp_row_sign_, lcp_column_sign_;
  DenseMatrix M_;
  Vector q_;
};

}  // namespace slipstick
