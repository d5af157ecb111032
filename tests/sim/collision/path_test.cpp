// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/path.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick::internal::path_test {

using Eigen::Vector3d;

// A ball of radius 1 that moves from `start`, against a point at the origin.
struct Flight {
  Vector3d start;
  int evaluations = 0;

  bool follow(const StepPath& path, Separation& separation, std::vector<PatchPoint>& points, double& share) {
    const auto touch = [&](const Vector3d& move, double range, Separation& found,
                           std::vector<PatchPoint>& to) {
      ++evaluations;
      const Vector3d centre = start + move;
      found.gap = centre.norm() - 1.0;
      found.normal = centre.normalized();
      if (found.gap > range) return false;
      to.push_back({0.5 * found.gap * found.normal, found.normal, found.gap, Vector3d::Zero()});
      return true;
    };
    return follow_path(path, touch, separation, points, share);
  }
};

TEST(Path, StopsWhereShapesTouch) {
  Separation separation;
  std::vector<PatchPoint> points;
  double share = -1.0;
  Flight flight{{-5.0, 0.6, 0.0}};
  const StepPath path{.move = {10.0, 0.0, 0.0}, .range = 0.01, .extent = 2.0};
  ASSERT_TRUE(flight.follow(path, separation, points, share));
  EXPECT_NEAR(-5.0 + 10.0 * share, -0.8, 0.01);
  EXPECT_LE(flight.evaluations, 12);
  bring_back(path, share, points, 0);
  ASSERT_EQ(points.size(), 1u);
  // At the end of the step the ball is at the plane that it touches on its way.
  EXPECT_NEAR(points[0].gap, 4.2 * 0.8, 0.02);
  EXPECT_LE((points[0].on_first() - Vector3d(-4.2, 0.0, 0.0)).norm(), 0.02);
}

TEST(Path, LeavesOutWhatPassesBy) {
  Separation separation;
  std::vector<PatchPoint> points;
  double share = -1.0;
  const StepPath path{.move = {10.0, 0.0, 0.0}, .range = 0.01, .extent = 2.0};
  EXPECT_FALSE((Flight{{-5.0, 1.02, 0.0}}.follow(path, separation, points, share)));
  EXPECT_TRUE(points.empty());
  // Within the range: the place where they are nearest.
  EXPECT_TRUE((Flight{{-5.0, 1.008, 0.0}}.follow(path, separation, points, share)));
  EXPECT_NEAR(share, 0.5, 0.01);
  EXPECT_LE((separation.normal - Vector3d::UnitY()).norm(), 0.05);
  points.clear();
  // The path ends before, or leads away.
  EXPECT_FALSE((Flight{{-15.0, 0.0, 0.0}}.follow(path, separation, points, share)));
  EXPECT_FALSE((Flight{{2.0, 0.0, 0.0}}.follow(path, separation, points, share)));
  EXPECT_TRUE(points.empty());
}

TEST(Path, TouchesAtHandStayWhereTheyAre) {
  Separation separation;
  std::vector<PatchPoint> points;
  double share = -1.0;
  const StepPath path{.move = {0.5, -0.5, 0.0}, .range = 0.01, .extent = 2.0};
  for (const double height : {1.0015, 1.0, 0.7}) {
    points.clear();
    Flight flight{{0.0, height, 0.0}};
    EXPECT_TRUE(flight.follow(path, separation, points, share));
    EXPECT_EQ(share, 0.0);
    EXPECT_EQ(flight.evaluations, 1);
    EXPECT_EQ(separation.normal, Vector3d::UnitY());
  }
}

}  // namespace slipstick::internal::path_test
