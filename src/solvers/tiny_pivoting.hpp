// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "slipstick/problems/packed_problem.hpp"
#include "slipstick/solvers/basis_table.hpp"
#include "slipstick/solvers/pivot_watch.hpp"

namespace slipstick {

/// Block principal pivoting on a boxed problem of a handful of rows, A any matrix, with sets of rows as bits
/// and the inverses of a BasisTable: where A and the bounds have been there before, a solve takes some
/// hundred instructions. See DensePivoting for the method. Where pivots lead nowhere and no more than six
/// rows can move, from one bound each, all sets are tried.
class TinyPivoting {
 public:
  static constexpr Index most_rows = BasisTable::most_rows;
  using Mask = BasisTable::Mask;
  /// Entries beyond the rows are 0.
  using Padded = PackedArray<most_rows>;

  /// 1 to most_rows rows. `scale` is the ruler's d. What is kept of an earlier matrix is forgotten where
  /// `other_matrix` is set.
  void load(const PackedProblem& problem, const double* scale, bool other_matrix);

  /// Starts with every row that may be at a bound, or with the set that x shows.
  void start() { start_ = {always_free_, 0}; }
  void start_at(const PackedProblem& problem, const Vector& x);
  /// Pivots for b, padded with zeros, whose norm is given, on the problem that it is loaded with. x() is the
  /// answer where it ends well, and else that of the last set.
  PivotEnd solve(const PackedProblem& problem, const double* b, double norm, int patience,
                 PivotWatch* watch = nullptr);

  /// On K; of the set as it stands where a watch asks.
  const Padded& x() const { return x_; }
  /// How many sets the last solve went through.
  int sets() const { return sets_; }

 private:
  struct Set {
    Mask free = 0;
    Mask upper = 0;  // rows with two bounds, at the upper one
  };
  struct Wrong {
    Mask rows = 0;
    Mask above = 0;  // those between their bounds that are beyond the upper one
  };
  // y is x - origin in the free rows and w in the others. In `plain` solves no row has two bounds, and nobody
  // watches.
  template <int Packs, bool plain>
  PivotEnd pivot(const PackedProblem& problem, const double* b, double norm, int patience, PivotWatch* watch);
  template <int Packs>
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
  Padded origin_ = {}, base_ = {};  // x where every row is at a bound that may be, and A times it
  Padded sign_ = {};                // -0 where the only bound is above
  Padded grace_ = {};               // x of free rows may be wrong by so much more than w of the others
  Mask always_free_ = 0, movable_ = 0, two_sided_ = 0;
  int most_sets_ = 0;  // a matrix that is not a P-matrix may lead in circles

  Set start_;
  Padded x_ = {};
  int sets_ = 0;
};

}  // namespace slipstick
