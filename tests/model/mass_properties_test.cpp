// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/mass_properties.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipstick::internal::mass_properties_test {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double density = 800.0;

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.centre - b.centre).norm(), tolerance);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// The integrals over slices z = const of a body of revolution, by the midpoint rule.
MassProperties sliced(double low, double high, double (*radius)(double z)) {
  constexpr int slices = 20000;
  const double thickness = (high - low) / slices;
  MassProperties sum;
  double first = 0.0, across = 0.0, along = 0.0;
  for (int i = 0; i < slices; ++i) {
    const double z = low + (i + 0.5) * thickness, r = radius(z);
    const double mass = density * pi * r * r * thickness;
    sum.mass += mass;
    first += mass * z;
    across += mass * (r * r / 4.0 + z * z);
    along += mass * r * r / 2.0;
  }
  sum.centre.z() = first / sum.mass;
  across -= sum.mass * sum.centre.z() * sum.centre.z();
  sum.inertia = Vector3d(across, across, along).asDiagonal();
  return sum;
}

// Points of a box with the given corner, which is not at the origin.
HullShape hull_box(const Vector3d& corner, const Vector3d& size) {
  HullShape hull;
  for (int i = 0; i < 8; ++i)
    hull.points.emplace_back(corner + size.cwiseProduct(Vector3d(i % 2, i / 2 % 2, i / 4)));
  return hull;
}

TEST(MassProperties, BodiesOfRevolution) {
  expect_same(mass_properties(SphereShape{0.5}, density),
              sliced(-0.5, 0.5, [](double z) { return std::sqrt(0.25 - z * z); }), 1e-7);
  expect_same(mass_properties(CylinderShape{0.5, 1.2}, density),
              sliced(-0.6, 0.6, [](double) { return 0.5; }), 1e-7);
  expect_same(mass_properties(ConeShape{0.5, 1.2}, density),
              sliced(-0.6, 0.6, [](double z) { return 0.5 * (0.6 - z) / 1.2; }), 1e-7);
  expect_same(mass_properties(CapsuleShape{0.5, 1.2}, density),
              sliced(-1.1, 1.1,
                     [](double z) {
                       const double out = std::max(std::abs(z) - 0.6, 0.0);
                       return std::sqrt(0.25 - out * out);
                     }),
              1e-7);
}

TEST(MassProperties, BoxAndItsHull) {
  const Vector3d size(0.2, 0.5, 0.7);
  const MassProperties box = mass_properties(BoxShape{size}, density);
  EXPECT_NEAR(box.mass, density * 0.07, 1e-12);
  EXPECT_NEAR(box.inertia(0, 0), box.mass / 12.0 * (0.25 + 0.49), 1e-12);
  EXPECT_NEAR(box.inertia(2, 2), box.mass / 12.0 * (0.04 + 0.25), 1e-12);
  const Vector3d corner(3.0, -2.0, 1.0);
  const MassProperties hull = mass_properties(hull_box(corner, size), density);
  expect_same(hull, {box.mass, corner + 0.5 * size, box.inertia}, 1e-12);
}

TEST(MassProperties, Tetrahedron) {
  // A corner of a cube with edges 1: the product moments of a tetrahedron are V (sum of ...) / 20.
  const HullShape corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const MassProperties part = mass_properties(corner, 6.0);  // volume 1/6
  EXPECT_NEAR(part.mass, 1.0, 1e-14);
  EXPECT_LT((part.centre - Vector3d::Constant(0.25)).norm(), 1e-14);
  EXPECT_NEAR(part.inertia(0, 0), 2.0 * (0.1 - 0.0625), 1e-14);
  EXPECT_NEAR(part.inertia(0, 1), -(0.05 - 0.0625), 1e-14);
}

TEST(MassProperties, SurfacesHaveNone) {
  EXPECT_EQ(mass_properties(PlaneShape{}, density).mass, 0.0);
  EXPECT_EQ(mass_properties(MeshShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, density).mass, 0.0);
}

Scene two_halves(const Quaterniond& turn) {
  // Two boxes side by side make one of twice the length. The body's axes are elsewhere.
  Scene scene;
  scene.materials = {{.name = "wood", .density = density}};
  scene.shapes = {{"half", BoxShape{{0.5, 0.3, 0.2}}}};
  const Vector3d middle(1.0, 2.0, 3.0);
  scene.bodies = {
      {.name = "whole",
       .shapes = {{.shape = 0, .position = middle + turn * Vector3d(0.25, 0, 0), .orientation = turn},
                  {.shape = 0, .position = middle - turn * Vector3d(0.25, 0, 0), .orientation = turn}}}};
  return scene;
}

TEST(MassProperties, Compound) {
  const Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  const MassProperties whole = mass_properties(BoxShape{{1.0, 0.3, 0.2}}, density);
  const Matrix3d turned = turn.toRotationMatrix() * whole.inertia * turn.toRotationMatrix().transpose();
  expect_same(mass_properties(two_halves(turn), 0), {whole.mass, Vector3d(1.0, 2.0, 3.0), turned}, 1e-13);
}

TEST(MassProperties, WhatTheBodyGivesIsUsed) {
  Scene scene = two_halves(Quaterniond::Identity());
  const MassProperties own = mass_properties(scene, 0);
  BodySpec& body = scene.bodies[0];
  body.mass = 2.0 * own.mass;
  EXPECT_EQ(mass_properties(scene, 0).mass, 2.0 * own.mass);
  EXPECT_TRUE(mass_properties(scene, 0).inertia.isApprox(2.0 * own.inertia, 1e-15));
  body.centre_of_mass = Vector3d(1, 1, 1);
  EXPECT_EQ(mass_properties(scene, 0).centre, Vector3d(1, 1, 1));
  EXPECT_TRUE(mass_properties(scene, 0).inertia.isApprox(2.0 * own.inertia, 1e-15));
  body.inertia = Matrix3d::Identity();
  EXPECT_EQ(mass_properties(scene, 0).inertia, Matrix3d::Identity());
  body.kind = BodyKind::fixed;
  EXPECT_EQ(mass_properties(scene, 0).mass, 0.0);
}

TEST(PrincipalAxes, DiagonalisesTheTensor) {
  const Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(3, 1, -2).normalized()));
  const Matrix3d r = turn.toRotationMatrix();
  const Matrix3d inertia = r * Vector3d(3.0, 1.0, 2.5).asDiagonal() * r.transpose();
  const PrincipalAxes found = principal_axes(inertia);
  EXPECT_LT((found.moments - Vector3d(1.0, 2.5, 3.0)).norm(), 1e-14);
  const Matrix3d axes = found.axes.toRotationMatrix();
  EXPECT_LT((axes * found.moments.asDiagonal() * axes.transpose() - inertia).norm(), 1e-14);
  EXPECT_NEAR(axes.determinant(), 1.0, 1e-14);
}

TEST(PrincipalAxes, KeepsADiagonalTensor) {
  const PrincipalAxes found = principal_axes(Vector3d(3.0, 1.0, 2.0).asDiagonal());
  EXPECT_EQ(found.moments, Vector3d(3.0, 1.0, 2.0));
  EXPECT_EQ(found.axes.coeffs(), Quaterniond::Identity().coeffs());
}

}  // namespace slipstick::internal::mass_properties_test
