// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/interior_point/interior_point.hpp"
#include "slipstick/solvers/interior_point/pdip_barrier.hpp"
#include "slipstick/solvers/interior_point/pdip_system.hpp"

namespace slipstick::internal {

/// What BiCGStab and SPIKE are asked for.
KrylovSettings pdip_krylov_settings(const PdipCommonSettings& settings);
BandedPreconditionerSettings pdip_preconditioner_settings(const PPdipSettings& settings);

/// Primal-dual interior point method (Melanz 2015, algorithm PD-IP; Boyd and Vandenberghe 2004, 11.7) for
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K cones, bounds and free
///     rows.
/// A contact has two barrier functions. See PdipBarrier for the f_i and ConeUnknowns for the scaled y.
///
/// With r_dual = A y + b + sum lambda_i grad f_i and r_cent = (lambda_i (-f_i) - 1/t), an iteration
///  (1) computes t = mu m / gap, gap = -sum lambda_i f_i,
///  (2) solves Newton's system for r_dual = 0, r_cent = 0, with the multipliers eliminated,
///
///          (A + sum lambda_i Hess f_i + sum lambda_i / (-f_i) grad f_i grad f_i') dy
///              = -r_dual + sum grad f_i (lambda_i - 1/(t (-f_i))),
///
///  (3) goes by the longest step up to 1 that keeps f_i < 0 < lambda_i, halved until ||(r_dual, r_cent)||
///      falls.
/// pdip finds the direction by a Cholesky factorization or by BiCGStab(2) without a preconditioner. p-pdip
/// uses BiCGStab(2) with SPIKE as the preconditioner. If A is a body graph, SPIKE works on the bodies and not
/// on the contacts (see PdipSystem). BiCGStab continues to a relative residual of 1e-8. With less accurate
/// directions the method stalls on most problems that are not generated packings.
///
/// Deviations from the paper, without which the method stalls on rank-deficient A: The second function is
/// divided by y_N. Steps are bent at contacts that open (see PdipBarrier). mu is Mehrotra's, 1 / mu = (gap
/// after the direction for 1/t = 0 / gap)^3, limited by the given mu. The direction is corrected by the
/// residual that the first direction leaves, measured half way along it. If the corrected direction allows
/// only a short step, Newton's direction is taken. Steps leave no product lambda_i (-f_i) below a hundredth
/// of the mean. Returns the best iterate by the measure.
class Pdip : public InteriorPoint {
 public:
  explicit Pdip(const PdipSettings& settings = {});
  explicit Pdip(const PPdipSettings& settings);
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  /// With systems of another kind.
  Pdip(std::string_view name, const PdipCommonSettings& settings, std::unique_ptr<PdipSystem> system);
  PdipSystem& system() { return *system_; }
  int default_max_iterations() const override { return 200; }
  void start(const Run& run, bool near) override;
  void follow_path(const Run& run, Monitor& monitor) override;

 private:
  void find_residual();
  void find_newton_direction(const Run& run, double tau);
  double find_corrected_direction(const Run& run);
  void solve_direction(const Run& run);
  void multiply(const Run& run, const Vector& v, Vector& result);
  double find_step(double tau);
  double residual_after(double step, double tau);

  std::string_view name_;
  PdipCommonSettings settings_;
  PdipBarrier barrier_;
  std::unique_ptr<PdipSystem> system_;
  Vector y_, direction_, right_side_;
  Vector slope_, dual_;   // A y + b and r_dual
  Vector change_, bend_;  // the slope changes by s change + s^2 bend after a step s
  Vector trial_;          // r_dual after a step
};

}  // namespace slipstick::internal
