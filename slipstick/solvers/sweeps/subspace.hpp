// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// Subspace minimization around a projected sweep (UIC survey, Alg. 2). A round has `full_sweeps` sweeps over
/// all rows and `reduced_sweeps` over the free rows, P A P' x = -P b with the others held.
///
/// A reduced sweep reads only the free rows of A, in place. It also projects, so a row that meets its bound
/// needs no correction. The paper says "in some cases we can continue reducing". `adaptive` does so: The
/// number of reduced sweeps grows from round to round while the free rows stay the same. It shrinks when they
/// change. The reduced sweeps end early at the tolerance.
///
/// One iteration is one sweep, full or reduced. A reduced sweep counts as its share of a product.
class SubspaceSolver : public SweepSolver {
 protected:
  SubspaceSolver(std::string_view method, const SubspaceSettings& settings);

  /// Alg. 2: sweep.full() and sweep.reduced(free rows) are the two kinds of sweep. sweep.refresh() precedes
  /// every run of reduced sweeps.
  template <class Sweep>
  void alternate(const Run& run, Monitor& monitor, Sweep sweep);

 private:
  template <class Sweep>
  bool round(const Run& run, Monitor& monitor, Sweep& sweep);

  SubspaceSettings alternation_;
  std::vector<int> free_rows_;
  int reduced_sweeps_ = 0;  // number in the next round
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
