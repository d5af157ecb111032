// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/small_scenes.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double degree = std::numbers::pi / 180.0;

Vector3d level_direction(double angle) {
  return {std::cos(angle), std::sin(angle), 0.0};
}

void build_stack(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "wood", values["friction"]);
  builder.ground();
  const double edge = values["edge"];
  const int shape = builder.shape("box", BoxShape{Vector3d::Constant(edge)});
  Random random(scene.seed);
  const int count = values.count("boxes");
  for (int i = 0; i < count; ++i) {
    const double reach = 0.5 * values["jitter"] * edge;
    const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
    const double height = (i + 0.5) * edge + (i + 1) * values["gap"];
    builder.body(fmt::format("box {}", i), shape, i + 1 == count ? values["top_mass"] : values["mass"],
                 {x, y, height});
  }
}

// The slope descends towards `direction`. The block begins to move with `speed` that way.
void build_incline(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "wood", values["friction"]);
  const Vector3d downhill = level_direction(values["direction"] * degree);
  const Quaterniond tilt(AngleAxisd(values["angle"] * degree, Vector3d::UnitZ().cross(downhill)));
  const Quaterniond turn(AngleAxisd(values["direction"] * degree, Vector3d::UnitZ()));
  builder.fixed("slope", builder.shape("slope", PlaneShape{}), Vector3d::Zero(), tilt.normalized());
  const Vector3d size(0.2, 0.2, 0.1);
  const Quaterniond orientation = (tilt * turn).normalized();
  const int block = builder.body("block", builder.shape("block", BoxShape{size}), 1.0,
                                 orientation * Vector3d(0, 0, 0.5 * size.z()), orientation);
  builder.at(block).velocity = values["speed"] * (orientation * Vector3d::UnitX());
}

void build_rolling(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "rubber", values["friction"]);
  builder.ground();
  const double radius = values["radius"];
  const int ball = builder.body("ball", builder.shape("ball", SphereShape{radius}), 1.0, {0.0, 0.0, radius});
  builder.at(ball).velocity = values["speed"] * level_direction(values["direction"] * degree);
}

// The rod touches the ground with its lower end. It slides towards that end, so that friction turns the rod
// into the ground.
void build_painleve(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "chalk", values["friction"]);
  builder.ground();
  const double length = 1.0, radius = 0.002, mass = 1.0;
  const double angle = values["angle"] * degree;
  const Quaterniond orientation(AngleAxisd(0.5 * std::numbers::pi - angle, Vector3d::UnitY()));
  const Vector3d end(0.0, 0.0, radius);
  const int rod = builder.body("rod", builder.shape("rod", CapsuleShape{radius, length}), mass,
                               end + 0.5 * length * (orientation * Vector3d::UnitZ()), orientation);
  const double across = mass * length * length / 12.0;
  builder.at(rod).inertia = Vector3d(across, across, 0.5 * mass * radius * radius).asDiagonal();
  builder.at(rod).velocity = {-values["speed"], 0.0, 0.0};
}

// The y axis has the middle moment of inertia, so that a turn about it is unstable.
void build_top(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "wood", 0.0);
  scene.gravity = Vector3d::Zero();
  const int top = builder.body("top", builder.shape("top", BoxShape{{0.3, 0.2, 0.1}}), 1.0, Vector3d::Zero());
  const double spin = values["spin"], share = values["tilt"];
  builder.at(top).spin = {share * spin, spin, share * spin};
}

void build_conveyor(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "rubber", values["friction"]);
  const int count = values.count("boxes");
  const double edge = 0.2, pitch = 0.5;
  const Vector3d belt_size(pitch * count + 10.0, 1.0, 0.2);
  const int belt = builder.fixed("belt", builder.shape("belt", BoxShape{belt_size}),
                                 {0.5 * belt_size.x() - pitch, 0.0, -0.1});
  builder.at(belt).kind = BodyKind::moved;
  builder.at(belt).motion = BeltMotion{.velocity = {values["speed"], 0.0, 0.0}};
  const int shape = builder.shape("box", BoxShape{Vector3d::Constant(edge)});
  for (int i = 0; i < count; ++i)
    builder.body(fmt::format("box {}", i), shape, 1.0, {pitch * i, 0.0, 0.5 * edge});
}

}  // namespace

SceneRow stack_scene() {
  return {.name = "stack",
          .summary = "boxes upon each other, with a mass of its own on top",
          .duration = 2.0,
          .parameters = {integer("boxes", 10, 1, 10000, "number of boxes"),
                         real("edge", 0.2, "m", 1e-3, 10.0, "of a box"),
                         real("mass", 1.0, "kg", 1e-6, 1e6, "of a box"),
                         real("top_mass", 1.0, "kg", 1e-6, 1e9, "of the box on top"),
                         real("gap", 0.0, "m", 0.0, 1.0, "below each box"),
                         real("jitter", 0.0, "", 0.0, 0.5, "range of the places, in edges"),
                         friction_parameter(0.5), seed_parameter()},
          .build = build_stack};
}

SceneRow incline_scene() {
  return {.name = "incline",
          .summary = "a block on a slope: it sticks if the tangent of the angle is at most the friction",
          .duration = 1.0,
          .parameters = {real("angle", 20.0, "deg", 0.0, 80.0, "of the slope"),
                         real("direction", 0.0, "deg", -360.0, 360.0, "towards which the slope descends"),
                         real("speed", 0.0, "m/s", 0.0, 100.0, "downhill, at the start"),
                         friction_parameter(0.3)},
          .build = build_incline};
}

SceneRow rolling_scene() {
  return {.name = "rolling",
          .summary = "a sphere thrown on a plane: it slips, then rolls at 5/7 of its speed",
          .duration = 1.0,
          .parameters = {real("speed", 2.0, "m/s", 0.0, 100.0, "at the start"),
                         real("direction", 0.0, "deg", -360.0, 360.0, "of the speed"),
                         real("radius", 0.1, "m", 1e-3, 10.0, "of the sphere"), friction_parameter(0.3)},
          .build = build_rolling};
}

SceneRow painleve_scene() {
  return {.name = "painleve",
          .summary = "a slender rod that slides on its end (Painleve's paradox for friction above 4/3)",
          .duration = 0.5,
          .step = 1e-3,
          .parameters = {real("angle", 63.43494882292201, "deg", 5.0, 85.0, "of the rod above the ground"),
                         real("speed", 1.0, "m/s", 0.0, 100.0, "of the rod"), friction_parameter(1.2)},
          .build = build_painleve};
}

SceneRow top_scene() {
  return {.name = "top",
          .summary = "a free box that turns about its middle axis and tumbles",
          .duration = 10.0,
          .step = 1e-2,
          .law = FrictionLaw::none,
          .parameters = {real("spin", 10.0, "rad/s", 0.0, 1000.0, "about the middle axis"),
                         real("tilt", 0.01, "", -10.0, 10.0, "spin about the other axes, relative")},
          .build = build_top};
}

SceneRow conveyor_scene() {
  return {.name = "conveyor",
          .summary = "boxes on a belt that drags them along",
          .duration = 3.0,
          .parameters = {integer("boxes", 3, 1, 1000, "number of boxes"),
                         real("speed", 1.0, "m/s", -10.0, 10.0, "of the belt"), friction_parameter(0.3)},
          .build = build_conveyor};
}

}  // namespace slipstick::internal
