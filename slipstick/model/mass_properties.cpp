// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/mass_properties.hpp"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>
#include <variant>
#include <vector>

#include "slipstick/base/overloaded.hpp"
#include "slipstick/model/convex_hull.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// The integral of (p p') for a point mass, turned into a tensor of inertia.
Matrix3d inertia_of_moments(const Matrix3d& second_moments) {
  return second_moments.trace() * Matrix3d::Identity() - second_moments;
}

Matrix3d inertia_of_point(double mass, const Vector3d& arm) {
  return inertia_of_moments(mass * arm * arm.transpose());
}

// A body of revolution about z.
MassProperties revolution(double mass, double centre, double across, double along) {
  return {mass, {0.0, 0.0, centre}, Vector3d(across, across, along).asDiagonal()};
}

MassProperties of_capsule(const CapsuleShape& capsule, double density) {
  const double r = capsule.radius, h = capsule.height;
  const double middle = density * pi * r * r * h;
  const double caps = density * 4.0 / 3.0 * pi * r * r * r;
  const double along = middle * r * r / 2.0 + caps * 0.4 * r * r;
  const double across =
      middle * (h * h / 12.0 + r * r / 4.0) + caps * (0.4 * r * r + h * h / 4.0 + 0.375 * h * r);
  return revolution(middle + caps, 0.0, across, along);
}

// The sum of the tetrahedra between the triangles and the middle of the points.
MassProperties of_hull(const HullShape& hull, double density) {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& point : hull.points) middle += point;
  middle /= static_cast<double>(hull.points.size());

  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const std::array<int, 3>& corners : hull_triangles(hull.points)) {
    Matrix3d edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = hull.points[corners[i]] - middle;
    const double part = edges.determinant() / 6.0;
    const Vector3d sum = edges.rowwise().sum();
    volume += part;
    first += part / 4.0 * sum;
    second += part / 20.0 * (edges * edges.transpose() + sum * sum.transpose());
  }
  if (!(volume > 0.0)) return {};
  const Vector3d centre = first / volume;
  const Matrix3d about_centre = second - volume * centre * centre.transpose();
  return {density * volume, middle + centre, density * inertia_of_moments(about_centre)};
}

}  // namespace

MassProperties mass_properties(const ShapeGeometry& geometry, double density) {
  return std::visit(
      Overloaded{
          [&](const SphereShape& sphere) {
            const double r = sphere.radius;
            const double mass = density * 4.0 / 3.0 * pi * r * r * r;
            return revolution(mass, 0.0, 0.4 * mass * r * r, 0.4 * mass * r * r);
          },
          [&](const BoxShape& box) {
            const double mass = density * box.size.prod();
            const Vector3d squares = mass / 12.0 * box.size.cwiseAbs2();
            const Vector3d moments = Vector3d::Constant(squares.sum()) - squares;
            return MassProperties{mass, Vector3d::Zero(), moments.asDiagonal()};
          },
          [&](const CapsuleShape& capsule) { return of_capsule(capsule, density); },
          [&](const CylinderShape& cylinder) {
            const double r = cylinder.radius, h = cylinder.height;
            const double mass = density * pi * r * r * h;
            return revolution(mass, 0.0, mass * (h * h / 12.0 + r * r / 4.0), mass * r * r / 2.0);
          },
          [&](const ConeShape& cone) {
            const double r = cone.radius, h = cone.height;
            const double mass = density * pi * r * r * h / 3.0;
            return revolution(mass, -h / 4.0, 0.15 * mass * (r * r + h * h / 4.0), 0.3 * mass * r * r);
          },
          [&](const HullShape& hull) { return of_hull(hull, density); },
          [](const PlaneShape&) { return MassProperties{}; },
          [](const MeshShape&) { return MassProperties{}; },
          [](const HeightFieldShape&) { return MassProperties{}; },
      },
      geometry);
}

MassProperties placed(const MassProperties& part, const Vector3d& position,
                      const Eigen::Quaterniond& orientation) {
  const Matrix3d turned = orientation.normalized().toRotationMatrix();
  if (turned == Matrix3d::Identity()) return {part.mass, position + part.centre, part.inertia};
  const Matrix3d inertia = turned * part.inertia * turned.transpose();
  return {part.mass, position + turned * part.centre, 0.5 * (inertia + inertia.transpose())};
}

MassProperties joined(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0.0)) return {};
  const Vector3d centre = (a.mass * a.centre + b.mass * b.centre) / mass;
  return {mass, centre,
          a.inertia + inertia_of_point(a.mass, a.centre - centre) + b.inertia +
              inertia_of_point(b.mass, b.centre - centre)};
}

MassProperties mass_properties(const Scene& scene, int body) {
  const BodySpec& spec = scene.bodies.at(body);
  if (spec.kind != BodyKind::movable) return {};
  MassProperties whole;
  bool first = true;
  for (const ShapePlace& place : spec.shapes) {
    const double density = scene.materials.at(place.material).density;
    const MassProperties part = placed(mass_properties(scene.shapes.at(place.shape).geometry, density),
                                       place.position, place.orientation);
    whole = first ? part : joined(whole, part);
    first = false;
  }
  if (spec.mass) {
    if (whole.mass > 0.0) whole.inertia *= *spec.mass / whole.mass;
    whole.mass = *spec.mass;
  }
  if (spec.centre_of_mass) whole.centre = *spec.centre_of_mass;
  if (spec.inertia) whole.inertia = *spec.inertia;
  return whole;
}

PrincipalAxes principal_axes(const Matrix3d& inertia) {
  Matrix3d others = inertia;
  others.diagonal().setZero();
  if (others == Matrix3d::Zero()) return {inertia.diagonal(), Eigen::Quaterniond::Identity()};
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia);
  Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  return {solver.eigenvalues(), Eigen::Quaterniond(axes).normalized()};
}

}  // namespace slipstick::internal
