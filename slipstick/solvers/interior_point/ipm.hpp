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
///     rows,
/// with Nesterov-Todd scaling (Nesterov and Todd 1997; Andersen, Roos and Terlaky 2003 for the cones of
/// second order) and Mehrotra's predictor and corrector (1992).
///
/// With y, s, z and F of IpmBarrier and lambda = F s = F^-1 z, an iteration solves
///
///     (A + F^2) dy = -(1 - sigma) r + F t,  r = A y + b - z,  F ds + F^-1 dz = t,
///
/// for t = -lambda (sigma = 0, the affine direction), then for lambda o t = -lambda o lambda - ds o dz +
/// sigma tau e with tau the mean of s'z and sigma = min(0.01, (gap after the affine step / gap)^3), and takes
/// one step length for both. A, b and y are those of x scaled to unit mean diagonals and self-dual cones.
///
/// What makes it exact where A is singular and x not unique, as in contact: F and lambda are updated in the
/// scaled space, never computed from s and z, and the systems are solved in F's spectral frame (see
/// IpmSystem). Beyond Mehrotra's corrector, centrality corrections (Gondzio 1996) lengthen short steps, at
/// the price of a substitution each. Returns the best iterate by the measure. Where y grows beyond bounds
/// along a direction d of K with next to no A d and b'd < 0, there is no solution of any sensible size.
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
