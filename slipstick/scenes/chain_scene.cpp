// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/chain_scene.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

const Vector3d chain_link(0.098, 0.05, 0.02);  // m
constexpr double link_pitch = 0.1;             // m
constexpr double load_edge = 0.4;              // m

// The chain begins on top of the rod and lies straight along x. The box at its end swings down and around the
// rod. All turn about the first joint at the start, and drift along the rod, so that the turns lie beside
// each other.
void build_chain(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "steel", values["friction"], 7800.0);
  const double radius = values["rod_radius"];
  const int links = values.count("links");
  const double length = links * link_pitch;
  builder.fixed("rod", builder.shape("rod", CylinderShape{radius, values["rod_length"]}), Vector3d::Zero(),
                along_y());

  const double height = radius + 0.5 * chain_link.z() + 0.001;
  const double turn = values["speed"] / length, slide = values["drift"] / length;
  const auto launch = [&](int number) {
    BodySpec& body = builder.at(number);
    body.spin = {0.0, turn, slide};
    body.velocity = {0.0, slide * body.position.x(), -turn * body.position.x()};
  };
  const int shape = builder.shape("link", BoxShape{chain_link});
  int previous = -1;
  const auto join = [&](int next, int number) {
    scene.joints.push_back({.name = fmt::format("joint {}", number),
                            .kind = JointKind::universal,
                            .bodies = {previous, next},
                            .point = {number * link_pitch, 0.0, height},
                            .axis = Vector3d::UnitY(),
                            .second_axis = Vector3d::UnitZ()});
    previous = next;
  };
  for (int i = 0; i < links; ++i) {
    const int link = builder.body(fmt::format("link {}", i), shape, values["link_mass"],
                                  {(i + 0.5) * link_pitch, 0.0, height});
    launch(link);
    join(link, i);
  }
  const int load = builder.body("box", builder.shape("box", BoxShape{Vector3d::Constant(load_edge)}),
                                values["box_mass"], {length + 0.5 * load_edge, 0.0, height});
  launch(load);
  join(load, links);
}

}  // namespace

SceneRow chain_scene() {
  return {.name = "chain",
          .summary = "a chain with a heavy box wraps around a rod (Ho 2022, 6.1.4)",
          .duration = 6.0,
          .law = FrictionLaw::box,
          .parameters = {integer("links", 100, 2, 10000, "number of links"),
                         real("link_mass", 0.25, "kg", 1e-6, 1e6, "of a link"),
                         real("box_mass", 500.0, "kg", 1e-6, 1e9, "of the box"),
                         real("rod_radius", 0.25, "m", 0.05, 10.0, "of the rod"),
                         real("rod_length", 4.0, "m", 0.1, 100.0, "of the rod"),
                         real("speed", 22.0, "m/s", 0.0, 1000.0, "of the box, downward at the start"),
                         real("drift", 1.0, "m/s", -100.0, 100.0, "of the box along the rod"),
                         friction_parameter(0.4)},
          .build = build_chain};
}

}  // namespace slipstick::internal
