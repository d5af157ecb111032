// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/joint.hpp"

#include <cmath>
#include <numbers>

#include "slipstick/scenes/rigid_contacts.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/rigid/checks.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, 5, 6>;

const Body& body_or_world(std::span<const Body> bodies, int number) {
  static const Body world;
  return number < 0 ? world : bodies[static_cast<std::size_t>(number)];
}

// arm x, as a matrix.
Matrix3d cross_matrix(const Vector3d& arm) {
  return Matrix3d{{0.0, -arm.z(), arm.y()}, {arm.z(), 0.0, -arm.x()}, {-arm.y(), arm.x(), 0.0}};
}

void check_motor(const Subject& subject, const Motor& motor) {
  if (!std::isfinite(motor.speed))
    subject.fail("the speed of the motor is {}, expected a finite number", motor.speed);
  if (!(motor.torque >= 0.0 && motor.torque < infinity))
    subject.fail("the torque of the motor is {}, expected a finite number >= 0", motor.torque);
}

Subject subject_of(int number) {
  return {"joint", static_cast<std::uint64_t>(number)};
}

}  // namespace

Joint::Joint(std::array<int, 2> bodies, const Vector3d& point, std::span<const Body> all, int number)
    : number_(number), bodies_(bodies) {
  const Subject subject = subject_of(number);
  check_pair(subject, bodies, -1, all.size());
  check_vector(subject, "point", point, 3);
  for (int side = 0; side < 2; ++side) {
    const Body& body = body_or_world(all, bodies[side]);
    if (body.belt) subject.fail("body {} is a belt, which holds no joint", bodies[side]);
    anchors_[side] = body.to_body(point);
    axes_[side].setZero();
  }
}

Joint::Joint(const BallJoint& joint, std::span<const Body> bodies, int number)
    : Joint(joint.bodies, joint.point, bodies, number) {}

Joint::Joint(const Hinge& hinge, std::span<const Body> bodies, int number)
    : Joint(hinge.bodies, hinge.point, bodies, number) {
  const Subject subject = subject_of(number);
  const Vector3d axis = unit(subject, "axis", hinge.axis);
  if (!(hinge.lower <= 0.0 && hinge.upper >= 0.0))
    subject.fail("the stops are {} and {}, expected one <= 0 and one >= 0", hinge.lower, hinge.upper);
  check_motor(subject, hinge.motor);
  is_hinge_ = true;
  lower_ = hinge.lower;
  upper_ = hinge.upper;
  motor_ = hinge.motor;
  const Quaterniond& first = body_or_world(bodies, bodies_[0]).orientation;
  const Quaterniond& second = body_or_world(bodies, bodies_[1]).orientation;
  axes_ = {first.conjugate() * axis, second.conjugate() * axis};
  reference_ = second.conjugate() * first;
}

void Joint::set_motor(const Motor& motor) {
  if (!is_hinge_) subject_of(number_).fail("a ball joint has no motor");
  check_motor(subject_of(number_), motor);
  motor_ = motor;
}

void Joint::add_rows(std::span<const Body> bodies, const JointScope& scope, BodyProblem& problem) const {
  const Body& first = body_or_world(bodies, bodies_[0]);
  const Body& second = body_or_world(bodies, bodies_[1]);
  const Vector3d first_arm = first.orientation * anchors_[0];
  const Vector3d second_arm = second.orientation * anchors_[1];
  const Vector3d distance = first.position + first_arm - second.position - second_arm;
  const Index rows = is_hinge_ ? 5 : 3;
  const double gain = scope.correction / scope.time_step;

  Jacobian of_first = Jacobian::Zero(rows, 6), of_second = of_first;
  SmallVector bias;
  bias.resize(rows);
  of_first.topLeftCorner<3, 3>().setIdentity();
  of_second.topLeftCorner<3, 3>() = -Matrix3d::Identity();
  of_first.block<3, 3>(0, 3) = -cross_matrix(first_arm);
  of_second.block<3, 3>(0, 3) = cross_matrix(second_arm);
  bias.head<3>() = gain * distance;
  if (!is_hinge_) {
    return problem.add_rows(joint_key(number_),
                            {.bodies = bodies_, .jacobians = {of_first, of_second}, .bias = bias});
  }

  // The spins differ along the axis only. A small rotation about axis x first_axis would align the axes.
  const Vector3d first_axis = first.orientation * axes_[0];
  const Vector3d axis = second.orientation * axes_[1];
  const Matrix3d frame = contact_frame(axis);
  of_first.bottomRightCorner<2, 3>() = frame.rightCols<2>().transpose();
  of_second.bottomRightCorner<2, 3>() = -frame.rightCols<2>().transpose();
  bias.tail<2>() = gain * (frame.rightCols<2>().transpose() * axis.cross(first_axis));
  problem.add_rows(joint_key(number_), {.bodies = bodies_, .jacobians = {of_first, of_second}, .bias = bias});

  Eigen::Matrix<double, 1, 6> turn = Eigen::Matrix<double, 1, 6>::Zero();
  turn.tail<3>() = axis.transpose();
  const double speed = std::abs(axis.dot(first.spin - second.spin)) + std::abs(motor_.speed);
  const double reach = scope.margin + scope.time_step * speed;
  const auto add_stop = [&](double room, double sign, JointPart part) {
    if (room > reach) return;
    problem.add_rows(joint_key(number_, part), {.bodies = bodies_,
                                                .jacobians = {sign * turn, -sign * turn},
                                                .bias = {room > 0.0 ? room / scope.time_step : gain * room},
                                                .lower = {0.0}});
  };
  add_stop(angle_ - lower_, 1.0, JointPart::lower_limit);
  add_stop(upper_ - angle_, -1.0, JointPart::upper_limit);
  if (motor_.torque == 0.0) return;
  const double most = motor_.torque * scope.time_step;
  problem.add_rows(joint_key(number_, JointPart::motor), {.bodies = bodies_,
                                                          .jacobians = {turn, -turn},
                                                          .bias = {-motor_.speed},
                                                          .lower = {-most},
                                                          .upper = {most}});
}

void Joint::update_angle(std::span<const Body> bodies) {
  if (!is_hinge_) return;
  const Quaterniond& first = body_or_world(bodies, bodies_[0]).orientation;
  const Quaterniond& second = body_or_world(bodies, bodies_[1]).orientation;
  const Quaterniond turn = second.conjugate() * first * reference_.conjugate();
  const double within_a_turn = 2.0 * std::atan2(turn.vec().dot(axes_[1]), turn.w());
  angle_ += std::remainder(within_a_turn - angle_, 2.0 * std::numbers::pi);
}

double Joint::error(std::span<const Body> bodies) const {
  return (body_or_world(bodies, bodies_[0]).to_world(anchors_[0]) -
          body_or_world(bodies, bodies_[1]).to_world(anchors_[1]))
      .norm();
}

}  // namespace slipstick::internal
