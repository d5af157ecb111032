// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/rigid_joint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/scenes/rigid_contacts.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Row = Eigen::Matrix<double, 1, 6>;

const MovingBody& body_or_world(std::span<const MovingBody> bodies, int number) {
  static const MovingBody world;
  return number < 0 ? world : bodies[static_cast<std::size_t>(number)];
}

Wrench velocity_of(const MovingBody& body) {
  Wrench result;
  result << body.velocity(), body.spin();
  return result;
}

// Share of the diagonal, in projections and impacts: redundant joints may contradict each other.
constexpr double redundant_give = 1e-9;

}  // namespace

Softness softness(const Stiffness& soft, double time_step) {
  const double h = time_step, k = soft.stiffness, b = soft.damping;
  return {1.0 / (h * b + h * h * k), h * k / (b + h * k)};
}

RigidJoint::RigidJoint(const JointSpec& spec, std::span<const MovingBody> bodies, int number)
    : spec_(spec), number_(number) {
  const MovingBody& first = body_or_world(bodies, spec.bodies[0]);
  const MovingBody& second = body_or_world(bodies, spec.bodies[1]);
  const bool distance = spec.kind == JointKind::distance;
  anchors_ = {first.to_body(spec.point), second.to_body(distance ? spec.second_point : spec.point)};
  const Vector3d axis = spec.axis.normalized();
  const Vector3d second_axis = spec.kind == JointKind::universal ? spec.second_axis.normalized() : axis;
  axes_ = {first.orientation().conjugate() * axis, second.orientation().conjugate() * second_axis};
  const Matrix3d frame = contact_frame(axes_[1]);
  across_ = {frame.col(1), frame.col(2)};
  reference_ = second.orientation().conjugate() * first.orientation();
  if (distance) start_ = (spec.point - spec.second_point).norm();
  if (spec.kind == JointKind::universal) start_ = axis.dot(second_axis);
}

void RigidJoint::set_motor(double speed, double force) {
  spec_.motor_speed = speed;
  spec_.motor_force = force;
}

Pose RigidJoint::pose(std::span<const MovingBody> bodies, int side) const {
  const MovingBody& body = body_or_world(bodies, spec_.bodies[static_cast<std::size_t>(side)]);
  return {body.position(), body.orientation()};
}

Index RigidJoint::rows() const {
  constexpr Index rows[] = {3, 5, 4, 6, 5, 1};
  return rows[static_cast<int>(spec_.kind)];
}

Index RigidJoint::rigid_rows() const {
  return spec_.soft ? 0 : spec_.turn_soft ? lengths() : rows();
}

Index RigidJoint::lengths() const {
  return spec_.kind == JointKind::slider ? 2 : std::min<Index>(3, rows());
}

RigidJoint::Errors RigidJoint::errors(const Pose& first, const Pose& second) const {
  const Vector3d apart =
      first.position + first.orientation * anchors_[0] - second.position - second.orientation * anchors_[1];
  Wrench result = Wrench::Zero();
  result.head<3>() = apart;
  const auto turn = [&] {
    return rotation_vector(first.orientation * reference_.conjugate() * second.orientation.conjugate());
  };
  switch (spec_.kind) {
    case JointKind::ball:
      break;
    case JointKind::hinge: {
      // A small turn about axis x first axis would align both.
      const Vector3d misfit = (second.orientation * axes_[1]).cross(first.orientation * axes_[0]);
      for (int k = 0; k < 2; ++k)
        result[3 + k] = (second.orientation * across_[static_cast<std::size_t>(k)]).dot(misfit);
      break;
    }
    case JointKind::universal:
      result[3] = (first.orientation * axes_[0]).dot(second.orientation * axes_[1]) - start_;
      break;
    case JointKind::fixed:
      result.tail<3>() = turn();
      break;
    case JointKind::slider:
      for (int k = 0; k < 2; ++k)
        result[k] = (second.orientation * across_[static_cast<std::size_t>(k)]).dot(apart);
      result.segment<3>(2) = turn();
      break;
    case JointKind::distance:
      result[0] = apart.norm() - start_;
      break;
  }
  return result.head(rows());
}

std::array<RigidJoint::Jacobian, 2> RigidJoint::jacobians(const Pose& first, const Pose& second) const {
  Jacobian of_first = Jacobian::Zero(rows(), 6), of_second = of_first;
  const Vector3d first_arm = first.orientation * anchors_[0];
  const Vector3d second_arm = second.orientation * anchors_[1];
  // A row along a direction of the velocity of the first anchor against the point of the second body there.
  const auto along = [&](Index row, const Vector3d& direction, const Vector3d& arm) {
    of_first.row(row) << direction.transpose(), first_arm.cross(direction).transpose();
    of_second.row(row) << -direction.transpose(), -arm.cross(direction).transpose();
  };
  const auto about = [&](Index row, const Vector3d& direction) {
    of_first.row(row).tail<3>() = direction.transpose();
    of_second.row(row).tail<3>() = -direction.transpose();
  };
  switch (spec_.kind) {
    case JointKind::ball:
    case JointKind::hinge:
    case JointKind::universal:
    case JointKind::fixed:
      for (int k = 0; k < 3; ++k) along(k, Vector3d::Unit(k), second_arm);
      break;
    case JointKind::slider: {
      const Vector3d arm = first.position + first_arm - second.position;
      for (int k = 0; k < 2; ++k) along(k, second.orientation * across_[static_cast<std::size_t>(k)], arm);
      break;
    }
    case JointKind::distance: {
      const Vector3d apart = first.position + first_arm - second.position - second_arm;
      along(0, start_ > 0.0 && apart.norm() > 0.0 ? Vector3d(apart.normalized()) : Vector3d::UnitZ(),
            second_arm);
      break;
    }
  }
  if (spec_.kind == JointKind::hinge) {
    for (int k = 0; k < 2; ++k) about(3 + k, second.orientation * across_[static_cast<std::size_t>(k)]);
  } else if (spec_.kind == JointKind::universal) {
    about(3, (first.orientation * axes_[0]).cross(second.orientation * axes_[1]));
  } else if (spec_.kind == JointKind::fixed || spec_.kind == JointKind::slider) {
    for (int k = 0; k < 3; ++k) about(rows() - 3 + k, Vector3d::Unit(k));
  }
  return {of_first, of_second};
}

// With the velocities v at the start, the errors change by h J v + h c. The chord of an allowed path has
// J v = -c.
RigidJoint::Errors RigidJoint::curvature(std::span<const MovingBody> bodies,
                                         const std::array<Jacobian, 2>& jacobians, double time_step) const {
  // Places relative to the second body, so that far from the origin no digits are lost.
  const MovingBody& one = body_or_world(bodies, spec_.bodies[0]);
  const MovingBody& other = body_or_world(bodies, spec_.bodies[1]);
  const Vector3d apart = one.position() - other.position();
  const auto moved = [&](const MovingBody& body, const Vector3d& position) {
    return Pose{position, rotation_by(time_step * body.spin()) * body.orientation()};
  };
  const Errors before = errors({apart, one.orientation()}, {Vector3d::Zero(), other.orientation()});
  const Errors after = errors(moved(one, apart + time_step * (one.velocity() - other.velocity())),
                              moved(other, Vector3d::Zero()));
  Errors result = (after - before) / time_step;
  for (std::size_t side = 0; side < 2; ++side)
    result -= jacobians[side] * velocity_of(body_or_world(bodies, spec_.bodies[side]));
  // What is left of rounding would be a load of its own for bodies that fall freely.
  constexpr double rounding = 32.0 * std::numeric_limits<double>::epsilon();
  const double length = apart.norm() + anchors_[0].norm() + anchors_[1].norm();
  for (Index k = 0; k < rows(); ++k)
    if (std::abs(result[k]) <= rounding * (k < lengths() ? length : 1.0) / time_step) result[k] = 0.0;
  return result;
}

void RigidJoint::add_rows(std::span<const MovingBody> bodies, const JointStep& scope,
                          BodyProblem& problem) const {
  if (broken_) return;
  const Pose first = pose(bodies, 0), second = pose(bodies, 1);
  const auto jacobians = this->jacobians(first, second);
  const Errors errors = this->errors(first, second);
  Errors bias = scope.correction / scope.time_step * errors, compliance = Errors::Zero(rows());
  if (scope.curved && rigid_rows() > 0) bias += curvature(bodies, jacobians, scope.time_step);
  const auto soften = [&](Index begin, const Stiffness& stiffness) {
    const Softness soft = softness(stiffness, scope.time_step);
    bias.tail(rows() - begin) = soft.share / scope.time_step * errors.tail(rows() - begin);
    compliance.tail(rows() - begin).setConstant(soft.compliance);
  };
  if (spec_.soft) soften(0, *spec_.soft);
  if (spec_.turn_soft) soften(lengths(), *spec_.turn_soft);
  problem.add_rows(joint_key(number_), {.bodies = spec_.bodies,
                                        .jacobians = {jacobians[0], jacobians[1]},
                                        .bias = bias,
                                        .compliance = compliance});
  if (has_coordinate()) add_coordinate_rows(bodies, scope, problem);
}

// The diagonal of J M^-1 J'.
RigidJoint::Errors RigidJoint::mobility(std::span<const MovingBody> bodies,
                                        const std::array<Jacobian, 2>& jacobians) const {
  Errors result = Errors::Zero(rows());
  for (std::size_t side = 0; side < 2; ++side) {
    const MovingBody& body = body_or_world(bodies, spec_.bodies[side]);
    if (!body.movable()) continue;
    for (Index k = 0; k < rows(); ++k) result[k] += body.mobility(jacobians[side].row(k));
  }
  return result;
}

std::array<Row, 2> RigidJoint::coordinate_row(const Pose& first, const Pose& second) const {
  const Vector3d axis = second.orientation * axes_[1];
  std::array<Row, 2> result = {Row::Zero(), Row::Zero()};
  if (spec_.kind == JointKind::hinge) {
    result[0].tail<3>() = axis.transpose();
    result[1] = -result[0];
  } else {
    const Vector3d arm = first.orientation * anchors_[0];
    result[0].head<3>() = axis.transpose();
    result[1].head<3>() = -axis.transpose();
    result[0].tail<3>() = arm.cross(axis).transpose();
    result[1].tail<3>() = -(first.position + arm - second.position).cross(axis).transpose();
  }
  return result;
}

void RigidJoint::add_coordinate_rows(std::span<const MovingBody> bodies, const JointStep& scope,
                                     BodyProblem& problem) const {
  const auto row = coordinate_row(pose(bodies, 0), pose(bodies, 1));
  double speed = std::abs(spec_.motor_speed);
  for (std::size_t side = 0; side < 2; ++side)
    speed += std::abs((row[side] * velocity_of(body_or_world(bodies, spec_.bodies[side]))).value());
  const double range = spec_.upper - spec_.lower;
  const double reach = 2.0 * scope.time_step * speed + (std::isfinite(range) ? 0.02 * range : 0.0);
  const auto add_stop = [&](double room, double sign, JointPart part) {
    if (room > reach) return;
    const double share = room > 0.0 ? 1.0 : scope.correction;
    problem.add_rows(joint_key(number_, part), stop(row, sign, share * room / scope.time_step));
  };
  add_stop(coordinate_ - spec_.lower, 1.0, JointPart::lower_limit);
  add_stop(spec_.upper - coordinate_, -1.0, JointPart::upper_limit);
  const auto add_drive = [&](double most, double bias, JointPart part) {
    if (most == 0.0) return;
    problem.add_rows(joint_key(number_, part), {.bodies = spec_.bodies,
                                                .jacobians = {row[0], row[1]},
                                                .bias = {bias},
                                                .lower = {-most * scope.time_step},
                                                .upper = {most * scope.time_step}});
  };
  add_drive(spec_.motor_force, -spec_.motor_speed, JointPart::motor);
  add_drive(spec_.friction, 0.0, JointPart::friction);
}

RowSpec RigidJoint::stop(const std::array<Row, 2>& row, double sign, double bias) const {
  return {
      .bodies = spec_.bodies, .jacobians = {sign * row[0], sign * row[1]}, .bias = {bias}, .lower = {0.0}};
}

void RigidJoint::add_impact_rows(std::span<const MovingBody> bodies, BodyProblem& problem) const {
  if (broken_) return;
  const Pose first = pose(bodies, 0), second = pose(bodies, 1);
  if (const Index rigid = rigid_rows(); rigid > 0) {
    const auto jacobians = this->jacobians(first, second);
    problem.add_rows(joint_key(number_),
                     {.bodies = spec_.bodies,
                      .jacobians = {jacobians[0].topRows(rigid), jacobians[1].topRows(rigid)},
                      .compliance = redundant_give * mobility(bodies, jacobians).head(rigid)});
  }
  if (!has_coordinate()) return;
  const auto row = coordinate_row(first, second);
  if (coordinate_ <= spec_.lower)
    problem.add_rows(joint_key(number_, JointPart::lower_limit), stop(row, 1.0, 0.0));
  if (coordinate_ >= spec_.upper)
    problem.add_rows(joint_key(number_, JointPart::upper_limit), stop(row, -1.0, 0.0));
}

bool RigidJoint::needs_projection(std::span<const MovingBody> bodies, double share) const {
  if (broken_) return false;
  const double arms = anchors_[0].norm() + anchors_[1].norm();
  const double beyond = std::max(spec_.lower - coordinate_, coordinate_ - spec_.upper);
  if (has_coordinate() && beyond > share * (spec_.kind == JointKind::hinge ? 1.0 : arms)) return true;
  const Index rigid = rigid_rows(), lengths = this->lengths();
  if (rigid == 0) return false;
  const Errors errors = this->errors(pose(bodies, 0), pose(bodies, 1));
  return errors.head(lengths).norm() > share * arms ||
         errors.segment(lengths, rigid - lengths).norm() > share;
}

void RigidJoint::add_projection(std::span<const MovingBody> bodies, double share, double time_step,
                                BodyProblem& problem) const {
  if (broken_) return;
  const Pose first = pose(bodies, 0), second = pose(bodies, 1);
  if (const Index rigid = rigid_rows(); rigid > 0) {
    const auto jacobians = this->jacobians(first, second);
    // The rounding of joints that hold would be a load of its own.
    const Errors bias = needs_projection(bodies, share) ? Errors(errors(first, second) / time_step)
                                                        : Errors(Errors::Zero(rows()));
    problem.add_rows(joint_key(number_),
                     {.bodies = spec_.bodies,
                      .jacobians = {jacobians[0].topRows(rigid), jacobians[1].topRows(rigid)},
                      .bias = bias.head(rigid),
                      .compliance = redundant_give * mobility(bodies, jacobians).head(rigid)});
  }
  if (!has_coordinate()) return;
  const auto row = coordinate_row(first, second);
  const auto add_stop = [&](double room, double sign, JointPart part) {
    if (room >= 0.0) return;
    problem.add_rows(joint_key(number_, part), stop(row, sign, room / time_step));
  };
  add_stop(coordinate_ - spec_.lower, 1.0, JointPart::lower_limit);
  add_stop(spec_.upper - coordinate_, -1.0, JointPart::upper_limit);
}

template <class Visit>
void RigidJoint::visit_impulses(std::span<const MovingBody> bodies, const BodyProblem& problem,
                                const Vector& r, Index count, const Visit& visit) const {
  const Pose first = pose(bodies, 0), second = pose(bodies, 1);
  if (const Index row = problem.first_row(joint_key(number_)); row >= 0) {
    const auto jacobians = this->jacobians(first, second);
    const auto impulses = r.segment(row, count);
    visit(JointPart::joint, Wrench(jacobians[0].topRows(count).transpose() * impulses),
          Wrench(jacobians[1].topRows(count).transpose() * impulses));
  }
  if (!has_coordinate()) return;
  const auto along = coordinate_row(first, second);
  for (const JointPart part :
       {JointPart::lower_limit, JointPart::upper_limit, JointPart::motor, JointPart::friction}) {
    const Index row = problem.first_row(joint_key(number_, part));
    if (row < 0) continue;
    const double impulse = part == JointPart::upper_limit ? -r[row] : r[row];
    visit(part, Wrench(impulse * along[0].transpose()), Wrench(impulse * along[1].transpose()));
  }
}

void RigidJoint::add_to(Accounts& accounts, std::span<const MovingBody> bodies, const BodyProblem& problem,
                        const Vector& r, bool impact) const {
  if (broken_) return;
  const auto add = [&](JointPart part, const Wrench& first, const Wrench& second) {
    const bool driven = part == JointPart::motor || part == JointPart::friction;
    accounts.add_work(bodies, spec_.bodies, first, second,
                      driven ? accounts.energy.motors : accounts.energy.joints);
  };
  visit_impulses(bodies, problem, r, impact ? rigid_rows() : rows(), add);
}

void RigidJoint::take_impulses(std::span<const MovingBody> bodies, const BodyProblem& problem,
                               const Vector& r, double time_step) {
  record_.force.setZero();
  record_.torque.setZero();
  if (broken_) return;
  Wrench impulse = Wrench::Zero();
  visit_impulses(bodies, problem, r, rows(),
                 [&](JointPart, const Wrench& first, const Wrench&) { impulse += first; });
  const Vector3d arm = pose(bodies, 0).orientation * anchors_[0];
  record_.force = impulse.head<3>() / time_step;
  record_.torque = impulse.tail<3>() / time_step - arm.cross(record_.force);
  if (record_.force.norm() > spec_.breaking_force || record_.torque.norm() > spec_.breaking_torque)
    broken_ = record_.broken = true;
}

double RigidJoint::measured_coordinate(const Pose& first, const Pose& second) const {
  if (spec_.kind == JointKind::hinge) {
    const Quaterniond turn = second.orientation.conjugate() * first.orientation * reference_.conjugate();
    const double within_a_turn = 2.0 * std::atan2(turn.vec().dot(axes_[1]), turn.w());
    return coordinate_ + std::remainder(within_a_turn - coordinate_, 2.0 * std::numbers::pi);
  }
  const Vector3d apart =
      first.position + first.orientation * anchors_[0] - second.position - second.orientation * anchors_[1];
  return (second.orientation * axes_[1]).dot(apart);
}

void RigidJoint::update(std::span<const MovingBody> bodies) {
  const Pose first = pose(bodies, 0), second = pose(bodies, 1);
  if (has_coordinate()) coordinate_ = measured_coordinate(first, second);
  record_.coordinate = coordinate_;
  record_.error = record_.angle_error = 0.0;
  if (broken_) return;
  // Springs give way by design.
  const Errors errors = this->errors(first, second);
  const Index rigid = rigid_rows(), lengths = std::min(this->lengths(), rigid);
  record_.error = errors.head(lengths).norm();
  record_.angle_error = errors.segment(lengths, rigid - lengths).norm();
}

Matrix3d RigidJoint::stiffness(std::span<const MovingBody> bodies, int side) const {
  if (broken_) return Matrix3d::Zero();
  const Vector3d arm = pose(bodies, side).orientation * anchors_[static_cast<std::size_t>(side)];
  const Vector3d force = side == 0 ? record_.force : Vector3d(-record_.force);
  return turning_stiffness(arm, force);
}

RigidJoint::Kept RigidJoint::kept() const {
  return {coordinate_, spec_.motor_speed, spec_.motor_force, record_.force, record_.torque, broken_};
}

void RigidJoint::restore(const Kept& kept) {
  coordinate_ = record_.coordinate = kept.coordinate;
  set_motor(kept.speed, kept.force_limit);
  record_.force = kept.force;
  record_.torque = kept.torque;
  broken_ = record_.broken = kept.broken;
}

}  // namespace slipstick::internal
