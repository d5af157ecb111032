// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/solvers/pivoting/pivot_rows.hpp"
#include "slipstick/solvers/pivoting/pivot_watch.hpp"

namespace slipstick {

/// Block principal pivoting on a boxed problem of some rows; see DensePivoting for the method. The principal
/// pivot transform of the free set F is kept as a whole,
///     T = [ -A_FF^-1        A_FF^-1 A_FT            ]   c = [ A_FF^-1 b_F            ]
///         [ A_TF A_FF^-1    A_TT - A_TF A_FF^-1 A_FT ]      [ b_T - A_TF A_FF^-1 b_F ]
/// so that z_F = -c_F and w_T = c_T, and a row that changes sides is one sweep over it (Goodnight, A tutorial
/// on the SWEEP operator, 1979): no set is factorized anew, and T starts as A in every solve. Of a symmetric
/// T the packs on and below the diagonal are enough. Pivots are on the diagonal, which is safe where A is
/// positive definite and else a matter of luck: it ends where one is too small, and who asks has to look at
/// the answer.
class SweepPivoting : public PivotRows<32> {
 public:
  /// 1 to most_rows rows. `scale` is the ruler's d.
  void load(const PackedProblem& problem, const double* scale);
  /// Pivots for b on the problem that it is loaded with, until no row is wrong by more than `slack` in w and
  /// slack / d in x. x() is the answer where it ends well, and else that of the last set.
  PivotEnd solve(const PackedProblem& problem, const double* b, double slack, int patience,
                 PivotWatch* watch = nullptr);

 private:
  template <int Packs, bool symmetric>
  PivotEnd pivot(const PackedProblem& problem, const double* b, double slack, int patience,
                 PivotWatch* watch);
  template <int Packs, bool symmetric>
  bool move(const PackedProblem& problem, Mask rows, Mask free);
  template <int Packs, bool symmetric>
  void load_column(Index k, Pack (&rows)[Packs]) const;
  template <int Packs, bool symmetric>
  bool sweep(Index n, Index k, bool enters);
  template <int Packs, bool symmetric>
  Wrong find_wrong_rows(const PackedProblem& problem, Set set, double slack);
  template <int Packs>
  void recover_x(const PackedProblem& problem, Set set);

  // Of the matrix and the bounds, padded with rows that are never wrong.
  Padded low_ = {}, high_ = {};              // bounds of x - origin
  Padded tight_low_ = {}, tight_high_ = {};  // of w at the origin
  Padded width_ = {};                        // upper - origin of rows with two bounds
  Padded least_ = {};                        // pivots that are large enough
  int most_sets_ = 0;                        // a matrix that is not a P-matrix may lead in circles
  bool symmetric_ = false;

  PackedVector tableau_;  // T, and c as one more column
  Padded y_ = {};         // x - origin in the free rows and w in the others
};

}  // namespace slipstick
