// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/patch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipstick::internal::patch_test {

using Eigen::Vector3d;

PatchPoint point(double x, double y, double gap, const Vector3d& normal = Vector3d::UnitZ()) {
  return {Vector3d(x, y, 0.0), normal, gap, Vector3d::Zero()};
}

TEST(Patch, KeepsTheDeepestAndTheExtremes) {
  std::vector<PatchPoint> points = {point(0, 0, 0.0), point(1, 0, 0.0),     point(1, 1, 0.0),
                                    point(0, 1, 0.0), point(0.5, 0.5, 0.0), point(0.5, 0.6, 0.0)};
  reduce_patch(points, 0, 1e-6);
  ASSERT_EQ(points.size(), 4u);
  for (const PatchPoint& kept : points)
    EXPECT_EQ((kept.place - Vector3d(0.5, 0.5, 0)).norm(), std::sqrt(0.5));
  points = {point(0, 0, 0.0), point(1, 0, 0.0), point(1, 1, 0.0), point(0, 1, 0.0), point(0.5, 0.5, -0.1)};
  reduce_patch(points, 0, 1e-6);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].gap, -0.1);
}

TEST(Patch, PointsAtOnePlaceAreOne) {
  std::vector<PatchPoint> points = {point(9, 9, 5.0), point(0, 0, 0.0), point(0, 1e-9, -0.5),
                                    point(1, 0, 0.0)};
  reduce_patch(points, 1, 1e-6);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].gap, 5.0);
  EXPECT_EQ(points[1].gap, -0.5);
}

TEST(Patch, FourPerPlaneAndEightInAll) {
  std::vector<PatchPoint> points;
  for (const Vector3d& normal : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0, 1, 0)})
    for (int k = 0; k < 6; ++k) {
      const double angle = k * std::numbers::pi / 3;
      points.push_back(point(std::cos(angle), std::sin(angle), normal.x() > 0.5 ? -0.1 : 0.0, normal));
      points.back().place =
          normal.z() > 0.5
              ? points.back().place
              : Vector3d(Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal) * points.back().place);
    }
  reduce_patch(points, 0, 1e-6);
  ASSERT_EQ(points.size(), 8u);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(points[k].normal, Vector3d(1, 0, 0));
}

// A normal of the wrong length must not keep it busy for ever.
TEST(Patch, EndsWithAnyNormal) {
  std::vector<PatchPoint> points = {point(0, 0, -0.1, Vector3d::Zero()), point(1, 0, 0.0)};
  reduce_patch(points, 0, 1e-6);
  EXPECT_EQ(points.size(), 2u);
}

TEST(Patch, NearestPointsOfSegments) {
  const auto nearest = [](Vector3d a0, Vector3d a1, Vector3d b0, Vector3d b1) {
    const auto [s, t] = nearest_on_segments(a0, a1, b0, b1);
    return ((a0 + s * (a1 - a0)) - (b0 + t * (b1 - b0))).norm();
  };
  EXPECT_NEAR(nearest({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}), 2.0, 1e-15);
  EXPECT_NEAR(nearest({-1, 0, 0}, {1, 0, 0}, {4, 4, 0}, {4, 9, 0}), 5.0, 1e-15);
  EXPECT_NEAR(nearest({-1, 0, 0}, {1, 0, 0}, {0, 0, 3}, {2, 0, 3}), 3.0, 1e-15);
  EXPECT_NEAR(nearest({-1, 0, 0}, {1, 0, 0}, {5, 0, 3}, {9, 0, 3}), 5.0, 1e-15);
  EXPECT_NEAR(nearest({0, 0, 0}, {0, 0, 0}, {-1, 1, 0}, {1, 1, 0}), 1.0, 1e-15);
  EXPECT_NEAR(nearest({0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}), 5.0, 1e-15);
}

}  // namespace slipstick::internal::patch_test
