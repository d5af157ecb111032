// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/interior_point/interior_point.hpp"
#include "slipstick/solvers/interior_point/ipm_barrier.hpp"
#include "slipstick/solvers/interior_point/ipm_system.hpp"

namespace slipstick::internal {

/// Primal-dual interior point method for
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K cones, bounds and free
///     rows.
/// It has Nesterov-Todd scaling (Nesterov and Todd 1997; Andersen, Roos and Terlaky 2003 for the cones of
/// second order). It has Mehrotra's predictor and corrector (1992).
///
/// With y, s, z and F of IpmBarrier and lambda = F s = F^-1 z, an iteration solves
///
///     (A + F^2) dy = -(1 - sigma) r + F t,  r = A y + b - z,  F ds + F^-1 dz = t,
///
/// first for t = -lambda (sigma = 0, the affine direction), then for lambda o t = -lambda o lambda - ds o dz
/// + sigma tau e. tau is the mean of s'z, and sigma = min(0.01, (gap after the affine step / gap)^3). Both
/// use the same step length. A, b and y belong to x scaled to unit mean diagonals and self-dual cones.
///
/// In contact problems A is singular and x is not unique. To stay exact, F and lambda are updated in the
/// scaled space and never computed from s and z. The systems are solved in the spectral frame of F (see
/// IpmSystem). In addition to Mehrotra's corrector, centrality corrections (Gondzio 1996) lengthen short
/// steps. Each costs one substitution. Returns the best iterate by the measure. y may grow without limit
/// along a direction d of K with b'd < 0 and a very small A d. Then no solution of reasonable size exists.
class Ipm : public InteriorPoint {
 public:
  explicit Ipm(const IpmSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  int default_max_iterations() const override { return 100; }
  void start(const Run& run, bool near) override;
  void follow_path(const Run& run, Monitor& monitor) override;

 private:
  double residual();
  void find_direction(double share);
  double lengthen(double sigma, double step);

  IpmSettings settings_;
  IpmBarrier barrier_;
  IpmSystem system_;
  Vector y_, residual_, direction_, kept_direction_, right_side_;
};

}  // namespace slipstick::internal
