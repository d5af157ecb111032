// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// Subspace minimization around a projected sweep (UIC survey, Alg. 2): rounds of `full_sweeps` sweeps over
/// all rows and `reduced_sweeps` over those that are not at a bound, P A P' x = -P b with the others held.
///
/// A reduced sweep reads the free rows of A alone, in place, and keeps projecting, so nothing needs to be
/// undone when a row meets its bound in it. Beyond the paper ("in some cases we can continue reducing"): with
/// `adaptive` the reduced part grows from round to round as long as the free rows stay the same, shrinks
/// again when they change, and ends early once it is down to the tolerance.
///
/// One iteration is one sweep, full or reduced; reduced ones count as the share of a product that they are.
class SubspaceSolver : public SweepSolver {
 protected:
  SubspaceSolver(std::string_view method, const SubspaceSettings& settings);

  /// Alg. 2; sweep.full() and sweep.reduced(free rows) are the two kinds of sweep, and sweep.refresh()
  /// precedes every run of reduced ones.
  template <class Sweep>
  void alternate(const Run& run, Monitor& monitor, Sweep sweep);

 private:
  template <class Sweep>
  bool round(const Run& run, Monitor& monitor, Sweep& sweep);

  SubspaceSettings alternation_;
  std::vector<int> free_rows_;
  int reduced_sweeps_ = 0;  // of the next round
  double swept_rows_ = 0.0;
};

/// Projected Gauss-Seidel with subspace minimization.
class PgsSm : public SubspaceSolver {
 public:
  explicit PgsSm(const PgsSmSettings& settings = {});

 private:
  void run(const Run& run) override;

  PgsSmSettings settings_;
};

/// Projected Jacobi with subspace minimization.
class PjacobiSm : public SubspaceSolver {
 public:
  explicit PjacobiSm(const PjacobiSmSettings& settings = {});

 private:
  void run(const Run& run) override;

  PjacobiSmSettings settings_;
  JacobiRadius radius_;
  Vector partial_sums_;
};

}  // namespace slipstick::internal
