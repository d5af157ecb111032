// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <span>

#include "slipstick/body_problem.hpp"
#include "slipstick/sim/rigid/body.hpp"

namespace slipstick::internal {

/// Two bodies, or a body and the world (-1), share a point.
struct BallJoint {
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in world axes, when the joint is added
};

/// Drives a hinge to a speed with at most this torque >= 0. Errors of its island are relative to the speed,
/// so one that is far out of reach makes them large.
struct Motor {
  double speed = 0.0;
  double torque = 0.0;
};

/// Two bodies, or a body and the world (-1), share a point and an axis. The angle is that of the first body
/// against the second about the axis. It is 0 when the hinge is added, and counts whole turns.
struct Hinge {
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in world axes, like the axis
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  double lower = -std::numeric_limits<double>::infinity();  ///< stops of the angle
  double upper = std::numeric_limits<double>::infinity();
  Motor motor = {};
};

/// What a joint needs to know about a step.
struct JointScope {
  double time_step = 0.0;
  double correction = 0.0;  ///< share of an error, or of an angle beyond a stop, that a step removes
  double margin = 0.0;      ///< stops within this angle are listed anyway
};

/// A joint of the simulator, of either kind, with what it knows about its bodies.
class Joint {
 public:
  /// Bad data throw an Error that names the joint by its number.
  Joint(const BallJoint& joint, std::span<const Body> bodies, int number);
  Joint(const Hinge& hinge, std::span<const Body> bodies, int number);

  const std::array<int, 2>& bodies() const { return bodies_; }
  bool is_hinge() const { return is_hinge_; }
  double angle() const { return angle_; }
  void set_motor(const Motor& motor);

  /// Adds the rows of the joint, of its stops and of its motor. A stop may be reached exactly. It is listed
  /// if the joint can reach it in the step, by the spins and the speed of the motor. A stop far away would
  /// have a large bias, and errors are relative to that.
  void add_rows(std::span<const Body> bodies, const JointScope& scope, BodyProblem& problem) const;

  /// Call it after the bodies have moved.
  void update_angle(std::span<const Body> bodies);

  /// The distance of the two anchors.
  double error(std::span<const Body> bodies) const;

 private:
  Joint(std::array<int, 2> bodies, const Eigen::Vector3d& point, std::span<const Body> all, int number);

  int number_ = 0;
  std::array<int, 2> bodies_ = {-1, -1};
  std::array<Eigen::Vector3d, 2> anchors_;  // in the axes of each body
  bool is_hinge_ = false;
  std::array<Eigen::Vector3d, 2> axes_;  // the same
  Eigen::Quaterniond reference_ =
      Eigen::Quaterniond::Identity();  // of the first against the second, at angle 0
  double lower_ = 0.0, upper_ = 0.0;
  Motor motor_;
  double angle_ = 0.0;
};

}  // namespace slipstick::internal
