// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/projection.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double enough = 1e-2;  // error of an answer that is used

}  // namespace

Projection::Outcome Projection::run(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
                                    std::span<StepContact> contacts,
                                    std::span<const Eigen::Matrix3d> stiffness, const Sleep& sleep,
                                    double time_step, StepSolver& solver) {
  const auto moves = [&](std::size_t k) { return bodies[k].movable() && !sleep.sleeps(static_cast<int>(k)); };
  bool needed = std::any_of(joints.begin(), joints.end(), [&](const RigidJoint& joint) {
    return joint.needs_projection(bodies, joint_share);
  });
  for (const StepContact& contact : contacts)
    needed = needed || contact.gap < -contact_share * contact.extent;
  if (!needed) return Outcome::not_needed;

  problem_.reset(static_cast<Index>(bodies.size()));
  for (std::size_t k = 0; k < bodies.size(); ++k)
    problem_.set_body(
        static_cast<Index>(k),
        moves(k) ? bodies[k].projection_data(time_step * time_step * stiffness[k]) : RigidBody{});
  // As contacts without friction: methods for many of these are faster than those for rows with bounds.
  for (const StepContact& contact : contacts) {
    const bool touches = std::abs(contact.gap) <= contact_share * contact.extent;
    ContactSpec spec = contact.spec(bodies, {touches ? 0.0 : contact.gap / time_step, 0.0, 0.0});
    spec.mu = 0.0;
    problem_.add_contact(contact.key, spec);
  }
  for (const RigidJoint& joint : joints) joint.add_projection(bodies, joint_share, time_step, problem_);
  solver.solve(problem_, result_);
  const bool solved = std::all_of(result_.islands.begin(), result_.islands.end(),
                                  [](const IslandReport& island) { return island.error <= enough; });
  if (!solved || result_.v.size() != 6 * static_cast<Index>(bodies.size()) || !result_.v.allFinite())
    return Outcome::unsolved;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (!moves(k)) continue;
    const auto velocity = result_.v.segment<6>(6 * static_cast<Index>(k));
    bodies[k].shift(time_step * velocity.head<3>(), time_step * velocity.tail<3>());
  }
  for (StepContact& contact : contacts) contact.update(bodies);
  return Outcome::moved;
}

}  // namespace slipstick::internal
