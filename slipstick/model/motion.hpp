// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

/// Velocity of a body's origin, and spin, in world axes.
struct Twist {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
};

/// The rotation by a rotation vector, and the vector of a rotation. Its length is at most pi.
Eigen::Quaterniond rotation_by(const Eigen::Vector3d& vector);
Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& rotation);

/// Where a moved body is at time t, if it was at `start` by its BodySpec. Key frames ignore `start`.
Pose pose_at(const Motion& motion, const Pose& start, double t);

/// The constant velocity and spin that lead from pose_at(t) to pose_at(t + step). A belt stays: all is 0.
Twist twist_over(const Motion& motion, const Pose& start, double t, double step);

/// What the surface moves by beside its body: of belts; all is 0 for other motions.
Twist belt_twist(const Motion& motion);

}  // namespace slipstick::internal
