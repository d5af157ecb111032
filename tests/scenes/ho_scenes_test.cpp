// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The seven scenes of Ho 2022, chapter 6.1: masses, and rows within 20 % of table 6.1 as far as they are
// known before anything moves. A contact point has 3 rows, a face 4 points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "slipstick/model/convex_hull.hpp"
#include "slipstick/model/expanded.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scenes/scene_table.hpp"

namespace slipstick::internal::ho_scenes_test {

using Eigen::Vector3d;

constexpr int rows_of_face = 12;

int rows_of(const JointSpec& joint) {
  constexpr int rows[] = {3, 5, 4, 6, 5, 1};  // by JointKind
  return rows[static_cast<int>(joint.kind)];
}

int joint_rows(const Scene& scene) {
  int sum = 0;
  for (const JointSpec& joint : expanded(scene).joints) sum += rows_of(joint);
  return sum;
}

// How many movable bodies there are of each mass.
std::map<double, int> masses(const Scene& scene) {
  const Scene all = expanded(scene);
  std::map<double, int> counts;
  for (int i = 0; i < static_cast<int>(all.bodies.size()); ++i) {
    if (all.bodies[static_cast<std::size_t>(i)].kind == BodyKind::movable)
      ++counts[std::round(1e9 * mass_properties(all, i).mass) / 1e9];
  }
  return counts;
}

double mass_ratio(const Scene& scene) {
  const std::map<double, int> counts = masses(scene);
  return counts.rbegin()->first / counts.begin()->first;
}

const BoxShape* box_of(const Scene& scene, const BodySpec& body) {
  return body.shapes.size() == 1
             ? std::get_if<BoxShape>(&scene.shapes[static_cast<std::size_t>(body.shapes[0].shape)].geometry)
             : nullptr;
}

// Faces of level boxes that lie upon each other, or on the ground, within a distance. Boxes do not overlap.
int faces(const Scene& scene, double distance) {
  struct Level {
    Vector3d low, high;
  };
  std::vector<Level> boxes;
  for (const BodySpec& body : scene.bodies) {
    const BoxShape* box = box_of(scene, body);
    if (box != nullptr) boxes.push_back({body.position - 0.5 * box->size, body.position + 0.5 * box->size});
  }
  int count = 0;
  for (const Level& upper : boxes) {
    EXPECT_GE(upper.low.z(), 0.0);
    count += upper.low.z() <= distance ? 1 : 0;
    for (const Level& lower : boxes) {
      if (&upper == &lower) continue;
      const bool beside = (upper.low.array() >= lower.high.array() - 1e-12).any() ||
                          (lower.low.array() >= upper.high.array() - 1e-12).any();
      EXPECT_TRUE(beside) << "boxes overlap";
      const bool above = (upper.low.array() < lower.high.array()).head<2>().all() &&
                         (lower.low.array() < upper.high.array()).head<2>().all();
      const double gap = upper.low.z() - lower.high.z();
      count += above && gap >= -1e-12 && gap <= distance ? 1 : 0;
    }
  }
  return count;
}

void expect_within(double rows, double table) {
  EXPECT_GE(rows, 0.8 * table);
  EXPECT_LE(rows, 1.2 * table);
}

TEST(HoScenes, Boxes) {
  const Scene scene = make_scene("boxes");
  EXPECT_EQ(masses(scene), (std::map<double, int>{{2.5, 1000}}));
  expect_within(rows_of_face * faces(scene, 0.021), 12000);
}

TEST(HoScenes, Tower) {
  const Scene scene = make_scene("tower");
  EXPECT_EQ(masses(scene), (std::map<double, int>{{50.0, 160}, {2500.0, 1}}));
  EXPECT_EQ(mass_ratio(scene), 50.0);
  // Crossing logs touch in a point, logs on the ground in two.
  int points = 0;
  for (const BodySpec& a : scene.bodies) {
    if (!a.name.starts_with("log")) continue;
    points += a.position.z() < 0.12 ? 2 : 0;
    for (const BodySpec& b : scene.bodies) {
      if (!b.name.starts_with("log") || !(std::abs(a.position.z() - b.position.z() - 0.23) < 1e-9)) continue;
      const Vector3d along_a = a.orientation * Vector3d::UnitZ(), along_b = b.orientation * Vector3d::UnitZ();
      EXPECT_NEAR(along_a.dot(along_b), 0.0, 1e-12);
      const Vector3d between = a.position - b.position;
      points += std::abs(between.dot(along_a)) < 1.0 && std::abs(between.dot(along_b)) < 1.0 ? 1 : 0;
    }
  }
  // 960 while it stands. More logs touch when it collapses.
  EXPECT_EQ(points, 79 * 4 + 2 * 2);
}

TEST(HoScenes, Spinner) {
  const Scene scene = make_scene("spinner");
  EXPECT_EQ(masses(scene), (std::map<double, int>{{0.1, 480}, {10.0, 1}, {2500.0, 1}}));
  EXPECT_NEAR(mass_ratio(scene), 25000.0, 1e-6);
  EXPECT_EQ(scene.cables.size(), 8u);
  expect_within(joint_rows(scene), 2920);
}

TEST(HoScenes, Chain) {
  const Scene scene = make_scene("chain");
  EXPECT_EQ(masses(scene), (std::map<double, int>{{0.25, 100}, {500.0, 1}}));
  EXPECT_EQ(mass_ratio(scene), 2000.0);
  EXPECT_EQ(joint_rows(scene), 404);
  for (const JointSpec& joint : scene.joints) EXPECT_EQ(joint.kind, JointKind::universal);
  // All move with the side of the rod, so that no joint is torn at the start.
  for (const JointSpec& joint : scene.joints) {
    const auto velocity = [&](int number) -> Vector3d {
      if (number < 0) return Vector3d::Zero();
      const BodySpec& body = scene.bodies[static_cast<std::size_t>(number)];
      const auto* motion = std::get_if<SteadyMotion>(&body.motion);
      const Vector3d spin = motion != nullptr ? motion->spin : body.spin;
      return body.velocity + spin.cross(joint.point - body.position);
    };
    EXPECT_LT((velocity(joint.bodies[0]) - velocity(joint.bodies[1])).norm(), 1e-12) << joint.name;
  }
}

TEST(HoScenes, Trucks) {
  const Scene scene = make_scene("trucks");
  std::map<std::string, int> bodies, rows;
  std::map<std::string, double> weights;
  const auto owner = [](const std::string& name) { return name.substr(0, name.find('/')); };
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const std::string name = owner(scene.bodies[static_cast<std::size_t>(i)].name);
    ++bodies[name];
    weights[name] += mass_properties(scene, i).mass;
  }
  int knots = 0;
  for (const JointSpec& joint : scene.joints) {
    rows[owner(joint.name)] += rows_of(joint);
    if (!joint.name.starts_with("knot")) continue;
    ++knots;
    // Both links are there.
    for (const int number : joint.bodies) {
      const BodySpec& link = scene.bodies[static_cast<std::size_t>(number)];
      EXPECT_LT((link.position - joint.point).norm(), 0.1 + 1e-9) << joint.name;
    }
  }
  EXPECT_EQ(knots, 36);
  int cables = 0;
  for (const auto& [name, count] : bodies) {
    if (name.starts_with("truck")) {
      EXPECT_EQ(count, 22);
      EXPECT_GT(rows[name], 120);
      EXPECT_NEAR(weights[name], 8000.0, 1e-9);
    } else if (name != "ground") {
      ++cables;
      EXPECT_GE(count, 48);
      EXPECT_LE(count, 65);
      EXPECT_GT(rows[name], 280);
      EXPECT_NEAR(weights[name], 5.0 * 0.2 * count, 1e-9);
    }
  }
  EXPECT_EQ(cables, 12);
  EXPECT_EQ(masses(scene).begin()->first, 1.0);  // a link, so that truck to link is 8000:1
  expect_within(joint_rows(scene), 5650);
}

TEST(HoScenes, Rocks) {
  const Scene scene = make_scene("rocks");
  EXPECT_EQ(mass_ratio(scene), 250.0);
  std::vector<std::pair<Vector3d, double>> spheres;  // around the rocks
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const BodySpec& body = scene.bodies[static_cast<std::size_t>(i)];
    if (!body.name.starts_with("rock")) continue;
    const double mass = mass_properties(scene, i).mass;
    EXPECT_GE(mass, 80.0);
    EXPECT_LE(mass, 250.0);
    const auto& hull =
        std::get<HullShape>(scene.shapes[static_cast<std::size_t>(body.shapes[0].shape)].geometry);
    // The mass is that of the density.
    EXPECT_NEAR(mass_properties(hull, 2700.0).mass, mass, 1e-9 * mass);
    double radius = 0.0;
    for (const Vector3d& point : hull.points) radius = std::max(radius, point.norm());
    EXPECT_GE(body.position.z(), radius);
    for (const auto& [position, other] : spheres)
      EXPECT_GT((position - body.position).norm(), radius + other);
    spheres.emplace_back(body.position, radius);
  }
  EXPECT_EQ(spheres.size(), 160u);
  const JointSpec& drive = scene.joints.at(0);
  EXPECT_EQ(mass_properties(scene, drive.bodies[0]).mass, 1.0);
  EXPECT_GT(drive.motor_force, 0.0);
}

TEST(HoScenes, Wall) {
  const Scene scene = make_scene("wall");
  const std::map<double, int> counts = masses(scene);
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.at(10.0), 1);
  EXPECT_GT(counts.at(2.5), 40);
  EXPECT_EQ(mass_ratio(scene), 4.0);
  EXPECT_EQ(faces(scene, 1e-6), 0);  // gaps everywhere
  expect_within(rows_of_face * faces(scene, 1.1e-3), 1006);
}

}  // namespace slipstick::internal::ho_scenes_test
