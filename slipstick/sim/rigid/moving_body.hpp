// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "slipstick/body_problem.hpp"
#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// A rigid body in motion. Its state is kept at its centre of mass, with the angular momentum in world axes,
/// which nothing but a moment changes.
class MovingBody {
 public:
  MovingBody() = default;
  MovingBody(const Scene& scene, int number);

  bool movable() const { return mass_ > 0.0; }
  double mass() const { return mass_; }
  double smallest_moment() const { return smallest_moment_; }    ///< of inertia
  const Eigen::Vector3d& position() const { return position_; }  ///< of the centre of mass
  const Eigen::Quaterniond& orientation() const { return orientation_; }
  const Eigen::Vector3d& velocity() const { return velocity_; }
  const Eigen::Vector3d& spin() const { return spin_; }
  const Eigen::Vector3d& angular_momentum() const { return angular_momentum_; }
  Eigen::Vector3d velocity_at(const Eigen::Vector3d& point) const {
    return velocity_ + spin_.cross(point - position_);
  }
  /// A point or direction in the body's axes; the origin of points is the centre of mass.
  Eigen::Vector3d to_body(const Eigen::Vector3d& point) const {
    return orientation_.conjugate() * (point - position_);
  }
  Eigen::Vector3d to_world(const Eigen::Vector3d& point) const { return position_ + orientation_ * point; }

  BodyState state() const;
  /// The same with the velocity of the origin.
  BodyState origin_state() const;
  void set_state(const BodyState& state);
  /// The bits of the state, for files. The spin follows from the momentum.
  struct Kept {
    Eigen::Vector3d position, velocity, angular_momentum;
    Eigen::Vector4d orientation;
  };
  Kept kept() const;
  void restore(const Kept& kept);

  /// Of an immovable body for the next step: the velocity of its origin.
  void drive(const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin);
  /// Puts an immovable body in a place.
  void place(const Eigen::Vector3d& origin, const Eigen::Quaterniond& orientation);

  /// Readies a step. The inverse inertia is that in the middle of the step if no moment acts. The spin there
  /// keeps the angular momentum (the implicit midpoint rule on rotations). `stiffness` is the geometric
  /// stiffness of turns in world axes, positive semidefinite. It acts at the end of the step, which adds
  /// h^2 K to the inertia.
  void prepare(double time_step, const Eigen::Matrix3d& stiffness);
  /// The body as a BodyProblem takes it.
  RigidBody step_data(const Eigen::Vector3d& force, const Eigen::Vector3d& moment, double time_step) const;
  /// The body as it stands, with its velocities and without forces.
  RigidBody impact_data() const;
  /// The same at rest, with h^2 K added to the inertia. Without it, light links under great tension would
  /// turn far to move a heavy body a little.
  RigidBody projection_data(const Eigen::Matrix3d& stiffness) const;
  /// The spin of the step if nothing turns the body and it has no geometric stiffness.
  const Eigen::Vector3d& free_spin() const { return free_spin_; }

  /// Takes the velocities of the end of the step. Returns the moment of the geometric stiffness, as an
  /// impulse.
  Eigen::Vector3d accelerate(const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin);
  /// Moves for a step with the velocities that accelerate() took. `offset` is added to the position.
  void move(double time_step, const Eigen::Vector3d& offset);
  /// Takes other velocities at once, by impulses and moments on the body as it stands.
  void kick(const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin);
  /// Moves freely for a time, which may be negative, with its velocity, spin and this acceleration.
  void drift(double time, const Eigen::Vector3d& acceleration);
  /// Displaces and turns the body, without a change of its momenta.
  void shift(const Eigen::Vector3d& displacement, const Eigen::Vector3d& turn);
  /// An immovable body keeps its place and only its surface moves.
  bool is_belt() const { return belt_; }

  /// row M^-1 row' of a movable body.
  double mobility(const Eigen::Matrix<double, 1, 6>& row) const;
  double kinetic_energy() const;

 private:
  void update_spin();
  Eigen::Matrix3d inverse_inertia_at(const Eigen::Quaterniond& orientation) const;
  Eigen::Matrix3d inertia_at(const Eigen::Quaterniond& orientation) const;

  double mass_ = 0.0;
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();  // of mass, in the body's axes
  Eigen::Matrix3d inertia_ = Eigen::Matrix3d::Zero(), inverse_inertia_ = Eigen::Matrix3d::Zero();  // there
  double smallest_moment_ = 0.0;
  bool isotropic_ = false;
  bool belt_ = false;

  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation_ = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_momentum_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin_ = Eigen::Vector3d::Zero();

  // Of the step.
  Eigen::Vector3d step_spin_ = Eigen::Vector3d::Zero();  // without impulses; then that of the end
  Eigen::Vector3d free_spin_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d step_inertia_ = Eigen::Matrix3d::Zero(), step_inverse_ = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d step_stiffness_ = Eigen::Matrix3d::Zero();  // h^2 K
};

/// The stiffness of the turns of a body under a constant force on a point that is fixed to it, at `arm` from
/// its centre (Tournier et al. 2015): minus the derivative of the moment, symmetric part.
inline Eigen::Matrix3d turning_stiffness(const Eigen::Vector3d& arm, const Eigen::Vector3d& force) {
  const Eigen::Matrix3d product = arm * force.transpose();
  return force.dot(arm) * Eigen::Matrix3d::Identity() - 0.5 * (product + product.transpose());
}

}  // namespace slipstick::internal
