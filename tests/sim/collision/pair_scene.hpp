// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/sim/collision/collision.hpp"
#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal {

/// A few bodies with a shape each, and their contacts.
struct PairScene {
  Scene scene;
  std::vector<BodyState> states;
  CollisionScope scope{.time_step = 0.0};

  /// Adds a body and returns its number.
  int add(ShapeGeometry geometry, const Eigen::Vector3d& position, bool movable = true,
          const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity(),
          const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero()) {
    const int shape = static_cast<int>(scene.shapes.size());
    scene.shapes.push_back({.name = {}, .geometry = std::move(geometry)});
    BodySpec body;
    body.kind = movable ? BodyKind::movable : BodyKind::fixed;
    body.shapes.push_back({.shape = shape});
    body.centre_of_mass = Eigen::Vector3d::Zero();
    scene.bodies.push_back(std::move(body));
    states.push_back({position, orientation, velocity, Eigen::Vector3d::Zero()});
    return static_cast<int>(states.size()) - 1;
  }

  std::vector<TouchPoint> find() const {
    Collision collision(scene, {});
    std::vector<TouchPoint> touches;
    collision.find(states, scope, touches);
    return touches;
  }
};

/// Without Bullet, expects that the scene is refused, and returns true.
inline bool is_refused_without_bullet(const PairScene& pair) {
  if (has_bullet()) return false;
  EXPECT_THROW(pair.find(), Error);
  return true;
}

inline Eigen::Quaterniond turned(double angle, const Eigen::Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

}  // namespace slipstick::internal
