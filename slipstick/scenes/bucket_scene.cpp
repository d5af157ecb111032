// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/bucket_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr double packed_share = 0.6;   // of the volume of spheres at rest
constexpr double lattice_pitch = 2.2;  // of the spheres at the start, in the largest radius

// A bucket about as high as wide when all have come to rest. The spheres begin in layers above each other.
void build_bucket(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "glass", values["friction"], 2500.0);
  builder.ground();
  const int count = values.count("spheres");
  const double radius = values["radius"], largest = radius * (1.0 + values["spread"]);
  const double volume = count * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius / packed_share;
  const double width = std::max(std::cbrt(volume), 2.0 * lattice_pitch * largest);
  const int across = static_cast<int>(width / (lattice_pitch * largest));
  const int layers = (count + across * across - 1) / (across * across);
  const double pitch = width / across;
  builder.square_bucket(width, (layers + 1) * pitch);

  Random random(scene.seed);
  const bool same = values["spread"] == 0.0;
  const int common = same ? builder.shape("sphere", SphereShape{radius}) : -1;
  scene.bodies.reserve(scene.bodies.size() + static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double own = radius * random.uniform(1.0 - values["spread"], 1.0 + values["spread"]);
    const double room = 0.5 * pitch - (same ? radius : own);  // to the border of the cell
    const int column = i % across, row = i / across % across, layer = i / (across * across);
    const Vector3d shift(random.uniform(-room, room), random.uniform(-room, room),
                         random.uniform(-room, room));
    const Vector3d cell =
        pitch * Vector3d(column + 0.5, row + 0.5, layer + 0.5) - Vector3d(0.5 * width, 0.5 * width, 0.0);
    const int shape = same ? common : builder.shape(fmt::format("sphere {}", i), SphereShape{own});
    scene.bodies.push_back(
        {.name = fmt::format("sphere {}", i), .shapes = {{.shape = shape}}, .position = cell + 0.9 * shift});
  }
}

}  // namespace

SceneRow bucket_scene() {
  return {.name = "bucket",
          .summary = "spheres fall into a square bucket (Melanz)",
          .duration = 3.0,
          .step = 1e-3,
          .law = FrictionLaw::convex,
          .parameters = {integer("spheres", 1000, 1, 500'000, "number of spheres"),
                         real("radius", 0.05, "m", 1e-4, 10.0, "mean radius"),
                         real("spread", 0.0, "", 0.0, 0.9, "radii are uniform in mean (1 +- spread)"),
                         friction_parameter(0.3), seed_parameter()},
          .build = build_bucket};
}

}  // namespace slipstick::internal
