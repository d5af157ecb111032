// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/sim/rigid/accounts.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"
#include "slipstick/sim/rigid/rigid_joint.hpp"
#include "slipstick/sim/rigid/step_contact.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick::internal {

/// Impacts before the step, in rounds. Contacts that close in the step faster than the threshold bounce by
/// Newton's law of restitution. Movable bodies that meet from afar are stopped when they meet, since impulses
/// on two different points would change the angular momentum.
///
/// The bodies of a group that collides go to the instant of its first impact. They get their impulses there,
/// and go back with their new velocities. So the step leads them where they belong. Other contacts then may
/// close too fast, which is the next round: a shock runs through a row of balls like this. A contact that
/// touches slowly is left to the step itself. So are all contacts of a round in which an island is not
/// solved: its impulses are not used, and no other round follows.
class Impacts {
 public:
  struct Scope {
    double time_step = 0.0;
    double threshold = 0.0;  ///< m/s
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  };
  struct Report {
    int rounds = 0;
    double error = 0.0;                ///< the largest certified error
    int unsolved = 0;                  ///< contacts of the last round that are left to the step
    std::array<int, 6> remedies = {};  ///< islands by Remedy whose impulses were used; not those without one
  };

  /// True if a contact bounces in the step.
  bool find_closing(std::span<const MovingBody> bodies, std::span<const StepContact> contacts,
                    const Scope& scope);
  /// Changes the velocities of bodies, shifts them, and updates the gaps of their contacts.
  Report run(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
             std::span<StepContact> contacts, const Scope& scope, StepSolver& solver, Accounts& accounts);

 private:
  struct Closing {
    std::size_t contact;
    double time;  // of the impact, from the start of the step
    bool bounces;
  };

  void group(std::span<const RigidJoint> joints, std::span<const MovingBody> bodies,
             std::span<const StepContact> contacts);

  void strike(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
              std::span<const StepContact> contacts, Accounts& accounts);

  std::vector<Closing> closing_;
  DisjointSets groups_;
  std::vector<double> time_of_;     // of the impact of a group, by its root
  std::vector<double> body_times_;  // < 0: not in a group
  BodyProblem problem_;
  DriverResult result_;
};

}  // namespace slipstick::internal
