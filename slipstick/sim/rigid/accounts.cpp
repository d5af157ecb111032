// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/accounts.hpp"

#include <algorithm>

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

double kinetic(std::span<const MovingBody> bodies) {
  double sum = 0.0;
  for (const MovingBody& body : bodies) sum += body.kinetic_energy();
  return sum;
}

double potential(std::span<const MovingBody> bodies, const Vector3d& gravity) {
  double sum = 0.0;
  for (const MovingBody& body : bodies)
    if (body.movable()) sum -= body.mass() * gravity.dot(body.position());
  return sum;
}

Vector3d angular_momentum(std::span<const MovingBody> bodies) {
  Vector3d sum = Vector3d::Zero();
  for (const MovingBody& body : bodies)
    if (body.movable()) sum += body.mass() * body.position().cross(body.velocity()) + body.angular_momentum();
  return sum;
}

Wrench wrench(const Vector3d& impulse, const Vector3d& arm) {
  Wrench result;
  result << impulse, arm.cross(impulse);
  return result;
}

}  // namespace

void Accounts::begin(std::span<const MovingBody> bodies, const Vector3d& gravity) {
  energy = {};
  kinetic_ = kinetic(bodies);
  potential_ = potential(bodies, gravity);
  momentum_.setZero();
  outside_.setZero();
  momentum_scale_ = 0.0;
  for (const MovingBody& body : bodies) {
    if (!body.movable()) continue;
    momentum_ += body.mass() * body.velocity();
    momentum_scale_ += body.mass() * body.velocity().norm();
  }
  before.resize(bodies.size());
  after.resize(bodies.size());
}

void Accounts::add_work(std::span<const MovingBody> bodies, const std::array<int, 2>& pair,
                        const Wrench& on_first, const Wrench& on_second, double& cause) {
  const Wrench* wrenches[] = {&on_first, &on_second};
  for (std::size_t side = 0; side < 2; ++side) {
    if (pair[side] < 0) continue;
    const auto number = static_cast<std::size_t>(pair[side]);
    const Vector3d velocity = 0.5 * (before[number].velocity + after[number].velocity);
    const Vector3d spin = 0.5 * (before[number].spin + after[number].spin);
    const double work = wrenches[side]->head<3>().dot(velocity) + wrenches[side]->tail<3>().dot(spin);
    cause += work;
    if (bodies[number].movable()) continue;
    energy.motions -= work;
  }
  // What comes from outside is what immovable bodies and the world do not feel.
  for (std::size_t side = 0; side < 2; ++side)
    if (pair[side] < 0 || !bodies[static_cast<std::size_t>(pair[side])].movable())
      from_outside(-wrenches[side]->head<3>());
}

void Accounts::add_contact(std::span<const MovingBody> bodies, const StepContact& contact,
                           const Vector3d& impulse) {
  const Vector3d normal = contact.normal.dot(impulse) * contact.normal;
  const Vector3d first_arm = contact.points[0] - contact.first(bodies).position();
  const Vector3d second_arm = contact.points[1] - contact.second(bodies).position();
  add_work(bodies, contact.bodies, wrench(normal, first_arm), wrench(-normal, second_arm), energy.contact);
  const Vector3d tangential = impulse - normal;
  add_work(bodies, contact.bodies, wrench(tangential, first_arm), wrench(-tangential, second_arm),
           energy.friction);
}

void Accounts::add_stiffness(int body, const Vector3d& moment) {
  const auto number = static_cast<std::size_t>(body);
  energy.stiffness += 0.5 * moment.dot(before[number].spin + after[number].spin);
}

void Accounts::add_push(int body, const Vector3d& impulse, const Vector3d& moment) {
  const auto number = static_cast<std::size_t>(body);
  energy.motions += 0.5 * (impulse.dot(before[number].velocity + after[number].velocity) +
                           moment.dot(before[number].spin + after[number].spin));
  from_outside(impulse);
}

void Accounts::add_outside(const MovingBody& body, const Vector3d& impulse) {
  if (body.movable()) from_outside(impulse);
}

void Accounts::from_outside(const Vector3d& impulse) {
  outside_ += impulse;
  momentum_scale_ += impulse.norm();
}

void Accounts::begin_correction(std::span<const MovingBody> bodies, const Vector3d& gravity) {
  corrected_ = kinetic(bodies) + potential(bodies, gravity);
  angular_ = angular_momentum(bodies);
}

void Accounts::end_correction(std::span<const MovingBody> bodies, const Vector3d& gravity) {
  energy.stabilization += kinetic(bodies) + potential(bodies, gravity) - corrected_;
  angular_defect_ = (angular_momentum(bodies) - angular_).norm();
}

void Accounts::end(std::span<const MovingBody> bodies, const Vector3d& gravity, StepRecord& record) {
  energy.kinetic = kinetic(bodies);
  energy.potential = potential(bodies, gravity);
  const double change = energy.kinetic - kinetic_ + energy.potential - potential_;
  energy.gravity = potential_ - energy.potential;
  energy.unexplained = change - (energy.contact + energy.friction + energy.joints + energy.motors +
                                 energy.motions + energy.stabilization + energy.stiffness);
  record.energy = energy;
  record.momentum.setZero();
  record.angular_momentum = angular_momentum(bodies);
  for (const MovingBody& body : bodies) {
    if (!body.movable()) continue;
    const Vector3d momentum = body.mass() * body.velocity();
    record.momentum += momentum;
    momentum_scale_ = std::max(momentum_scale_, momentum.norm());
  }
  const double defect = (record.momentum - momentum_ - outside_).norm();
  record.momentum_error = momentum_scale_ > 0.0 ? defect / momentum_scale_ : 0.0;
}

}  // namespace slipstick::internal
