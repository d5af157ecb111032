// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/solvers/pivoting/basis_table.hpp"
#include "slipstick/solvers/pivoting/pivot_rows.hpp"
#include "slipstick/solvers/pivoting/pivot_watch.hpp"

namespace slipstick {

/// Block principal pivoting on a boxed problem of a handful of rows, A any matrix, with sets of rows as bits
/// and the inverses of a BasisTable: where A and the bounds have been there before, a solve takes some
/// hundred instructions. See DensePivoting for the method. Where pivots lead nowhere and no more than six
/// rows can move, from one bound each, all sets are tried.
class TinyPivoting : public PivotRows<BasisTable::most_rows> {
 public:
  /// 1 to most_rows rows. `scale` is the ruler's d. What is kept of an earlier matrix is forgotten where
  /// `other_matrix` is set.
  void load(const PackedProblem& problem, const double* scale, bool other_matrix);
  /// Pivots for b, padded with zeros, whose norm is given, on the problem that it is loaded with. x() is the
  /// answer where it ends well, and else that of the last set.
  PivotEnd solve(const PackedProblem& problem, const double* b, double norm, int patience,
                 PivotWatch* watch = nullptr);

 private:
  // y is x - origin in the free rows, multiplied by weights, and w in the others. In `plain` solves all
  // bounds are below, and nobody watches.
  template <int Packs, bool plain>
  PivotEnd pivot(const PackedProblem& problem, const double* b, double norm, int patience, PivotWatch* watch);
  Mask foreseen(int left, Mask free);
  template <int Packs, bool plain>
  PivotEnd try_all_sets(const PackedProblem& problem, const Padded& q, double slack, PivotWatch* watch);
  template <int Packs, bool plain>
  bool solve_set(const PackedProblem& problem, Set set, const Padded& q, Pack (&y)[Packs]);
  template <int Packs, bool plain>
  Wrong find_wrong_rows(const PackedProblem& problem, Set set, double slack, const Pack (&y)[Packs]) const;
  template <int Packs>
  void recover(const PackedProblem& problem, Set set, const Pack (&y)[Packs]);
  void shift(const PackedProblem& problem, Mask upper, Padded& q) const;
  void look_at_upper_bounds(const PackedProblem& problem, Set set, double slack, const Padded& y,
                            Wrong& wrong) const;

  // Of the matrix and the bounds.
  BasisTable table_;
  Padded sign_ = {};  // -0 where the only bound is above
  bool from_below_ = false;
  std::array<Mask, 16> path_ = {};  // the sets of the last solve
  int most_sets_ = 0;               // a matrix that is not a P-matrix may lead in circles
};

}  // namespace slipstick
