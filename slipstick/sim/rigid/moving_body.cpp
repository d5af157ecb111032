// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/moving_body.hpp"

#include "slipstick/model/mass_properties.hpp"
#include "slipstick/model/motion.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

SmallVector six(const Vector3d& a, const Vector3d& b) {
  return {a.x(), a.y(), a.z(), b.x(), b.y(), b.z()};
}

Matrix3d turned(const Matrix3d& tensor, const Quaterniond& orientation) {
  const Matrix3d axes = orientation.toRotationMatrix();
  const Matrix3d product = axes * tensor * axes.transpose();
  return 0.5 * (product + product.transpose());
}

Matrix3d symmetric_inverse(const Matrix3d& matrix) {
  const Matrix3d inverse = matrix.inverse();
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace

MovingBody::MovingBody(const Scene& scene, int number) {
  const BodySpec& body = scene.bodies[static_cast<std::size_t>(number)];
  belt_ = std::holds_alternative<BeltMotion>(body.motion);
  if (body.kind == BodyKind::movable) {
    const MassProperties properties = mass_properties(scene, number);
    mass_ = properties.mass;
    centre_ = properties.centre;
    inertia_ = properties.inertia;
    smallest_moment_ = principal_axes(inertia_).moments.minCoeff();
    inverse_inertia_ = symmetric_inverse(inertia_);
    isotropic_ = inertia_ == Matrix3d(inertia_(0, 0) * Matrix3d::Identity());
    if (isotropic_) inverse_inertia_ = Matrix3d::Identity() / inertia_(0, 0);
  }
  set_state({body.position, body.orientation.normalized(), body.velocity, body.spin});
}

BodyState MovingBody::state() const {
  return {position_ - orientation_ * centre_, orientation_, velocity_, spin_};
}

BodyState MovingBody::origin_state() const {
  BodyState result = state();
  result.velocity = velocity_at(result.position);
  return result;
}

void MovingBody::set_state(const BodyState& state) {
  orientation_ = state.orientation;
  position_ = state.position + orientation_ * centre_;
  velocity_ = state.velocity;
  spin_ = state.spin;
  if (movable()) angular_momentum_ = inertia_at(orientation_) * spin_;
}

MovingBody::Kept MovingBody::kept() const {
  return {position_, velocity_, movable() ? angular_momentum_ : spin_, orientation_.coeffs()};
}

void MovingBody::restore(const Kept& kept) {
  position_ = kept.position;
  velocity_ = kept.velocity;
  orientation_.coeffs() = kept.orientation;
  if (movable()) {
    angular_momentum_ = kept.angular_momentum;
    update_spin();
  } else {
    spin_ = kept.angular_momentum;
  }
}

void MovingBody::drive(const Vector3d& velocity, const Vector3d& spin) {
  velocity_ = velocity;
  spin_ = spin;
}

void MovingBody::place(const Vector3d& origin, const Quaterniond& orientation) {
  position_ = origin;
  orientation_ = orientation;
}

Matrix3d MovingBody::inertia_at(const Quaterniond& orientation) const {
  return isotropic_ ? inertia_ : turned(inertia_, orientation);
}

Matrix3d MovingBody::inverse_inertia_at(const Quaterniond& orientation) const {
  return isotropic_ ? inverse_inertia_ : turned(inverse_inertia_, orientation);
}

void MovingBody::update_spin() {
  spin_ = inverse_inertia_at(orientation_) * angular_momentum_;
}

void MovingBody::prepare(double time_step, const Matrix3d& stiffness) {
  free_spin_ = spin_;
  if (!movable()) return;
  constexpr int most_iterations = 20;
  Quaterniond middle = orientation_;
  if (!isotropic_ && !angular_momentum_.isZero(0.0)) {
    Vector3d spin = spin_;
    for (int k = 0; k < most_iterations; ++k) {
      const Vector3d before = spin;
      middle = rotation_by(0.5 * time_step * spin) * orientation_;
      spin = inverse_inertia_at(middle) * angular_momentum_;
      if ((spin - before).norm() <= 1e-15 * spin.norm()) break;
    }
  }
  step_inertia_ = inertia_at(middle);
  step_stiffness_ = time_step * time_step * stiffness;
  if (step_stiffness_.isZero(0.0)) {
    step_inverse_ = inverse_inertia_at(middle);
  } else {
    step_inverse_ = symmetric_inverse(step_inertia_ + step_stiffness_);
  }
  step_spin_ = free_spin_ = step_inverse_ * angular_momentum_;
  if (!step_stiffness_.isZero(0.0)) free_spin_ = inverse_inertia_at(middle) * angular_momentum_;
}

RigidBody MovingBody::step_data(const Vector3d& force, const Vector3d& moment, double time_step) const {
  if (!movable()) return {.velocity = six(velocity_, spin_)};
  return RigidBody::space(1.0 / mass_, step_inverse_, six(velocity_, step_spin_),
                          six(time_step * force, time_step * moment));
}

RigidBody MovingBody::impact_data() const {
  if (!movable()) return {.velocity = six(velocity_, spin_)};
  return RigidBody::space(1.0 / mass_, inverse_inertia_at(orientation_), six(velocity_, spin_));
}

RigidBody MovingBody::projection_data(const Matrix3d& stiffness) const {
  if (!movable()) return {};
  if (stiffness.isZero(0.0)) return RigidBody::space(1.0 / mass_, inverse_inertia_at(orientation_));
  return RigidBody::space(1.0 / mass_, symmetric_inverse(inertia_at(orientation_) + stiffness));
}

Vector3d MovingBody::accelerate(const Vector3d& velocity, const Vector3d& spin) {
  velocity_ = velocity;
  if (!movable()) return Vector3d::Zero();
  const Vector3d stiff = step_stiffness_ * spin;
  // The difference of spins is zero to the bit if nothing turned the body.
  angular_momentum_ += step_inertia_ * (spin - step_spin_) + step_stiffness_ * (spin - step_spin_) - stiff;
  step_spin_ = spin;
  return -stiff;
}

void MovingBody::move(double time_step, const Vector3d& offset) {
  if (belt_) return;
  const Vector3d& spin = movable() ? step_spin_ : spin_;
  position_ += time_step * velocity_ + offset;
  if (!spin.isZero(0.0)) orientation_ = (rotation_by(time_step * spin) * orientation_).normalized();
  if (movable()) update_spin();
}

void MovingBody::kick(const Vector3d& velocity, const Vector3d& spin) {
  if (!movable()) return;
  velocity_ = velocity;
  angular_momentum_ += inertia_at(orientation_) * (spin - spin_);
  update_spin();
}

void MovingBody::drift(double time, const Vector3d& acceleration) {
  if (belt_) return;
  if (movable()) velocity_ += 0.5 * time * acceleration;
  position_ += time * velocity_;
  if (movable()) velocity_ += 0.5 * time * acceleration;
  if (!spin_.isZero(0.0)) orientation_ = (rotation_by(time * spin_) * orientation_).normalized();
  if (movable()) update_spin();
}

void MovingBody::shift(const Vector3d& displacement, const Vector3d& turn) {
  position_ += displacement;
  if (!turn.isZero(0.0)) orientation_ = (rotation_by(turn) * orientation_).normalized();
  update_spin();
}

double MovingBody::mobility(const Eigen::Matrix<double, 1, 6>& row) const {
  return row.head<3>().squaredNorm() / mass_ +
         row.tail<3>().dot(row.tail<3>() * inverse_inertia_at(orientation_));
}

double MovingBody::kinetic_energy() const {
  return movable() ? 0.5 * (mass_ * velocity_.squaredNorm() + spin_.dot(angular_momentum_)) : 0.0;
}

}  // namespace slipstick::internal
