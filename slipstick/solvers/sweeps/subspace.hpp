// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick {

/// The alternation of Alg. 2, common to both methods.
struct SubspaceSettings {
  int full_sweeps = 5;     ///< sweeps over all rows per round, >= 1; UIC survey: 5
  int reduced_sweeps = 3;  ///< sweeps over the free rows per round, >= 0; UIC survey: 3
  bool adaptive = true;    ///< more reduced sweeps while the free rows stay the same; UIC survey: no

  static constexpr auto alternation_fields = std::tuple{
      Field{"full_sweeps", &SubspaceSettings::full_sweeps, 1.0, 1e6, "sweeps over all rows per round"},
      Field{"reduced_sweeps", &SubspaceSettings::reduced_sweeps, 0.0, 1e6,
            "sweeps over the free rows per round"},
      Field{"adaptive", &SubspaceSettings::adaptive, 0.0, 1.0,
            "more reduced sweeps while the free rows stay the same"},
  };
};

struct PgsSmSettings : SubspaceSettings {
  double relaxation = 1.0;  ///< as for Pgs

  static constexpr auto fields =
      std::tuple_cat(alternation_fields, std::tuple{Field{"relaxation", &PgsSmSettings::relaxation, 0.0, 2.0,
                                                          "omega, between 0 and 2 (exclusive)"}});
};

struct PjacobiSmSettings : SubspaceSettings {
  double relaxation = 0.3;  ///< as for Pjacobi

  static constexpr auto fields =
      std::tuple_cat(alternation_fields, std::tuple{Field{"relaxation", &PjacobiSmSettings::relaxation, 0.0,
                                                          2.0, "omega; 0: 1.9 / rho(D^-1 A), estimated"}});
};

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

}  // namespace slipstick
