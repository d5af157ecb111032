// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/rigid/checks.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

void check_friction(double mu) {
  if (!(mu >= 0.0 && mu < infinity))
    fail("the friction coefficient is {}, expected a finite number >= 0", mu);
}

bool is_refused(const DriverResult& result) {
  return std::any_of(result.islands.begin(), result.islands.end(),
                     [](const IslandReport& island) { return island.remedy == Remedy::refused; });
}

}  // namespace

RigidSimulator::RigidSimulator(const RigidSettings& settings) : settings_(settings) {
  if (!settings.gravity.allFinite()) fail("the gravity has entries that are not finite");
  if (!(settings.correction >= 0.0 && settings.correction <= 1.0))
    fail("the correction is {}, expected a number from 0 to 1", settings.correction);
  if (!(settings.correction_speed > 0.0))
    fail("the correction speed is {}, expected a positive number", settings.correction_speed);
  if (!(settings.margin >= 0.0 && settings.margin < infinity))
    fail("the margin is {}, expected a finite number >= 0", settings.margin);
  add_material(settings.mu);
}

int RigidSimulator::add(const Body& body) {
  const int number = static_cast<int>(bodies_.size());
  if (number == most_bodies) fail("a simulator has at most {} bodies", most_bodies);
  if (body.material < 0 || body.material >= materials())
    fail("body {}: material {} does not exist, expected 0 to {}", number, body.material, materials() - 1);
  bodies_.push_back(completed(body, number));
  next_step_ = 0.0;
  return number;
}

int RigidSimulator::add(const GivenContact& contact) {
  const int number = static_cast<int>(given_.size());
  const Subject subject{"given contact", static_cast<std::uint64_t>(number)};
  check_pair(subject, contact.bodies, 0, bodies_.size());
  check_vector(subject, "point", contact.point, 3);
  check_vector(subject, "point of the plane", contact.on_plane, 3);
  const Vector3d normal = unit(subject, "normal", contact.normal);
  given_.push_back(contact);
  given_.back().normal = normal;
  next_step_ = 0.0;
  return number;
}

int RigidSimulator::add(const BallJoint& joint) {
  return keep(Joint(joint, bodies_, static_cast<int>(joints_.size())));
}

int RigidSimulator::add(const Hinge& hinge) {
  return keep(Joint(hinge, bodies_, static_cast<int>(joints_.size())));
}

int RigidSimulator::keep(Joint joint) {
  const auto [first, second] = std::minmax(joint.bodies()[0], joint.bodies()[1]);
  if (first >= 0) {
    const std::uint64_t pair = contact_key(first, second);
    jointed_.insert(std::lower_bound(jointed_.begin(), jointed_.end(), pair), pair);
  }
  joints_.push_back(std::move(joint));
  next_step_ = 0.0;
  return static_cast<int>(joints_.size()) - 1;
}

int RigidSimulator::add_material(double mu) {
  check_friction(mu);
  const int number = materials();
  friction_.conservativeResize(number + 1, number + 1);
  set_friction(number, number, mu);
  for (int other = 0; other < number; ++other)
    set_friction(other, number, std::sqrt(friction(other, other)) * std::sqrt(mu));
  return number;
}

void RigidSimulator::set_friction(int first, int second, double mu) {
  check_material(first);
  check_material(second);
  check_friction(mu);
  friction_(first, second) = friction_(second, first) = mu;
  next_step_ = 0.0;
}

double RigidSimulator::friction(int first, int second) const {
  check_material(first);
  check_material(second);
  return friction_(first, second);
}

void RigidSimulator::check_material(int number) const {
  if (number < 0 || number >= materials())
    fail("material {} does not exist, expected 0 to {}", number, materials() - 1);
}

const Body& RigidSimulator::body(int number) const {
  const int count = static_cast<int>(bodies_.size());
  if (number < 0 || number >= count) fail("body {} does not exist, expected 0 to {}", number, count - 1);
  return bodies_[static_cast<std::size_t>(number)];
}

const Joint& RigidSimulator::joint(int number) const {
  const int count = static_cast<int>(joints_.size());
  if (number < 0 || number >= count) fail("joint {} does not exist, expected 0 to {}", number, count - 1);
  return joints_[static_cast<std::size_t>(number)];
}

void RigidSimulator::set_velocity(int body, const Vector3d& velocity, const Vector3d& spin) {
  Body changed = this->body(body);
  changed.velocity = velocity;
  changed.spin = spin;
  bodies_[static_cast<std::size_t>(body)] = completed(changed, body);
  next_step_ = 0.0;
}

void RigidSimulator::set_motor(int joint, const Motor& motor) {
  this->joint(joint);
  joints_[static_cast<std::size_t>(joint)].set_motor(motor);
  next_step_ = 0.0;
}

const StepReport& RigidSimulator::step(double time_step, StepSolver& solver) {
  prepare(time_step);
  return advance(solver);
}

void RigidSimulator::prepare(double time_step) {
  if (!(time_step > 0.0 && time_step < infinity))
    fail("the time step is {}, expected a positive finite number", time_step);
  next_step_ = 0.0;
  has_answer_ = false;
  problem_.reset(static_cast<Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    problem_.set_body(static_cast<Index>(k), step_data(bodies_[k], settings_.gravity, time_step));
  detection_.find(bodies_, given_,
                  {.gravity = settings_.gravity,
                   .time_step = time_step,
                   .margin = settings_.margin,
                   .excluded = jointed_},
                  touches_);
  for (const Touch& touch : touches_) add_contact(touch, time_step);
  const JointScope scope{time_step, settings_.correction, settings_.margin};
  for (const Joint& joint : joints_) joint.add_rows(bodies_, scope, problem_);
  recall(time_step);
  next_step_ = time_step;
}

void RigidSimulator::add_contact(const Touch& touch, double time_step) {
  const Body& first = bodies_[static_cast<std::size_t>(touch.bodies[0])];
  const Body& second = bodies_[static_cast<std::size_t>(touch.bodies[1])];
  const double closing = touch.gap / time_step;
  const double bias =
      touch.gap > 0.0 ? closing : std::max(settings_.correction * closing, -settings_.correction_speed);
  problem_.add_contact(touch.key, {.bodies = touch.bodies,
                                   .frame = contact_frame(touch.normal).transpose(),
                                   .arms = {touch.point - first.position, touch.point - second.position},
                                   .mu = friction(first.material, second.material),
                                   .bias = {bias, 0.0, 0.0}});
}

void RigidSimulator::recall(double time_step) {
  memory_.recall(problem_.keys(), problem_.first_rows(), start_);
  if (memory_step_ > 0.0 && memory_step_ != time_step) start_.x *= time_step / memory_step_;
}

const StepReport& RigidSimulator::advance(StepSolver& solver) {
  if (next_step_ == 0.0)
    fail("advance: no step is prepared for the present state, expected a call of prepare before");
  const double time_step = std::exchange(next_step_, 0.0);
  solver.solve(problem_, result_, &start_);
  report_ = {
      .status = result_.status, .contacts = static_cast<Index>(touches_.size()), .rows = problem_.rows()};
  for (const Touch& touch : touches_) report_.penetration = std::max(report_.penetration, -touch.gap);
  has_answer_ = result_.r.size() == problem_.rows() && result_.r.allFinite() &&
                result_.v.size() == 6 * static_cast<Index>(bodies_.size()) && result_.v.allFinite();
  if (has_answer_ && !is_refused(result_)) {
    memory_.keep(problem_.keys(), problem_.first_rows(), result_.r, result_.u);
    memory_step_ = time_step;
    move(time_step);
  } else if (!has_answer_ && result_.solved()) {
    report_.status = Status::numerical_error;
  }
  for (const Joint& joint : joints_)
    report_.joint_error = std::max(report_.joint_error, joint.error(bodies_));
  for (const Body& body : bodies_) report_.energy += energy(body, settings_.gravity);
  return report_;
}

void RigidSimulator::move(double time_step) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const auto velocity = result_.v.segment<6>(6 * static_cast<Index>(k));
    bodies_[k].velocity = velocity.head<3>();
    bodies_[k].spin = velocity.tail<3>();
    internal::move(bodies_[k], time_step);
  }
  for (Joint& joint : joints_) joint.update_angle(bodies_);
  time_ += time_step;
}

ConstVectorView RigidSimulator::impulse(std::uint64_t key) const {
  const Index row = problem_.first_row(key);
  if (row < 0 || !has_answer_) return result_.r.head(0);
  const auto first_rows = problem_.first_rows();
  const int end = *std::upper_bound(first_rows.begin(), first_rows.end(), static_cast<int>(row));
  return result_.r.segment(row, end - row);
}

}  // namespace slipstick::internal
