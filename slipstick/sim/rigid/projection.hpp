// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/body_problem.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"
#include "slipstick/sim/rigid/rigid_joint.hpp"
#include "slipstick/sim/rigid/sleep.hpp"
#include "slipstick/sim/rigid/step_contact.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick::internal {

/// Moves the bodies out of each other and joints together after a step, by the smallest displacements in the
/// metric of the masses. Velocities do not change, so it adds no kinetic energy. The centre of mass of bodies
/// that touch nothing immovable stays where it is.
class Projection {
 public:
  /// Penetrations above this share of the smaller body's extent are removed, and errors of joints above this
  /// share of their arms. Smaller ones are rounding, and what a tolerance leaves.
  static constexpr double contact_share = 1e-6;
  static constexpr double joint_share = 1e-5;

  enum class Outcome {
    not_needed,  ///< errors are small
    moved,
    unsolved,  ///< nothing moved
  };

  /// `stiffness` is the geometric one of each body. What sleeps stays where it is.
  Outcome run(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
              std::span<StepContact> contacts, std::span<const Eigen::Matrix3d> stiffness, const Sleep& sleep,
              double time_step, StepSolver& solver);

 private:
  BodyProblem problem_;
  DriverResult result_;
};

}  // namespace slipstick::internal
