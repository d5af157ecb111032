// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/chain_scene.hpp"

#include <fmt/format.h>

#include <vector>

#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

const Vector3d link_plate(0.02, 0.01, 0.098);  // m; a link has two of them
constexpr double link_width = 0.05;            // m
constexpr double link_pitch = 0.1;             // m
constexpr double load_edge = 0.4;              // m

// The chain hangs from the side of the rod, with the box at its end. The rod turns and winds it up, less than
// once around.
void build_chain(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "steel", values["friction"], 7800.0);
  const double radius = values["rod_radius"], speed = values["speed"], length = values["rod_length"];
  const int rod =
      builder.fixed("rod", builder.shape("rod", CylinderShape{radius, length}), Vector3d::Zero(), along_y());
  const double aside = radius + 0.5 * link_plate.x();
  builder.at(rod).kind = BodyKind::moved;
  builder.at(rod).motion = SteadyMotion{.velocity = Vector3d::Zero(), .spin = {0.0, -speed / aside, 0.0}};

  const int links = values.count("links");
  const int plate = builder.shape("plate", BoxShape{link_plate});
  int previous = rod;
  const auto join = [&](int next, int number) {
    builder.at(next).velocity = {0.0, 0.0, speed};
    scene.joints.push_back({.name = fmt::format("joint {}", number),
                            .kind = JointKind::universal,
                            .bodies = {previous, next},
                            .point = {aside, 0.0, -number * link_pitch},
                            .axis = Vector3d::UnitY(),
                            .second_axis = Vector3d::UnitX()});
    previous = next;
  };
  const double plate_aside = 0.5 * (link_width - link_plate.y());
  for (int i = 0; i < links; ++i) {
    const int link = builder.body(fmt::format("link {}", i), plate, values["link_mass"],
                                  {aside, 0.0, -(i + 0.5) * link_pitch});
    std::vector<ShapePlace>& plates = builder.at(link).shapes;
    plates.push_back(plates.front());
    plates[0].position.y() = plate_aside;
    plates[1].position.y() = -plate_aside;
    join(link, i);
  }
  join(builder.body("box", builder.shape("box", BoxShape{Vector3d::Constant(load_edge)}), values["box_mass"],
                    {aside, 0.0, -links * link_pitch - 0.5 * load_edge}),
       links);
}

}  // namespace

SceneRow chain_scene() {
  return {.name = "chain",
          .summary = "a chain with a heavy box is wound around a rod (Ho 2022, 6.1.4)",
          .duration = 10.0,
          .parameters = {integer("links", 100, 2, 10000, "number of links"),
                         real("link_mass", 0.25, "kg", 1e-6, 1e6, "of a link"),
                         real("box_mass", 500.0, "kg", 1e-6, 1e9, "of the box"),
                         real("rod_radius", 1.6, "m", 0.05, 10.0, "of the rod"),
                         real("rod_length", 1.0, "m", 0.1, 100.0, "of the rod"),
                         real("speed", 0.9, "m/s", 0.0, 1000.0, "at which the rod winds the chain"),
                         friction_parameter(0.4)},
          .build = build_chain};
}

}  // namespace slipstick::internal
