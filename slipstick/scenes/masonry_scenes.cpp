// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/masonry_scenes.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// A running bond of bricks along x. Every second course begins and ends with half a brick. The box flies
// along y.
void build_wall(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "brick", values["friction"], 1900.0);
  builder.ground();
  const Vector3d size(0.2, 0.1, 0.065);
  const double gap = values["gap"], pitch = size.x() + gap, half = 0.5 * (size.x() - gap);
  const int whole = builder.shape("brick", BoxShape{size});
  const int cut = builder.shape("half brick", BoxShape{{half, size.y(), size.z()}});
  const int courses = values.count("courses"), bricks = values.count("bricks");
  const double left = -0.5 * (bricks * pitch - gap);
  for (int course = 0; course < courses; ++course) {
    const bool odd = course % 2 == 1;
    const double height = (course + 0.5) * size.z() + (course + 1) * gap;
    const auto add = [&](int number, int shape, double middle) {
      builder.body(fmt::format("course {} brick {}", course, number), shape, values["brick_mass"],
                   {left + middle, 0.0, height});
    };
    if (odd) add(0, cut, 0.5 * half);
    for (int i = 0; i < bricks - (odd ? 1 : 0); ++i)
      add(i + (odd ? 1 : 0), whole, i * pitch + (odd ? half + gap : 0.0) + 0.5 * size.x());
    if (odd) add(bricks, cut, bricks * pitch - gap - 0.5 * half);
  }
  const double edge = 0.15;
  const double middle = values["aim"] * courses * (size.z() + gap);
  const int box =
      builder.body("box", builder.shape("box", BoxShape{Vector3d::Constant(edge)}), values["box_mass"],
                   {0.0, -values["distance"], std::max(middle, 0.5 * edge + gap)});
  builder.at(box).velocity = {0.0, values["speed"], 0.0};
}

// A semicircle of wedges with radial joints. Its ends stand on the ground.
void build_arch(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "stone", values["friction"], 2000.0);
  builder.ground();
  const int count = values.count("voussoirs");
  const double radius = values["radius"], thickness = values["thickness"] * radius, depth = values["depth"];
  const double angle = std::numbers::pi / count;
  // One wedge about the z axis serves all. Its origin is on the middle line.
  HullShape wedge;
  for (const double side : {-0.5, 0.5}) {
    for (const double r : {radius - 0.5 * thickness, radius + 0.5 * thickness}) {
      for (const double y : {-0.5 * depth, 0.5 * depth})
        wedge.points.emplace_back(r * std::sin(side * angle), y, r * std::cos(side * angle) - radius);
    }
  }
  const int shape = builder.shape("voussoir", wedge);
  for (int i = 0; i < count; ++i) {
    const double place = (i + 0.5) * angle - 0.5 * std::numbers::pi;  // from the crown
    const Quaterniond turn(AngleAxisd(place, Vector3d::UnitY()));
    scene.bodies.push_back({.name = fmt::format("voussoir {}", i),
                            .shapes = {{.shape = shape}},
                            .position = turn * Vector3d(0.0, 0.0, radius),
                            .orientation = turn});
  }
}

// Pairs of leaning cards, with a card from top to top. A leaning card touches the ground with its lowest
// edge, and its partner with the upper one.
void build_cards(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "paper", values["friction"]);
  builder.ground();
  const double length = 0.1, width = 0.06, thickness = 0.002, mass = 0.002, gap = 0.001;
  const double lean = values["lean"] * std::numbers::pi / 180.0;
  const double sine = std::sin(lean), cosine = std::cos(lean);
  const double storey = length * cosine + thickness * sine;  // height of a leaning card
  const double pitch = length + gap;                         // of the pairs
  const int card = builder.shape("card", BoxShape{{thickness, width, length}});
  const int storeys = values.count("storeys");
  for (int level = 0; level < storeys; ++level) {
    const double base = level * (storey + thickness);
    const int pairs = storeys - level;
    for (int i = 0; i < pairs; ++i) {
      const double middle = pitch * (i - 0.5 * (pairs - 1));
      const double aside = 0.5 * (length * sine + thickness * cosine);
      for (const double side : {-1.0, 1.0}) {
        builder.body(fmt::format("storey {} pair {} {}", level, i, side < 0.0 ? "left" : "right"), card, mass,
                     {middle + side * aside, 0.0, base + 0.5 * storey},
                     Quaterniond(AngleAxisd(-side * lean, Vector3d::UnitY())));
      }
    }
    for (int i = 0; i + 1 < pairs; ++i) {
      const double middle = pitch * (i + 0.5 - 0.5 * (pairs - 1));
      builder.body(fmt::format("storey {} roof {}", level, i), card, mass,
                   {middle, 0.0, base + storey + 0.5 * thickness}, along_x());
    }
  }
}

}  // namespace

SceneRow wall_scene() {
  return {.name = "wall",
          .summary = "a wall of bricks, hit by a metal box (Ho 2022, 6.1.7)",
          .duration = 10.0,
          .parameters = {integer("courses", 7, 1, 1000, "courses of bricks"),
                         integer("bricks", 6, 1, 1000, "bricks of a course"),
                         real("brick_mass", 2.5, "kg", 1e-6, 1e6, "of a brick, half ones too"),
                         real("box_mass", 10.0, "kg", 1e-6, 1e6, "of the box"),
                         real("gap", 1e-3, "m", 0.0, 0.05, "between bricks"),
                         real("speed", 6.0, "m/s", 0.0, 1000.0, "of the box"),
                         real("distance", 1.0, "m", 0.2, 100.0, "of the box from the wall"),
                         real("aim", 0.7, "", 0.0, 2.0, "height of the box, relative to the wall"),
                         friction_parameter(0.6)},
          .build = build_wall};
}

SceneRow arch_scene() {
  return {.name = "arch",
          .summary = "a semicircular arch: it stands if thickness over radius is at least 0.1075",
          .duration = 2.0,
          .step = 1e-2,
          .parameters = {integer("voussoirs", 15, 2, 999, "number of wedges"),
                         real("radius", 1.0, "m", 1e-2, 1000.0, "of the middle line"),
                         real("thickness", 0.15, "", 1e-3, 1.0, "relative to the radius"),
                         real("depth", 0.3, "m", 1e-3, 1000.0, "along the axis"), friction_parameter(0.6)},
          .build = build_arch};
}

SceneRow cards_scene() {
  return {.name = "cards",
          .summary = "a house of cards",
          .duration = 2.0,
          .step = 1e-3,
          .parameters = {integer("storeys", 3, 1, 100, "number of storeys"),
                         real("lean", 25.0, "deg", 5.0, 28.0, "of the cards from the vertical"),
                         friction_parameter(0.6)},
          .build = build_cards};
}

}  // namespace slipstick::internal
