// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/scene_builder.hpp"

#include <cmath>
#include <utility>

namespace slipstick::internal {

using Eigen::Quaterniond;
using Eigen::Vector3d;

SceneBuilder::SceneBuilder(Scene& scene, std::string material, double friction, double density)
    : scene_(scene) {
  scene_.materials = {{.name = std::move(material), .friction = friction, .density = density}};
}

int SceneBuilder::shape(std::string name, ShapeGeometry geometry) {
  scene_.shapes.push_back({std::move(name), std::move(geometry)});
  return static_cast<int>(scene_.shapes.size()) - 1;
}

int SceneBuilder::body(std::string name, int shape, double mass, const Vector3d& position,
                       const Quaterniond& orientation) {
  scene_.bodies.push_back({.name = std::move(name),
                           .shapes = {{.shape = shape}},
                           .mass = mass,
                           .position = position,
                           .orientation = orientation});
  return static_cast<int>(scene_.bodies.size()) - 1;
}

int SceneBuilder::fixed(std::string name, int shape, const Vector3d& position,
                        const Quaterniond& orientation) {
  scene_.bodies.push_back({.name = std::move(name),
                           .kind = BodyKind::fixed,
                           .shapes = {{.shape = shape}},
                           .position = position,
                           .orientation = orientation});
  return static_cast<int>(scene_.bodies.size()) - 1;
}

void SceneBuilder::ground() {
  fixed("ground", shape("ground", PlaneShape{}), Vector3d::Zero());
}

void SceneBuilder::square_bucket(double width, double height) {
  const double thickness = 0.1 * width, middle = 0.5 * (width + thickness);
  const int wall_x = shape("wall x", BoxShape{{thickness, width + 2.0 * thickness, height}});
  const int wall_y = shape("wall y", BoxShape{{width, thickness, height}});
  fixed("right wall", wall_x, {middle, 0.0, 0.5 * height});
  fixed("left wall", wall_x, {-middle, 0.0, 0.5 * height});
  fixed("back wall", wall_y, {0.0, middle, 0.5 * height});
  fixed("front wall", wall_y, {0.0, -middle, 0.5 * height});
}

Quaterniond along_x() {
  const double half = std::sqrt(0.5);
  return {half, 0.0, half, 0.0};
}

Quaterniond along_y() {
  const double half = std::sqrt(0.5);
  return {half, -half, 0.0, 0.0};
}

}  // namespace slipstick::internal
