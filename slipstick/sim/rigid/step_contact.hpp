// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <span>

#include "slipstick/body_problem.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"
#include "slipstick/sim/collision/collision.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"

namespace slipstick::internal {

/// A contact of a step, fixed to its bodies.
struct StepContact : TouchPoint {
  double mu = 0.0;
  double restitution = 0.0;
  double tangential_restitution = 0.0;
  double extent = 0.0;                         ///< the smallest one of the smaller of both bodies
  std::array<Eigen::Vector3d, 2> places = {};  ///< the places that touch, in the axes of each body
  bool near = true;                            ///< impulses act on one point, from the start of the step

  StepContact() = default;
  StepContact(const TouchPoint& touch, std::span<const MovingBody> all) : TouchPoint(touch) {
    const double rest = gap - normal.dot(points[0] - points[1]);
    near = points[0] == points[1];
    places = {first(all).to_body(points[0] + 0.5 * rest * normal),
              second(all).to_body(points[1] - 0.5 * rest * normal)};
  }

  const MovingBody& first(std::span<const MovingBody> all) const {
    return all[static_cast<std::size_t>(bodies[0])];
  }
  const MovingBody& second(std::span<const MovingBody> all) const {
    return all[static_cast<std::size_t>(bodies[1])];
  }

  /// Gap and points after the bodies have moved. The normal stays. If the places touch, the point is one.
  void update(std::span<const MovingBody> all, bool touching = false) {
    const Eigen::Vector3d a = first(all).to_world(places[0]), b = second(all).to_world(places[1]);
    gap = normal.dot(a - b);
    points = {a, b};
    if (near || touching) points[0] = points[1] = 0.5 * (a + b);
  }

  /// Impulses act on one point from now on. Friction on two points would change the angular momentum.
  void join_points() {
    points[0] = points[1] = 0.5 * (points[0] + points[1]);
    near = true;
  }

  /// The velocity of the first body against the second.
  Eigen::Vector3d velocity(std::span<const MovingBody> all) const {
    return first(all).velocity_at(points[0]) - second(all).velocity_at(points[1]);
  }

  ContactSpec spec(std::span<const MovingBody> all, const SmallVector& bias) const {
    return {.bodies = bodies,
            .frame = contact_frame(normal).transpose(),
            .arms = {points[0] - first(all).position(), points[1] - second(all).position()},
            .mu = mu,
            .bias = bias};
  }
};

}  // namespace slipstick::internal
