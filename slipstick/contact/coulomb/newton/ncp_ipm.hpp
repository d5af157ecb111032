// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/newton/coulomb_path.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Interior point method for Coulomb's law, exactly. It is Newton's method on the central path of CoulombPath
/// with the whole derivative of De Saxce's shift. It has Mehrotra's predictor and corrector (1992). A short
/// step gets centring. A step that is not full gets up to three second-order corrections. If context.warm, it
/// starts near context.r first. Otherwise, or if that fails, it starts cold. context.r changes only if the
/// answer is better.
///
/// A degenerate contact has neither impulse nor velocity. There the error falls only with the root of tau,
/// and the systems lose their digits before it is small. The answer is then near enough for a few steps of
/// the semismooth Newton method, which are tried on the way.
///
/// The law is not monotone. The path may therefore have folds, at which tau stops falling and the determinant
/// of the system changes its sign. If the method stalls there, damped steps are tried first, with A + shift
/// instead of A in the systems, but not in the residual. They are steps of the implicit Euler method along a
/// flow with the time step 1 / shift (pseudo-transient continuation, Kelley and Keyes 1998). The flow moves
/// from a branch that ends to another one, at many contacts at once. Meanwhile tau waits until the residual
/// is small. The shift grows if steps are short or the determinant is negative. It falls if steps are long.
///
/// If that fails, continuation by arc length follows the path through the folds, one by one. It starts at tau
/// = 1, with tangents in the direction -sign(det). Newton's method on the path and on the normal plane of the
/// tangent (bordered systems) returns to ||x o z - tau e|| < 0.3 tau. s is smoothed much more there.
/// Otherwise the bends of ||z_T|| near the axes of the cones would be sharper than the steps are long.
class NcpIpm : public CoulombMethod {
 public:
  /// `newton_system` serves the steps of the semismooth Newton method.
  explicit NcpIpm(const NcpIpmSettings& settings = {},
                  SharedSystem system = std::make_shared<ContactSystem>(),
                  SharedSystem newton_system = std::make_shared<ContactSystem>());
  std::string_view name() const override { return "ncp-ipm"; }
  bool takes_products_only() const override { return true; }
  void run(const Context& context) override;

 private:
  using Direction = CoulombPath::Direction;
  bool follow_path(const Context& context, bool near);
  bool jump_folds(const Context& context);
  void try_newton(const Context& context, double error);
  double find_direction(double gap);
  double find_centring(double gap);
  bool follow_arc(const Context& context);
  bool centre(const Context& context, double tau);
  bool correct(const Context& context, double base_tau, double slope, int& corrections);
  double off_path(double tau) const;
  double offer(const Context& context, double error);
  double offer(const Context& context, double error, const Vector& r);
  double step_length(const Direction& direction) const;

  NcpIpmSettings settings_;
  Nsn newton_;
  Vector newton_r_;
  double newton_error_ = 0.0;  // below this error Newton's method is tried
  CoulombPath path_;
  Direction affine_, direction_, trial_;
  double sigma_ = 0.0;  // gap that direction_ aims at, relative to the present gap
  double least_error_ = 0.0;
  Vector u_;
  // Continuation: the point and the tangent at the start of a step.
  std::vector<CoulombPath::Cone> base_;
  Vector base_rows_;
  Direction tangent_;
  double tau_ = 1.0;
  int left_ = 0;  // factorizations that are left
};

}  // namespace slipstick::internal
