// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Preconditioned spectral projected gradients with fallback (Heyn 2012, algorithm P-SPG-FB) for
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K any product set.
///
/// d = P_K(x - alpha P^-1 g) - x with the averaged diagonal P of the blocks of A, then a nonmonotone line
/// search along d (Grippo, Lampariello, Lucidi 1986), then alpha from the step s and y = A s:
/// s'Ps / s'y or s'y / y'P^-1 y (eq. 22 and 23). The iterate with the least error is returned.
///
/// P is one number on the rows that a set ties together, so d descends, and line 7 (the switch to the plain
/// gradient) is there for rounding alone. The objective is quadratic: the search needs A d and no other
/// product, so an iteration is one product. Objectives are kept as differences to the newest one, which
/// rounding does not blur near the solution. The fallback judges by the ruler where eq. 24 has one step
/// length tau_g for all rows. Beyond the paper: the adaptive choice of the step (Frassoldati, Zanni,
/// Zanghirati 2008) and, on cones, the move to the minimum along the ray of x, as in Apgd.
class PSpgFb : public Solver {
 public:
  explicit PSpgFb(const PSpgFbSettings& settings = {});
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  struct Products {
    double length = 0.0;     // d'Pd
    double curvature = 0.0;  // d'Ad
    double image = 0.0;      // (Ad)'P^-1 Ad
  };

  void prepare(const Run& run);
  bool find_direction(const Run& run);
  Products multiply_direction(const Run& run);
  double search(const Products& products) const;
  void advance(double move);
  void remember(double change);
  double next_step(const Products& products);
  void rescale(const Run& run);

  PSpgFbSettings settings_;
  double alpha_ = 1.0;
  double threshold_ = 0.5;  // of the adaptive choice
  int short_steps_ = 0;
  int iteration_ = 0;
  int rounded_steps_ = 0;
  double slope_ = 0.0;     // g'd
  double rounding_ = 0.0;  // of the slope
  Vector recent_;          // the last short steps
  Vector rise_;            // objectives of the last iterates, above that of the newest
  Vector metric_;          // diag P
  Vector x_, g_, d_, Ad_;
  BestIterate best_;
};

}  // namespace slipstick::internal
