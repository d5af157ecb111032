// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Adds things to a scene and returns their numbers.
class SceneBuilder {
 public:
  /// The scene's only material so far, for everything that names none.
  SceneBuilder(Scene& scene, std::string material, double friction, double density = 1000.0);

  int shape(std::string name, ShapeGeometry geometry);
  /// A movable body of one shape.
  int body(std::string name, int shape, double mass, const Eigen::Vector3d& position,
           const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity());
  int fixed(std::string name, int shape, const Eigen::Vector3d& position,
            const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity());
  /// The plane z = 0.
  void ground();
  /// Four fixed walls around a square of that width.
  void square_bucket(double width, double height);
  BodySpec& at(int body) { return scene_.bodies[static_cast<std::size_t>(body)]; }
  Scene& scene() { return scene_; }

 private:
  Scene& scene_;
};

/// The rotation that takes the z axis of a shape to the x or y axis.
Eigen::Quaterniond along_x();
Eigen::Quaterniond along_y();

}  // namespace slipstick::internal
