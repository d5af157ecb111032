// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include "slipstick/contact/coulomb/newton/coulomb_path.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Interior point method for Coulomb's law, exactly: Newton's method on the central path of CoulombPath with
/// the whole derivative of De Saxce's shift, Mehrotra's predictor and corrector (1992), centring where the
/// step is short and up to three second-order corrections where it is not full. Starts cold, whatever
/// context.r is, which changes only where the answer is better.
///
/// Where contacts are degenerate, neither pressed nor parted, the error falls with the root of tau alone, and
/// the systems lose their digits before it is small. The answer is then near enough for a few steps of the
/// semismooth Newton method, which are tried on the way.
///
/// The law is not monotone, so that the path may have folds, where tau stops falling and the determinant of
/// the system changes its sign. Where the method stalls there, damped steps are tried first: with A + shift
/// in place of A in the systems, but not in the residual, they are steps of the implicit Euler method along a
/// flow whose time is 1 / shift (pseudo-transient continuation, Kelley and Keyes 1998). It passes from a
/// branch that ends to another one, at many contacts at once, while tau waits for the residual to follow. The
/// shift grows where steps are short or the determinant is negative, and falls where they are long.
///
/// Where that fails, continuation by arc length follows the path through the folds, one by one: from tau = 1,
/// tangents in the direction -sign(det), and Newton's method on the path and on the tangent's normal plane
/// (bordered systems) back to ||x o z - tau e|| < 0.3 tau. There s is smoothed much more: near the axes of
/// the cones the bends of ||z_T|| would be sharper than the steps are long.
class NcpIpm : public CoulombMethod {
 public:
  /// `newton_system`: for the steps of the semismooth Newton method on the way.
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
  double offer(const Context& context, double error, const Vector& r, const Vector& l);
  double step_length(const Direction& direction) const;

  NcpIpmSettings settings_;
  Nsn newton_;
  Vector newton_r_, newton_l_;
  double newton_error_ = 0.0;  // below which Newton's method is tried
  CoulombPath path_;
  Direction affine_, direction_, trial_;
  double sigma_ = 0.0;  // of direction_: the gap that it aims at, over the one at hand
  double least_error_ = 0.0;
  Vector u_, residual_;
  // The continuation: the point and the tangent that a step starts from.
  std::vector<CoulombPath::Cone> base_;
  Vector base_l_;
  Direction tangent_;
  double tau_ = 1.0;
  int left_ = 0;  // factorizations
};

}  // namespace slipstick::internal
