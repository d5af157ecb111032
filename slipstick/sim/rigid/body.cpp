// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/body.hpp"

#include <cmath>
#include <cstdint>

#include "slipstick/base/overloaded.hpp"
#include "slipstick/sim/rigid/checks.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

void complete_shape(const Subject& subject, bool movable, Shape& shape) {
  const Overloaded complete{
      [](std::monostate) {},
      [&](const SphereShape& sphere) { check_positive(subject, "radius", sphere.radius); },
      [&](const BoxShape& box) {
        for (const double half : box.half_size) check_positive(subject, "half size", half);
      },
      [&](PlaneShape& plane) {
        if (movable) subject.fail("the mass of a plane must be 0");
        plane.normal = unit(subject, "normal", plane.normal);
      }};
  std::visit(complete, shape);
}

Vector3d homogeneous_inertia(const Body& body) {
  const Overloaded inertia{
      [&](const SphereShape& sphere) {
        return Vector3d(Vector3d::Constant(0.4 * body.mass * sphere.radius * sphere.radius));
      },
      [&](const BoxShape& box) {
        const Vector3d squares = box.half_size.cwiseAbs2();
        return Vector3d(body.mass / 3.0 * (Vector3d::Constant(squares.sum()) - squares));
      },
      [](const auto&) { return Vector3d(Vector3d::Zero()); }};
  return std::visit(inertia, body.shape);
}

void complete_inertia(const Subject& subject, Body& body) {
  if (!body.movable()) {
    body.inertia.setZero();
    return;
  }
  if (body.inertia.isZero(0.0)) body.inertia = homogeneous_inertia(body);
  for (const double moment : body.inertia) check_positive(subject, "moment of inertia", moment);
}

SmallVector joined(const Vector3d& a, const Vector3d& b) {
  return {a.x(), a.y(), a.z(), b.x(), b.y(), b.z()};
}

bool is_isotropic(const Body& body) {
  return body.inertia.x() == body.inertia.y() && body.inertia.y() == body.inertia.z();
}

Quaterniond rotation(const Vector3d& vector) {
  const double angle = vector.norm();
  if (angle == 0.0) return Quaterniond::Identity();
  return Quaterniond(Eigen::AngleAxisd(angle, vector / angle));
}

// The impulse of the gyroscopic moment. With the new spin alone, the angular momentum in the middle of the
// step is that in the middle of the step before. The equation is solved by iteration. All iterates have a
// momentum of the same size, so the spin stays bounded for every time step.
Vector3d gyroscopic_impulse(const Vector3d& spin, const Matrix3d& inertia, const Matrix3d& inverse_inertia,
                            double time_step) {
  constexpr int iterations = 4;  // the energy of a free body then falls slowly
  const Vector3d before = inertia * spin;
  const Vector3d middle = rotation(-0.5 * time_step * spin) * before;
  Vector3d after = before;
  for (int k = 0; k < iterations; ++k)
    after = rotation(-0.5 * time_step * (inverse_inertia * after)) * middle;
  return after - before;
}

}  // namespace

Body completed(Body body, int number) {
  const Subject subject{"body", static_cast<std::uint64_t>(number)};
  if (!(body.mass >= 0.0 && body.mass < infinity))
    subject.fail("the mass is {}, expected a finite number >= 0", body.mass);
  complete_shape(subject, body.movable(), body.shape);
  check_vector(subject, "position", body.position, 3);
  check_vector(subject, "velocity", body.velocity, 3);
  check_vector(subject, "spin", body.spin, 3);
  check_positive(subject, "norm of the orientation", body.orientation.norm());
  body.orientation.normalize();
  if (body.belt && body.movable()) subject.fail("the mass of a belt must be 0");
  complete_inertia(subject, body);
  return body;
}

double outer_radius(const Body& body) {
  const Overloaded radius{[](const SphereShape& sphere) { return sphere.radius; },
                          [](const BoxShape& box) { return box.half_size.norm(); },
                          [](const auto&) { return 0.0; }};
  return std::visit(radius, body.shape);
}

RigidBody step_data(const Body& body, const Vector3d& gravity, double time_step) {
  const SmallVector velocity = joined(body.velocity, body.spin);
  if (!body.movable()) return {.velocity = velocity};
  const Vector3d pull = time_step * body.mass * gravity;
  // The inverse inertia of a sphere is diagonal without rounding, which the solvers make use of.
  if (is_isotropic(body)) {
    return RigidBody::space(1.0 / body.mass, Matrix3d::Identity() / body.inertia.x(), velocity,
                            joined(pull, Vector3d::Zero()));
  }
  const Matrix3d axes = body.orientation.toRotationMatrix();
  const Matrix3d inertia = axes * body.inertia.asDiagonal() * axes.transpose();
  const Matrix3d inverse_inertia = axes * body.inertia.cwiseInverse().asDiagonal() * axes.transpose();
  const Vector3d turn = gyroscopic_impulse(body.spin, inertia, inverse_inertia, time_step);
  return RigidBody::space(1.0 / body.mass, inverse_inertia, velocity, joined(pull, turn));
}

void move(Body& body, double time_step) {
  if (body.belt) return;
  body.position += time_step * body.velocity;
  if (body.spin.isZero(0.0)) return;  // rounding would turn it
  body.orientation = (rotation(time_step * body.spin) * body.orientation).normalized();
}

double energy(const Body& body, const Vector3d& gravity) {
  if (!body.movable()) return 0.0;
  const Vector3d spin = body.orientation.conjugate() * body.spin;
  return 0.5 * body.mass * body.velocity.squaredNorm() + 0.5 * spin.dot(body.inertia.cwiseProduct(spin)) -
         body.mass * gravity.dot(body.position);
}

}  // namespace slipstick::internal
