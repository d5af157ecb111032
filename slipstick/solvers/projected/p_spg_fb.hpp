// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/projected/spectral_steps.hpp"

namespace slipstick::internal {

/// Preconditioned spectral projected gradients with fallback (Heyn 2012, algorithm P-SPG-FB):
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K any product set.
///
/// P is the averaged diagonal of the blocks of A. The direction is d = P_K(x - alpha P^-1 g) - x. A
/// nonmonotone line search along d follows (Grippo, Lampariello, Lucidi 1986). The next alpha is s'Ps / s'y
/// or s'y / y'P^-1 y (eq. 22 and 23), with the step s and y = A s. The iterate with the least error is
/// returned.
///
/// P is one number on the rows of a set, so d descends. Line 7 (the switch to the plain gradient) is only
/// needed because of rounding. The objective is quadratic: the search needs A d and no other product. An
/// iteration is one product. Objectives are kept as differences to the newest one. Rounding does not blur
/// these differences near the solution. The fallback uses the ruler. Eq. 24 has one step length tau_g for all
/// rows. Additions to the paper: The step is chosen adaptively (Frassoldati, Zanni, Zanghirati 2008). On
/// cones, x moves to the minimum along its ray, as in Apgd.
class PSpgFb : public Solver {
 public:
  explicit PSpgFb(const PSpgFbSettings& settings = {});
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run);
  bool find_direction(const Run& run);
  SpectralSteps::Products multiply_direction(const Run& run);
  void advance(double move);
  void rescale(const Run& run);

  PSpgFbSettings settings_;
  SpectralSteps steps_;
  double slope_ = 0.0;     // g'd
  double rounding_ = 0.0;  // rounding of the slope
  Vector metric_;          // diag P
  Vector x_, g_, d_, Ad_;
  BestIterate best_;
};

}  // namespace slipstick::internal
