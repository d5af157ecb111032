// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/masonry_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scenes/scene_table.hpp"

namespace slipstick::internal::masonry_scenes_test {

using Eigen::Vector3d;

// The corners of a body's only shape in the world.
std::vector<Vector3d> corners(const Scene& scene, const BodySpec& body) {
  const ShapeGeometry& geometry = scene.shapes[static_cast<std::size_t>(body.shapes[0].shape)].geometry;
  std::vector<Vector3d> points;
  if (const auto* hull = std::get_if<HullShape>(&geometry)) {
    points = hull->points;
  } else {
    const Vector3d half = 0.5 * std::get<BoxShape>(geometry).size;
    for (int i = 0; i < 8; ++i)
      points.emplace_back(half.cwiseProduct(Vector3d(i % 2 * 2 - 1, i / 2 % 2 * 2 - 1, i / 4 * 2 - 1)));
  }
  for (Vector3d& point : points) point = body.position + body.orientation * point;
  return points;
}

TEST(MasonryScenes, VoussoirsShareTheirJoints) {
  const Scene scene = make_scene("arch", {{"voussoirs", 9}, {"thickness", 0.2}, {"radius", 2.0}});
  ASSERT_EQ(scene.bodies.size(), 10u);
  double mass = 0.0;
  for (int i = 1; i <= 9; ++i) mass += mass_properties(scene, i).mass;
  // Each wedge is a trapezoid between chords.
  const double angle = std::numbers::pi / 9.0;
  EXPECT_NEAR(mass, 2000.0 * 0.3 * 9 * 0.5 * std::sin(angle) * (2.2 * 2.2 - 1.8 * 1.8), 1e-9);
  for (std::size_t i = 1; i < 9; ++i) {
    const std::vector<Vector3d> left = corners(scene, scene.bodies[i]);
    const std::vector<Vector3d> right = corners(scene, scene.bodies[i + 1]);
    for (std::size_t corner = 0; corner < 4; ++corner)
      EXPECT_LT((left[4 + corner] - right[corner]).norm(), 1e-14);
  }
  // The ends stand on the ground.
  for (std::size_t corner = 0; corner < 4; ++corner) {
    EXPECT_NEAR(corners(scene, scene.bodies[1])[corner].z(), 0.0, 1e-14);
    EXPECT_NEAR(corners(scene, scene.bodies[9])[4 + corner].z(), 0.0, 1e-14);
  }
}

TEST(MasonryScenes, HouseOfCards) {
  for (const int storeys : {1, 2, 3, 5}) {
    const Scene scene = make_scene("cards", {{"storeys", storeys}});
    ASSERT_EQ(static_cast<int>(scene.bodies.size()) - 1, storeys * (3 * storeys + 1) / 2);
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
      EXPECT_EQ(mass_properties(scene, static_cast<int>(i)).mass, 0.002);
      // Each card stands on the ground or touches a card below: its lowest point is at a height where others
      // end.
      double low = 1.0;
      for (const Vector3d& corner : corners(scene, scene.bodies[i])) low = std::min(low, corner.z());
      bool supported = std::abs(low) < 1e-12;
      for (std::size_t j = 1; j < scene.bodies.size(); ++j) {
        double high = 0.0;
        for (const Vector3d& corner : corners(scene, scene.bodies[j])) high = std::max(high, corner.z());
        supported = supported || std::abs(high - low) < 1e-12;
      }
      EXPECT_TRUE(supported) << scene.bodies[i].name << " at " << low;
    }
  }
}

// Leaning cards meet in the middle, and a roof lies on one corner of each pair.
TEST(MasonryScenes, CardsTouch) {
  const Scene scene = make_scene("cards", {{"storeys", 2}});
  const auto find = [&](const std::string& name) {
    for (const BodySpec& body : scene.bodies) {
      if (body.name == name) return corners(scene, body);
    }
    ADD_FAILURE() << name;
    return std::vector<Vector3d>(1, Vector3d::Zero());
  };
  const auto extreme = [](const std::vector<Vector3d>& points, int axis, double sign) {
    Vector3d best = points[0];
    for (const Vector3d& point : points) {
      if (sign * point[axis] > sign * best[axis]) best = point;
    }
    return best;
  };
  const auto left = find("storey 0 pair 0 left"), right = find("storey 0 pair 0 right");
  EXPECT_NEAR(extreme(left, 0, 1.0).x(), extreme(right, 0, -1.0).x(), 1e-15);
  const auto roof = find("storey 0 roof 0");
  const Vector3d support = extreme(right, 2, 1.0);
  EXPECT_NEAR(support.z(), extreme(roof, 2, -1.0).z(), 1e-15);
  EXPECT_LT(extreme(roof, 0, -1.0).x(), support.x());
  // The next storey stands on the roof.
  for (const char* name : {"storey 1 pair 0 left", "storey 1 pair 0 right"}) {
    const Vector3d foot = extreme(find(name), 2, -1.0);
    EXPECT_NEAR(foot.z(), extreme(roof, 2, 1.0).z(), 1e-15);
    EXPECT_LT(std::abs(foot.x()), 0.05);
  }
}

}  // namespace slipstick::internal::masonry_scenes_test
