// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/expanded.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <string>
#include <utility>

namespace slipstick::internal {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// The rotation that takes z to a direction.
Quaterniond upright_to(const Vector3d& direction) {
  const double w = 1.0 + direction.z();
  if (w < 1e-9) return {0.0, 1.0, 0.0, 0.0};
  return Quaterniond(w, -direction.y(), direction.x(), 0.0).normalized();
}

}  // namespace

int add_cable(Scene& scene, const CableSpec& cable) {
  const Vector3d span = cable.points[1] - cable.points[0];
  const double length = span.norm() / cable.links;
  const Quaterniond orientation = upright_to(span.normalized());
  const int shape = static_cast<int>(scene.shapes.size());
  scene.shapes.push_back({cable.name + "/link", CapsuleShape{cable.radius, length}});

  const auto point = [&](double links) { return Vector3d(cable.points[0] + links / cable.links * span); };
  const int first = static_cast<int>(scene.bodies.size());
  int previous = cable.bodies[0];
  for (int link = 0; link <= cable.links; ++link) {
    const bool last = link == cable.links;
    const int next = last ? cable.bodies[1] : static_cast<int>(scene.bodies.size());
    scene.joints.push_back({.name = fmt::format("{}/joint {}", cable.name, link),
                            .kind = cable.joint,
                            .bodies = {previous, next},
                            .point = last ? cable.points[1] : point(link),
                            .axis = orientation * Vector3d::UnitX(),
                            .second_axis = orientation * Vector3d::UnitY(),
                            .soft = cable.soft,
                            .turn_soft = cable.turn_soft});
    if (last) break;
    scene.bodies.push_back({.name = fmt::format("{}/link {}", cable.name, link),
                            .shapes = {{.shape = shape, .material = cable.material}},
                            .mass = cable.mass / cable.links,
                            .position = point(link + 0.5),
                            .orientation = orientation,
                            .group = cable_group,
                            .collides = cable.touching ? ~cable_group : 0});
    previous = next;
  }
  return first;
}

Scene expanded(const Scene& scene) {
  Scene result = scene;
  result.cables.clear();
  for (const CableSpec& cable : scene.cables) add_cable(result, cable);
  return result;
}

}  // namespace slipstick::internal
