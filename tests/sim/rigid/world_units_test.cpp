// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A scene in other units, or of another size, moves in the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::world_units_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// What a metre, a kilogram and a second become.
struct Units {
  const char* name;
  double length, mass, time;
};

// Millimetres and grams; a thousand times smaller or larger, of the same gravity and density.
const Units all_units[] = {
    {"mm and g", 1e3, 1e3, 1.0}, {"1e-3", 1e-3, 1e-9, std::sqrt(1e-3)}, {"1e3", 1e3, 1e9, std::sqrt(1e3)}};

ShapeGeometry scaled(const ShapeGeometry& geometry, double length) {
  if (const auto* sphere = std::get_if<SphereShape>(&geometry)) return SphereShape{length * sphere->radius};
  if (const auto* box = std::get_if<BoxShape>(&geometry)) return BoxShape{length * box->size};
  if (const auto* capsule = std::get_if<CapsuleShape>(&geometry))
    return CapsuleShape{length * capsule->radius, length * capsule->height};
  if (const auto* cylinder = std::get_if<CylinderShape>(&geometry))
    return CylinderShape{length * cylinder->radius, length * cylinder->height};
  return std::get<PlaneShape>(geometry);
}

SmallScene in(const Units& units, const SmallScene& scene) {
  SmallScene other = scene;
  const double speed = units.length / units.time;
  other.gravity *= speed / units.time;
  for (ShapeSpec& shape : other.shapes) shape.geometry = scaled(shape.geometry, units.length);
  for (BodySpec& body : other.bodies) {
    body.position *= units.length;
    body.velocity *= speed;
    body.spin /= units.time;
    if (body.mass) *body.mass *= units.mass;
  }
  for (JointSpec& joint : other.joints) joint.point *= units.length;
  return other;
}

// The largest difference of places, in units of the first scene, and of turns.
double difference(const World& first, const World& other, const Units& units) {
  double largest = 0.0;
  for (int k = 0; k < first.bodies(); ++k) {
    const BodyState a = first.body(k), b = other.body(k);
    largest = std::max(largest, (a.position - b.position / units.length).norm());
    largest = std::max(largest, (a.orientation.coeffs() - b.orientation.coeffs()).norm());
  }
  return largest;
}

void expect_same_way(const SmallScene& scene, int steps, double tolerance, const std::string& what) {
  const double h = 0.01;
  for (const Units& units : all_units) {
    World first(scene), other(in(units, scene));
    Driver first_driver = driver_of(1e-10), other_driver = driver_of(1e-10);
    double moved = 0.0;
    for (int k = 0; k < steps; ++k) {
      solved_step(first, first_driver, h);
      solved_step(other, other_driver, h * units.time);
      ASSERT_LE(difference(first, other, units), tolerance) << what << " in " << units.name << ", step " << k;
    }
    for (int k = 0; k < first.bodies(); ++k)
      moved = std::max(moved,
                       (first.body(k).position - scene.bodies[static_cast<std::size_t>(k)].position).norm());
    EXPECT_GT(moved, 0.05) << what;
  }
}

Quaterniond turned(double angle, const Vector3d& axis) {
  return Quaterniond(AngleAxisd(angle, axis.normalized()));
}

// Not longer: the forces of a flat box on four corners are not unique, and neither is its turn if it slides.
TEST(Units, BoxesMoveInTheSameWay) {
  SmallScene scene(0.4);
  scene.add_fixed(PlaneShape{});
  scene.add(BoxShape{{0.3, 0.2, 0.1}}, 2.0, {0.0, 0.0, 0.25}, turned(0.3, {1.0, 0.4, 0.2}));
  BodySpec& falling =
      scene.add(BoxShape{{0.2, 0.2, 0.2}}, 3.0, {0.05, 0.03, 0.5}, turned(0.5, {0.2, 1.0, 0.3}));
  falling.velocity = {0.1, 0.0, -1.0};
  if (is_refused_without_bullet(scene)) return;
  expect_same_way(scene, 16, 1e-9, "falling boxes");
  SmallScene tumbling(0.8);
  tumbling.add_fixed(PlaneShape{});
  BodySpec& box = tumbling.add(BoxShape{{0.3, 0.2, 0.1}}, 2.0, {0.0, 0.0, 0.4}, turned(0.6, {1.0, 0.4, 0.2}));
  box.velocity = {0.5, 0.0, 0.0};
  box.spin = {1.0, 2.0, 3.0};
  expect_same_way(tumbling, 60, 1e-9, "a tumbling box");
  SmallScene sliding(0.3);
  sliding.add_fixed(PlaneShape{});
  sliding.add(BoxShape{{0.4, 0.1, 0.1}}, 1.0, {0.5, 0.0, 0.05}).velocity = {-1.5, 0.0, 0.0};
  sliding.add(BoxShape{{0.4, 0.1, 0.1}}, 1.0, {0.0, 0.0, 0.05});
  sliding.add(BoxShape{{0.2, 0.1, 0.1}}, 2.0, {0.05, 0.0, 0.16});
  expect_same_way(sliding, 60, 1e-9, "sliding boxes");
}

TEST(Units, SpheresMoveInTheSameWay) {
  SmallScene scene(0.4);
  scene.materials[0].restitution = 0.5;
  scene.add_fixed(PlaneShape{});
  scene.add_fixed(BoxShape{{0.1, 2.0, 2.0}}, {-0.4, 0.0, 0.0});
  scene.add(SphereShape{0.1}, 2.0, {0.0, 0.0, 0.3}).velocity = {-1.0, 0.2, 0.0};
  scene.add(SphereShape{0.15}, 3.0, {0.03, 0.05, 0.7}).spin = {3.0, 2.0, 1.0};
  scene.add(SphereShape{0.08}, 1.0, {0.5, 0.0, 0.08}).velocity = {-2.0, 0.1, 0.0};
  expect_same_way(scene, 60, 1e-9, "spheres");
}

TEST(Units, CylindersMoveInTheSameWay) {
  SmallScene scene(0.4);
  scene.add_fixed(PlaneShape{});
  scene.add_fixed(BoxShape{{0.1, 2.0, 0.6}}, {-0.4, 0.0, 0.3});
  scene.add(CylinderShape{0.1, 0.3}, 2.0, {0.0, 0.0, 0.25}, turned(1.3, {1.0, 0.4, 0.2})).velocity = {
      -1.0, 0.2, 0.0};
  scene.add(CylinderShape{0.15, 0.1}, 3.0, {0.03, 0.05, 0.6}, turned(0.4, {0.3, 1.0, 0.0})).spin = {3.0, 2.0,
                                                                                                    1.0};
  scene.add(CapsuleShape{0.05, 0.2}, 1.0, {0.5, 0.0, 0.06}, turned(1.4, {0.0, 1.0, 0.1})).velocity = {
      -2.0, 0.1, 0.0};
  if (is_refused_without_bullet(scene)) return;
  expect_same_way(scene, 40, 1e-9, "cylinders");
}

// What counts as rest does not depend on units: a slow spin without friction goes on.
TEST(Units, SlowSpinsGoOn) {
  SmallScene scene(0.0);
  scene.add_fixed(PlaneShape{});
  scene.add(BoxShape{{0.3, 0.2, 0.1}}, 2.0, {0.0, 0.0, 0.05}).spin = {0.0, 0.0, 3e-6};
  for (const Units& units : all_units) {
    World world(in(units, scene));
    Driver driver = driver_of(1e-10);
    for (int k = 0; k < 100; ++k) solved_step(world, driver, 0.01 * units.time);
    EXPECT_NEAR(2.0 * world.body(1).orientation.z(), 3e-6, 1e-9) << units.name;
  }
}

// Bodies of a chain that have no shapes have no extent either.
TEST(Units, ChainsMoveInTheSameWay) {
  SmallScene scene;
  int before = -1;
  for (int k = 0; k < 6; ++k) {
    BodySpec& link = scene.add(0.5, {1e-3, 1e-3, 1e-3});
    link.position = {0.1 + 0.2 * k, 0.0, 0.0};
    scene.joints.push_back({.kind = JointKind::ball, .bodies = {k, before}, .point = {0.2 * k, 0.0, 0.0}});
    before = k;
  }
  // Their inertia has units too.
  for (const Units& units : all_units) {
    SmallScene other = in(units, scene);
    for (BodySpec& body : other.bodies) *body.inertia *= units.mass * units.length * units.length;
    World world(scene), other_world(other);
    Driver driver = driver_of(1e-10), other_driver = driver_of(1e-10);
    for (int k = 0; k < 60; ++k) {
      solved_step(world, driver, 0.01);
      solved_step(other_world, other_driver, 0.01 * units.time);
      ASSERT_LE(difference(world, other_world, units), 1e-9) << units.name << ", step " << k;
    }
  }
}

}  // namespace slipstick::internal::world_units_test
