// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/convex_hull.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <utility>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::convex_hull_test {

using Eigen::Vector3d;

double volume(std::span<const Vector3d> points, const std::vector<std::array<int, 3>>& triangles) {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) sum += points[a].dot(points[b].cross(points[c])) / 6.0;
  return sum;
}

// Each edge is there once in each direction, and no point is outside of a triangle's plane.
void expect_hull(std::span<const Vector3d> points, const std::vector<std::array<int, 3>>& triangles) {
  ASSERT_FALSE(triangles.empty());
  std::map<std::pair<int, int>, int> edges;
  for (const auto& [a, b, c] : triangles) {
    ++edges[{a, b}];
    ++edges[{b, c}];
    ++edges[{c, a}];
    const Vector3d normal = (points[b] - points[a]).cross(points[c] - points[a]).normalized();
    for (const Vector3d& point : points) EXPECT_LT(normal.dot(point - points[a]), 1e-8);
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

TEST(ConvexHull, Cube) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 27; ++i) points.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
  const auto triangles = hull_triangles(points);
  expect_hull(points, triangles);
  EXPECT_NEAR(volume(points, triangles), 8.0, 1e-14);
}

TEST(ConvexHull, RandomPointsInABall) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Random random(seed);
    std::vector<Vector3d> points;
    for (int i = 0; i < 60; ++i) points.emplace_back(random.normal(), random.normal(), random.normal());
    expect_hull(points, hull_triangles(points));
    for (Vector3d& point : points) point.normalize();  // each is a corner then
    const auto triangles = hull_triangles(points);
    expect_hull(points, triangles);
    EXPECT_EQ(triangles.size(), 2 * points.size() - 4);  // Euler
  }
}

TEST(ConvexHull, NoneForFlatPoints) {
  Random random(4);
  std::vector<Vector3d> points;
  for (int i = 0; i < 20; ++i) points.emplace_back(random.normal(), random.normal(), 0.25);
  EXPECT_TRUE(hull_triangles(points).empty());
  for (Vector3d& point : points) point.y() = 2.0 * point.x();
  EXPECT_TRUE(hull_triangles(points).empty());
  for (Vector3d& point : points) point.setOnes();
  EXPECT_TRUE(hull_triangles(points).empty());
  EXPECT_TRUE(hull_triangles({}).empty());
}

TEST(ConvexHull, RepeatedPointsAreLeftOut) {
  std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  points.insert(points.end(), points.begin(), points.begin() + 4);
  EXPECT_EQ(hull_triangles(points).size(), 4u);
}

}  // namespace slipstick::internal::convex_hull_test
