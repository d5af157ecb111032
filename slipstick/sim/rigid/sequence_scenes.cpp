// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/packing.hpp"

namespace slipstick::internal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Scene scene_with_friction(double mu) {
  Scene scene;
  scene.materials[0].friction = mu;
  return scene;
}

int add_shape(Scene& scene, ShapeGeometry geometry) {
  const int number = static_cast<int>(scene.shapes.size());
  scene.shapes.push_back({.name = fmt::format("shape {}", number), .geometry = std::move(geometry)});
  return number;
}

int add_body(Scene& scene, BodySpec body) {
  const int number = static_cast<int>(scene.bodies.size());
  body.name = fmt::format("body {}", number);
  scene.bodies.push_back(std::move(body));
  return number;
}

// The spheres of the heaps, in metres and kg/m^3.
constexpr double mean_radius = 0.05, density = 2500.0;

// In a row on the floor of their box.
int row_of_spheres(int spheres) {
  return std::max(1, static_cast<int>(std::cbrt(static_cast<double>(spheres))));
}

// A floor and four walls around the z axis.
Scene box_of_planes(double half_width) {
  Scene scene = scene_with_friction(0.3);
  const int plane = add_shape(scene, PlaneShape{});
  add_body(scene, {.kind = BodyKind::fixed, .shapes = {{.shape = plane}}});
  for (const Vector3d& inward : {Vector3d(1.0, 0.0, 0.0), Vector3d(-1.0, 0.0, 0.0), Vector3d(0.0, 1.0, 0.0),
                                 Vector3d(0.0, -1.0, 0.0)}) {
    add_body(scene, {.kind = BodyKind::fixed,
                     .shapes = {{.shape = plane}},
                     .position = -half_width * inward,
                     .orientation = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), inward)});
  }
  return scene;
}

void add_sphere(Scene& scene, const Sphere& sphere) {
  const double radius = sphere.radius;
  const int shape = add_shape(scene, SphereShape{radius});
  add_body(scene, {.shapes = {{.shape = shape}},
                   .mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius,
                   .position = sphere.centre});
}

}  // namespace

Scene settling_spheres(int spheres, std::uint64_t seed) {
  constexpr double pitch = 2.5 * mean_radius;
  const int row = row_of_spheres(spheres);
  const double half_width = 0.5 * pitch * row;
  Scene scene = box_of_planes(half_width);
  Random random(seed);
  for (int k = 0; k < spheres; ++k) {
    const double radius = mean_radius * random.uniform(0.8, 1.2);
    // Draw in a fixed order: that of arguments is not.
    const Eigen::Vector3i cell(k % row, k / row % row, k / (row * row));
    Vector3d place = cell.cast<double>();
    for (double& coordinate : place) coordinate += 0.5 + 0.02 * random.uniform(-1.0, 1.0);
    const Vector3d corner(-half_width, -half_width, 0.0);
    add_sphere(scene, {corner + pitch * place, radius});
  }
  return scene;
}

Scene laid_spheres(int spheres, std::uint64_t seed) {
  const PackingOptions options{.spheres = spheres,
                               .bucket = true,
                               .container_radius = 1.25 * std::max(2, row_of_spheres(spheres)),
                               .seed = seed};
  Scene scene = box_of_planes(mean_radius * options.container_radius);
  for (const Sphere& sphere : packed_spheres(options, mean_radius)) add_sphere(scene, sphere);
  return scene;
}

Scene sliding_stack(int boxes, std::uint64_t seed) {
  constexpr double slope = 0.5;
  const Vector3d size(0.5, 0.4, 0.1);
  Scene scene = scene_with_friction(0.3);
  scene.materials.push_back({.name = "box", .friction = 0.6});
  scene.pairs.push_back({.materials = {0, 1}, .friction = 0.3});
  Random random(seed);
  // The incline falls along x.
  const Quaterniond tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY()));
  const int plane = add_shape(scene, PlaneShape{}), shape = add_shape(scene, BoxShape{size});
  add_body(scene, {.kind = BodyKind::fixed, .shapes = {{.shape = plane}}, .orientation = tilt});
  for (int k = 0; k < boxes; ++k) {
    Vector3d place(0.0, 0.0, (k + 0.5) * size.z());
    for (int axis = 0; axis < 2; ++axis) place[axis] = 0.05 * size[axis] * random.uniform(-1.0, 1.0);
    add_body(scene, {.shapes = {{.shape = shape, .material = 1}},
                     .mass = 10.0,
                     .position = tilt * place,
                     .orientation = tilt});
  }
  return scene;
}

Scene swinging_chain(int links, std::uint64_t seed) {
  constexpr double pitch = 0.2, radius = 0.08;
  Scene scene = scene_with_friction(0.4);
  Random random(seed);
  const int plane = add_shape(scene, PlaneShape{}), sphere = add_shape(scene, SphereShape{radius});
  // Three quarters of the chain's length below the point that holds it.
  add_body(
      scene,
      {.kind = BodyKind::fixed, .shapes = {{.shape = plane}}, .position = {0.0, 0.0, -0.75 * pitch * links}});
  int before = -1;
  for (int k = 0; k < links; ++k) {
    const int link = add_body(scene, {.shapes = {{.shape = sphere}},
                                      .mass = 1.0,
                                      .position = {(k + 0.5) * pitch, 0.0, 0.0},
                                      .velocity = {0.0, 0.1 * random.normal(), 0.0}});
    scene.joints.push_back(
        {.kind = JointKind::ball, .bodies = {link, before}, .point = {k * pitch, 0.0, 0.0}});
    before = link;
  }
  return scene;
}

Scene driven_hinges(int arms, std::uint64_t seed) {
  Scene scene;
  Random random(seed);
  const int shape = add_shape(scene, BoxShape{{0.6, 0.1, 0.1}});
  for (int k = 0; k < arms; ++k) {
    const Vector3d centre(0.0, k, 1.0);
    const int arm = add_body(scene, {.shapes = {{.shape = shape}}, .mass = 2.0, .position = centre});
    const double torque = random.uniform(0.5, 1.0);
    const double stop = random.uniform(1.0, 3.0);
    scene.joints.push_back({.kind = JointKind::hinge,
                            .bodies = {arm, -1},
                            .point = centre,
                            .axis = Vector3d::UnitZ(),
                            .upper = stop,
                            .motor_speed = 4.0,
                            .motor_force = torque});
  }
  return scene;
}

Scene boxes_on_belt(int boxes, std::uint64_t seed) {
  const Vector3d size(0.4, 0.3, 0.2);
  Scene scene = scene_with_friction(0.3);
  Random random(seed);
  const int plane = add_shape(scene, PlaneShape{}), shape = add_shape(scene, BoxShape{size});
  add_body(scene, {.kind = BodyKind::moved,
                   .shapes = {{.shape = plane}},
                   .motion = BeltMotion{.velocity = {1.5, 0.0, 0.0}}});
  for (int k = 0; k < boxes; ++k) {
    const double height = 0.5 * size.z() + random.uniform(0.0, 0.05);
    const double direction = random.uniform(-std::numbers::pi, std::numbers::pi);
    add_body(scene, {.shapes = {{.shape = shape}},
                     .mass = 3.0,
                     .position = {0.0, static_cast<double>(k), height},
                     .orientation = Quaterniond(AngleAxisd(direction, Vector3d::UnitZ()))});
  }
  return scene;
}

}  // namespace slipstick::internal
