// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <variant>

#include "slipstick/body_problem.hpp"

namespace slipstick::internal {

struct SphereShape {
  double radius = 1.0;
};
struct BoxShape {
  Eigen::Vector3d half_size = Eigen::Vector3d::Constant(0.5);  ///< half of the edges, along the body's axes
};
/// Everything below a plane through the position of the body. For immovable bodies only.
struct PlaneShape {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< out of the solid, in the body's axes
};
/// A body without a shape touches others only in contacts that are given.
using Shape = std::variant<std::monostate, SphereShape, BoxShape, PlaneShape>;

/// A rigid body in space and its state. Its position is its centre of mass.
struct Body {
  Shape shape = {};
  double mass = 0.0;  ///< 0: immovable, keeps its velocity
  /// The principal moments of inertia, along the body's axes. Zero: those of the homogeneous shape.
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< from the body's axes to world axes
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();  ///< angular velocity in world axes
  int material = 0;
  bool belt = false;  ///< an immovable body whose surface has the velocity, while the body stays in place

  bool movable() const { return mass > 0.0; }
  Eigen::Vector3d to_world(const Eigen::Vector3d& point) const { return position + orientation * point; }
  Eigen::Vector3d to_body(const Eigen::Vector3d& point) const {
    return orientation.conjugate() * (point - position);
  }
};

/// The body with its moments of inertia, and with unit normal and orientation. Bad data throw an Error that
/// names the body by its number.
Body completed(Body body, int number);

/// The radius of a sphere about the position that contains the shape. Zero without a shape and for planes.
double outer_radius(const Body& body);

/// The body as a BodyProblem takes it. The impulse is that of gravity and the gyroscopic moment.
RigidBody step_data(const Body& body, const Eigen::Vector3d& gravity, double time_step);

/// Moves the body for a step with its velocity and spin. The spin acts as a rotation vector.
void move(Body& body, double time_step);

/// Kinetic and potential energy; the latter is zero at the origin. Zero if the body is immovable.
double energy(const Body& body, const Eigen::Vector3d& gravity);

}  // namespace slipstick::internal
