// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/solvers/common/active_set_polish.hpp"
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"
#include "slipstick/solvers/pivoting/scaled_box.hpp"

namespace slipstick::internal {

/// A boxed problem as a dense LCP w = M z + q, 0 <= z, w, z'w = 0. The storage is kept.
///
/// BoxLcp starts from ScaledBox. It eliminates free unknowns by threshold pivoting (UIC survey, eq. 12-13).
/// If their block is singular, each remaining free unknown is exchanged together with a bounded row. The LCP
/// then starts from another complementary basis. Free unknowns without such a pivot are split into positive
/// and negative parts. A row with two bounds stays one row, z <= width. If it was exchanged, it gets another
/// row for the multiplier of its upper bound.
class BoxLcp {
 public:
  /// Returns false if the free rows contradict each other. There is no solution then.
  bool build(const Problem& problem);

  Index rows() const { return q_.size(); }
  const DenseMatrix& M() const { return M_; }
  const Vector& q() const { return q_; }
  /// Upper bounds of z, infinite ones included.
  const Vector& width() const { return lcp_width_; }

  /// x and the active set of the tableau's basis.
  void recover(const LemkeTableau& tableau, VectorView x, std::vector<Place>& places);

  /// The combination d of the problem's rows that v >= 0 with M'v <= 0 stands for: d'(A x + b) has no free
  /// unknown, and otherwise what v'(M z + q) has, up to a positive factor. Rows of eliminated free unknowns
  /// enter by least squares. So d is to be checked.
  void combine_rows(const Problem& problem, const Vector& v, Vector& d) const;
  /// After build() has returned false: a combination of the free rows that is negative for every x.
  void find_contradiction(const Problem& problem, Vector& d) const;

  /// Rows with a bound that are not fixed. This is the size of the LCP without splits and multipliers.
  static Index count_rows(const ProductSet& K);

 private:
  void number_variables();
  bool eliminate_free_unknown();
  bool exchange_free_unknown();
  bool drop_empty_rows();
  void add_eliminated_rows(const Problem& problem, const Vector& targets, Vector& d) const;
  void drop_column(Index column);
  void assemble();

  // The matrix of box_ is the dictionary while free unknowns are eliminated; column 0 holds the constants.
  // Unknowns are numbered as in box_. The slack of row k is size + k.
  ScaledBox box_;
  Index size_ = 0;
  Index pairs_ = 0;
  std::vector<Index> mirrored_;  // exchanged pairs with two bounds
  Index columns_ = 0;
  std::vector<Index> column_variable_;
  std::vector<Index> row_variable_;
  std::vector<Index> open_rows_, open_columns_;  // slacks of free rows, free unknowns not yet basic
  Index contradiction_ = 0;                      // the row that no x meets
  std::vector<Index> pair_row_, pair_column_;
  std::vector<char> exchanged_;  // per pair: z is basic in the dictionary
  Vector scratch_, values_;

  // A row of the LCP and the column of its z: row and column of the dictionary, -1 if there is none.
  struct LcpRow {
    Index row, column;
    double sign;
  };
  std::vector<LcpRow> lcp_rows_;
  DenseMatrix M_;
  Vector q_, lcp_width_;
};

}  // namespace slipstick::internal
