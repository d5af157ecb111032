// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/impacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr double afar = 0.02;  // of the smaller extent

// Free motion of the gap: gap + speed t + acceleration t^2 / 2. The first time in [0, end] at which it is
// closing at zero or below.
std::optional<double> closing_time(double gap, double speed, double acceleration, double end) {
  if (gap <= 0.0) return speed < 0.0 ? std::optional(0.0) : std::nullopt;
  const double root = speed * speed - 2.0 * acceleration * gap;
  if (root < 0.0) return std::nullopt;
  const double denominator = -speed + std::sqrt(root);
  if (denominator <= 0.0) return std::nullopt;
  const double time = 2.0 * gap / denominator;
  return time <= end ? std::optional(time) : std::nullopt;
}

Vector3d fall(const MovingBody& body, const Vector3d& gravity) {
  return body.movable() ? gravity : Vector3d(Vector3d::Zero());
}

double acceleration_of(const StepContact& contact, std::span<const MovingBody> bodies,
                       const Vector3d& gravity) {
  return contact.normal.dot(fall(contact.first(bodies), gravity) - fall(contact.second(bodies), gravity));
}

}  // namespace

bool Impacts::find_closing(std::span<const MovingBody> bodies, std::span<const StepContact> contacts,
                           const Scope& scope) {
  closing_.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const StepContact& contact = contacts[k];
    // Bodies that meet from afar have one point for their impulses only when they meet.
    const bool meets = !contact.near && contact.gap > afar * contact.extent &&
                       contact.first(bodies).movable() && contact.second(bodies).movable();
    if (contact.restitution == 0.0 && !meets) continue;
    const double speed = contact.normal.dot(contact.velocity(bodies));
    const double acceleration = acceleration_of(contact, bodies, scope.gravity);
    const auto time = closing_time(contact.gap, speed, acceleration, scope.time_step);
    if (!time) continue;
    const bool bounces = contact.restitution > 0.0 && -(speed + acceleration * *time) > scope.threshold;
    if (bounces || meets) closing_.push_back({k, *time, bounces});
  }
  return !closing_.empty();
}

void Impacts::group(std::span<const RigidJoint> joints, std::span<const MovingBody> bodies,
                    std::span<const StepContact> contacts) {
  groups_.reset(bodies.size());
  const auto join = [&](const std::array<int, 2>& pair) {
    if (pair[0] < 0 || pair[1] < 0) return;
    if (bodies[static_cast<std::size_t>(pair[0])].movable() &&
        bodies[static_cast<std::size_t>(pair[1])].movable())
      groups_.join(pair[0], pair[1]);
  };
  for (const RigidJoint& joint : joints)
    if (!joint.broken()) join(joint.bodies());
  for (const Closing& closing : closing_) join(contacts[closing.contact].bodies);

  constexpr double never = std::numeric_limits<double>::infinity();
  time_of_.assign(bodies.size(), never);
  for (const Closing& closing : closing_) {
    for (const int body : contacts[closing.contact].bodies) {
      if (!bodies[static_cast<std::size_t>(body)].movable()) continue;
      double& time = time_of_[static_cast<std::size_t>(groups_.lowest(body))];
      time = std::min(time, closing.time);
    }
  }
  body_times_.assign(bodies.size(), -1.0);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const double time = time_of_[static_cast<std::size_t>(groups_.lowest(static_cast<int>(k)))];
    if (bodies[k].movable() && time < never) body_times_[k] = time;
  }
}

Impacts::Report Impacts::run(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
                             std::span<StepContact> contacts, const Scope& scope, StepSolver& solver,
                             Accounts& accounts) {
  constexpr int most_rounds = 100;
  Report report;
  while (find_closing(bodies, contacts, scope)) {
    if (report.rounds == most_rounds) {
      report.unsolved = static_cast<int>(closing_.size());
      break;
    }
    ++report.rounds;
    group(joints, bodies, contacts);
    // To the instants of impact.
    problem_.reset(static_cast<Index>(bodies.size()));
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      if (body_times_[k] >= 0.0) bodies[k].drift(body_times_[k], scope.gravity);
      problem_.set_body(static_cast<Index>(k), bodies[k].impact_data());
      accounts.before[k] = {bodies[k].velocity(), bodies[k].spin()};
    }
    for (const Closing& closing : closing_) {
      StepContact& contact = contacts[closing.contact];
      contact.update(bodies, true);
      // Bodies meet once. If they turn and approach each other again, the step itself stops them.
      contact.near = contact.near || !closing.bounces;
      const double speed = contact.normal.dot(contact.velocity(bodies));
      const double bias = closing.bounces ? std::min(contact.restitution * speed, 0.0) : 0.0;
      problem_.add_contact(contact.key, contact.spec(bodies, {bias, 0.0, 0.0}));
    }
    for (const RigidJoint& joint : joints) {
      const auto is_struck = [&](int body) {
        return body >= 0 && body_times_[static_cast<std::size_t>(body)] >= 0.0;
      };
      if (is_struck(joint.bodies()[0]) || is_struck(joint.bodies()[1]))
        joint.add_impact_rows(bodies, problem_);
    }
    solver.solve(problem_, result_);
    const bool solved = result_.solved() && result_.v.size() == 6 * static_cast<Index>(bodies.size()) &&
                        result_.v.allFinite();
    for (const IslandReport& island : result_.islands) {
      report.error = std::max(report.error, island.error);
      if (solved && island.remedy != Remedy::none) ++report.remedies[static_cast<std::size_t>(island.remedy)];
    }
    if (solved) strike(bodies, joints, contacts, accounts);
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (body_times_[k] >= 0.0) bodies[k].drift(-body_times_[k], scope.gravity);
    for (StepContact& contact : contacts) contact.update(bodies);
    if (!solved) {
      report.unsolved = static_cast<int>(closing_.size());
      break;
    }
  }
  return report;
}

// Gives the bodies the velocities of the solution.
void Impacts::strike(std::vector<MovingBody>& bodies, std::span<const RigidJoint> joints,
                     std::span<const StepContact> contacts, Accounts& accounts) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const auto velocity = result_.v.segment<6>(6 * static_cast<Index>(k));
    accounts.after[k] = {velocity.head<3>(), velocity.tail<3>()};
  }
  const double before = accounts.energy.contact + accounts.energy.friction;
  for (const Closing& closing : closing_) {
    const StepContact& contact = contacts[closing.contact];
    if (const Index row = problem_.first_row(contact.key); row >= 0)
      accounts.add_contact(bodies, contact, contact_frame(contact.normal) * result_.r.segment<3>(row));
  }
  accounts.energy.restitution_gain +=
      std::max(0.0, accounts.energy.contact + accounts.energy.friction - before);
  for (const RigidJoint& joint : joints) joint.add_to(accounts, bodies, problem_, result_.r, true);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (body_times_[k] >= 0.0) bodies[k].kick(accounts.after[k].velocity, accounts.after[k].spin);
}

}  // namespace slipstick::internal
