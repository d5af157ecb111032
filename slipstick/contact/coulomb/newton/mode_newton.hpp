// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact/coulomb/newton/scaled_island.hpp"

namespace slipstick::internal {

/// Full Newton steps on the natural map of Coulomb's law. It is x = P(x - z) with z = y + (||y_T||, 0, 0), in
/// the scale of ScaledIsland. The place of x - z determines the mode of a contact.
/// - In the cone it sticks: y + dy = 0.
/// - In the polar cone it is open: x + dx = 0.
/// - Elsewhere it slides. With n = y_T / ||y_T||:
///       y_N + dy_N = 0,  x_T + dx_T = -(x_N + dx_N) n - x_N (1 - n n') dy_T / ||y_T||.
///
/// Under the law of boxes a contact with x_N - y_N > 0 is closed: y_N + dy_N = 0. Its tangent i sticks
/// if x_i - y_i is between -x_N and x_N. Otherwise it slides with x_i + dx_i = x_N + dx_N on that side.
///
/// The row of a joint has y + dy = 0 if x - y is inside its bounds, otherwise it goes to the bound. Where y
/// is prescribed, delta dx is added, since contacts may be redundant. The steps serve the last digits. The
/// error may rise on the way, while contacts without impulse and velocity change their modes.
class ModeNewton {
 public:
  explicit ModeNewton(SharedSystem system = std::make_shared<ContactSystem>())
      : shared_(std::move(system)), system_(*shared_) {}
  /// Starts from r and returns its error, relative to the target of the run. The island must be the one that
  /// `scaled` and the system are prepared for.
  double start(const CoulombMethod::Context& context, const ScaledIsland& scaled, const Vector& r);
  /// Makes a step and returns the error, infinity if there is no step.
  double step(const CoulombMethod::Context& context, const ScaledIsland& scaled, double delta);
  const Vector& r() const { return r_; }

 private:
  // The mode of a contact.
  struct Mode {
    int size = 0;  // unknowns
    bool slides = false;
    bool boxed = false;
    int places[2] = {-1, -1};      // boxed: the unknowns of the tangents, -1: slides
    double along[2] = {1.0, 0.0};  // n
    double curvature = 0.0;        // ||y_T|| / x_N of a contact that slides
  };
  double evaluate(const CoulombMethod::Context& context, const ScaledIsland& scaled);
  void choose_mode(const ScaledIsland& scaled, std::size_t i, double delta, bool boxes);
  void choose_box(std::size_t i);
  void choose_rows(const ScaledIsland& scaled, double delta);
  ConePoint column(const ScaledIsland& scaled, std::size_t i, int c, bool right) const;

  SharedSystem shared_;
  ContactSystem& system_;
  std::vector<Mode> modes_;
  std::vector<int> row_places_;  // place of a row among the unknowns of its node, -1: at a bound
  ScaledIsland::Values x_, y_;
  Vector r_, u_, right_side_;
};

}  // namespace slipstick::internal
