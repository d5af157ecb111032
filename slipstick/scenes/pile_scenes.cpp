// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/pile_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Columns of boxes with gaps between them. They fall and become stacks.
void build_boxes(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "wood", values["friction"]);
  builder.ground();
  const int stacks = values.count("stacks"), boxes = values.count("boxes");
  const double edge = values["edge"], gap = values["gap"], reach = 0.5 * values["jitter"] * edge;
  const int across = static_cast<int>(std::ceil(std::sqrt(stacks)));
  const int shape = builder.shape("box", BoxShape{Vector3d::Constant(edge)});
  Random random(scene.seed);
  for (int stack = 0; stack < stacks; ++stack) {
    const Vector3d place = 3.0 * edge * Vector3d(stack % across, stack / across, 0.0);
    for (int i = 0; i < boxes; ++i) {
      const Vector3d shift(random.uniform(-reach, reach), random.uniform(-reach, reach),
                           (i + 0.5) * edge + (i + 1) * gap);
      builder.body(fmt::format("stack {} box {}", stack, i), shape, values["mass"], place + shift);
    }
  }
}

// Layers of logs, every second one across. Round logs cross in a point.
void build_tower(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "wood", values["friction"], 600.0);
  builder.ground();
  const int logs = values.count("logs"), in_layer = values.count("in_layer");
  const double radius = 0.115, length = 2.0, gap = values["gap"];
  const bool square = values["square"] != 0.0;
  const int shape = square ? builder.shape("log", BoxShape{{2.0 * radius, 2.0 * radius, length}})
                           : builder.shape("log", CylinderShape{radius, length});
  const double span = length - 4.0 * radius;  // between the first and last log of a layer
  double top = 0.0;
  for (int i = 0; i < logs; ++i) {
    const int layer = i / in_layer, place = i % in_layer;
    const double aside = in_layer == 1 ? 0.0 : span * place / (in_layer - 1) - 0.5 * span;
    const double height = (2 * layer + 1) * radius + (layer + 1) * gap;
    const bool odd = layer % 2 == 1;
    builder.body(fmt::format("log {}", i), shape, values["log_mass"],
                 {odd ? aside : 0.0, odd ? 0.0 : aside, height}, odd ? along_y() : along_x());
    top = height + radius;
  }
  const double edge = std::cbrt(values["block_mass"] / 7800.0);
  builder.body("block", builder.shape("block", BoxShape{Vector3d::Constant(edge)}), values["block_mass"],
               {values["offset"], 0.5 * values["offset"], top + values["drop"] + 0.5 * edge});
}

// A convex rock of about the given mass: points on a bumpy ellipsoid.
HullShape rock(double volume, Random& random) {
  constexpr int corners = 14;
  HullShape hull;
  const Vector3d axes(1.0, random.uniform(0.75, 1.0), random.uniform(0.6, 0.9));
  const double start = random.uniform(0.0, 2.0 * pi);
  for (int i = 0; i < corners; ++i) {  // evenly spread, along a spiral
    const double z = 1.0 - (2.0 * i + 1.0) / corners;
    const double angle = start + i * pi * (3.0 - std::sqrt(5.0)) + random.uniform(-0.2, 0.2);
    const double level = std::sqrt(1.0 - z * z);
    const Vector3d point(level * std::cos(angle), level * std::sin(angle), z);
    hull.points.emplace_back(random.uniform(0.9, 1.1) * point.cwiseProduct(axes));
  }
  const double scale = std::cbrt(volume / mass_properties(hull, 1.0).mass);
  for (Vector3d& point : hull.points) point *= scale;
  return hull;
}

Eigen::Quaterniond random_turn(Random& random) {
  Eigen::Quaterniond turn(random.normal(), random.normal(), random.normal(), random.normal());
  return turn.normalized();
}

// Rocks fall in layers onto the ground. The shovel, on a slider with a motor, comes when they have settled.
void build_rocks(const SceneValues& values, Scene& scene) {
  constexpr double density = 2700.0;
  SceneBuilder builder(scene, "stone", values["friction"], density);
  builder.ground();
  const int count = values.count("rocks");
  const double lightest = values["lightest"], heaviest = std::max(values["heaviest"], lightest);
  const double cell = 2.6 * std::cbrt(heaviest / density);
  const int across = std::max(1, static_cast<int>(std::lround(std::cbrt(count))));
  Random random(scene.seed);
  for (int i = 0; i < count; ++i) {
    // The first two are the lightest and the heaviest.
    const double drawn = random.uniform(lightest, heaviest);
    const double mass = i == 0 ? lightest : i == 1 ? heaviest : drawn;
    const int shape = builder.shape(fmt::format("rock {}", i), rock(mass / density, random));
    const Vector3d place(i % across - 0.5 * (across - 1), i / across % across - 0.5 * (across - 1),
                         i / (across * across) + 0.5);
    builder.body(fmt::format("rock {}", i), shape, mass, cell * place, random_turn(random));
  }
  const double half_width = 0.5 * across * cell, thickness = 0.05, height = cell;
  const double start = -half_width - thickness - values["delay"] * values["speed"];
  const Vector3d position(start, 0.0, 0.5 * height + 0.01);
  const int shovel =
      builder.body("shovel", builder.shape("shovel", BoxShape{{thickness, 2.0 * half_width, height}}),
                   values["shovel_mass"], position);
  scene.joints.push_back({.name = "drive",
                          .kind = JointKind::slider,
                          .bodies = {shovel, -1},
                          .point = position,
                          .axis = Vector3d::UnitX(),
                          .upper = values["delay"] * values["speed"] + 2.0 * half_width,
                          .motor_speed = values["speed"],
                          .motor_force = values["force"]});
}

}  // namespace

SceneRow boxes_scene() {
  return {.name = "boxes",
          .summary = "boxes fall and form separate stacks (Ho 2022, 6.1.1)",
          .duration = 10.0,
          .parameters = {integer("stacks", 100, 1, 10000, "number of stacks"),
                         integer("boxes", 10, 1, 1000, "boxes of a stack"),
                         real("mass", 2.5, "kg", 1e-6, 1e6, "of a box"),
                         real("edge", 0.2, "m", 1e-3, 10.0, "of a box"),
                         real("gap", 0.02, "m", 0.0, 10.0, "below each box"),
                         real("jitter", 0.05, "", 0.0, 0.5, "range of the places, in edges"),
                         friction_parameter(0.5), seed_parameter()},
          .build = build_boxes};
}

SceneRow tower_scene() {
  return {.name = "tower",
          .summary = "a tower of logs, upon which a heavy block falls (Ho 2022, 6.1.2)",
          .duration = 10.0,
          .parameters = {integer("logs", 160, 1, 100000, "number of logs"),
                         integer("in_layer", 2, 1, 100, "logs of a layer"),
                         real("log_mass", 50.0, "kg", 1e-6, 1e6, "of a log"),
                         real("block_mass", 2500.0, "kg", 1e-6, 1e9, "of the block"),
                         real("drop", 2.0, "m", 0.0, 100.0, "height of the block above the tower"),
                         real("offset", 0.7, "m", -10.0, 10.0, "of the block from the middle"),
                         real("gap", 0.0, "m", 0.0, 1.0, "below each layer"),
                         {"square", ParameterType::flag, 0.0, "", 0.0, 1.0, "logs are beams with four faces"},
                         friction_parameter(0.6)},
          .build = build_tower};
}

SceneRow rocks_scene() {
  return {.name = "rocks",
          .summary = "a pile of rocks, pushed by a light shovel (Ho 2022, 6.1.6)",
          .duration = 10.0,
          .parameters = {integer("rocks", 160, 2, 100000, "number of rocks"),
                         real("lightest", 80.0, "kg", 1e-3, 1e6, "of all rocks"),
                         real("heaviest", 250.0, "kg", 1e-3, 1e6, "of all rocks"),
                         real("shovel_mass", 1.0, "kg", 1e-6, 1e6, "of the shovel"),
                         real("speed", 0.5, "m/s", 0.0, 100.0, "of the shovel"),
                         real("force", 1e5, "N", 0.0, 1e9, "largest force of the shovel's motor"),
                         real("delay", 3.0, "s", 0.0, 1000.0, "before the shovel arrives"),
                         friction_parameter(0.5), seed_parameter()},
          .build = build_rocks};
}

}  // namespace slipstick::internal
