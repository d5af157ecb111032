// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "slipstick/problems/packed_problem.hpp"
#include "slipstick/solvers/pivot_watch.hpp"

namespace slipstick {

/// Block principal pivoting on a boxed problem of some rows; see DensePivoting for the method. The principal
/// pivot transform of the free set F is kept as a whole,
///     T = [ -A_FF^-1        A_FF^-1 A_FT            ]   c = [ A_FF^-1 b_F            ]
///         [ A_TF A_FF^-1    A_TT - A_TF A_FF^-1 A_FT ]      [ b_T - A_TF A_FF^-1 b_F ]
/// so that z_F = -c_F and w_T = c_T, and a row that changes sides is one sweep over it (Goodnight, A tutorial
/// on the SWEEP operator, 1979): no set is factorized anew, and T starts as A in every solve. Pivots are on
/// the diagonal, which is safe where A is positive definite and else a matter of luck: it ends where one is
/// too small, and who asks has to look at the answer.
class SweepPivoting {
 public:
  static constexpr Index most_rows = 32;
  using Mask = std::uint32_t;  ///< bit i: row i
  /// Entries beyond the rows are 0.
  using Padded = PackedArray<most_rows>;

  /// 1 to most_rows rows. `scale` is the ruler's d.
  void load(const PackedProblem& problem, const double* scale);
  /// Starts with every row that may be at a bound, or with the set that x shows.
  void start();
  void start_at(const PackedProblem& problem, const Vector& x);
  /// Pivots for b on the problem that it is loaded with, until no row is wrong by more than `slack` in w and
  /// slack / d in x. x() is the answer where it ends well, and else that of the last set.
  PivotEnd solve(const PackedProblem& problem, const double* b, double slack, int patience,
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
  template <int Packs>
  PivotEnd pivot(const PackedProblem& problem, const double* b, double slack, int patience,
                 PivotWatch* watch);
  template <int Packs>
  bool move(const PackedProblem& problem, Mask rows, Mask free);
  template <int Packs>
  bool sweep(Index n, Index k, bool enters);
  template <int Packs>
  Wrong find_wrong_rows(const PackedProblem& problem, Set set, double slack);
  template <int Packs>
  void recover(const PackedProblem& problem, Set set);

  // Of the matrix and the bounds, padded with rows that are never wrong.
  Padded origin_ = {}, base_ = {};           // x where every row is at a bound that may be, and A times it
  Padded low_ = {}, high_ = {};              // bounds of x - origin
  Padded tight_low_ = {}, tight_high_ = {};  // of w at the origin
  Padded width_ = {};                        // upper - origin of rows with two bounds
  Padded grace_ = {};                        // 1 / d
  Padded least_ = {};                        // pivots that are large enough
  Mask always_free_ = 0, movable_ = 0, two_sided_ = 0;
  int most_sets_ = 0;  // a matrix that is not a P-matrix may lead in circles

  Set start_;
  PackedVector tableau_;  // T, and c as one more column
  Padded y_ = {};         // x - origin in the free rows and w in the others
  Padded x_ = {};
  int sets_ = 0;
};

}  // namespace slipstick
