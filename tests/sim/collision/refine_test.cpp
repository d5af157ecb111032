// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal::refine_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

ShapePose pose(const Vector3d& origin, double angle = 0.0, const Vector3d& axis = Vector3d::UnitZ()) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), origin};
}

struct Pair {
  Convex first, second;
  ShapePose first_pose, second_pose;
  Vector3d on_first, on_second;

  // From points that are off by about 1e-7.
  void refine() {
    on_first += Vector3d(3e-8, -5e-8, 2e-8);
    on_second -= Vector3d(-4e-8, 2e-8, 6e-8);
    refine_nearest(first, first_pose, second, second_pose, on_first, on_second);
  }
  void expect_exact() {
    const Vector3d exact_first = on_first, exact_second = on_second;
    refine();
    EXPECT_LE((on_first - exact_first).norm(), 2e-15);
    EXPECT_LE((on_second - exact_second).norm(), 2e-15);
  }
};

TEST(Refine, ARimAndAPoint) {
  Pair pair{Convex::cylinder(0.5, 2.0), Convex::sphere(0.1), pose({0, 0, 0}), pose({0.8, 0.4, 1.5}), {}, {}};
  pair.on_second = {0.8, 0.4, 1.5};
  pair.on_first = Vector3d(0.5 * 0.8 / std::sqrt(0.8), 0.5 * 0.4 / std::sqrt(0.8), 1.0);
  pair.expect_exact();
}

TEST(Refine, TwoRims) {
  // Both axes lie in a plane.
  const Vector3d on_first(0.5, 0.0, 1.0), on_second = on_first + 0.4 * Vector3d(0.6, 0.0, 0.8);
  ShapePose there = pose({0, 0, 0}, -0.7, {0, 1, 0});
  there.origin = on_second - there * Vector3d(-0.5, 0.0, -1.0);
  Pair pair{
      Convex::cylinder(0.5, 2.0), Convex::cylinder(0.5, 2.0), pose({0, 0, 0}), there, on_first, on_second};
  pair.expect_exact();
}

TEST(Refine, CrossedSides) {
  Pair pair{Convex::cylinder(0.5, 2.0),
            Convex::cylinder(0.3, 2.0),
            pose({0, 0, 0}),
            pose({0, 1.0, 0}, 1.0, {0, 1, 0}),
            {0.0, 0.5, 0.0},
            {0.0, 0.7, 0.0}};
  pair.expect_exact();
}

TEST(Refine, AConeAndAPoint) {
  // A point of the side, and a way along its normal.
  const Vector3d on_side(0.25, 0.0, 0.0), normal = Vector3d(2.0, 0.0, 0.5).normalized();
  Pair pair{
      Convex::cone(0.5, 2.0), Convex::sphere(0.1), pose({0, 0, 0}), pose(on_side + 0.4 * normal), on_side,
      on_side + 0.4 * normal};
  pair.expect_exact();
}

TEST(Refine, ASideAndAnEdge) {
  Pair pair{Convex::cylinder(0.5, 2.0),
            Convex::box({1.0, 1.0, 1.0}),
            pose({0, 0, 0}, 0.6, {1, 0, 0}),
            pose({0.5 + 0.5 * std::sqrt(2.0) + 0.2, 0, 0}, std::numbers::pi / 4.0),
            {},
            {}};
  pair.on_first = {0.5, 0.0, 0.0};
  pair.on_second = {0.7, 0.0, 0.0};
  pair.expect_exact();
}

// An answer that leaves its edge, or a face, is not taken.
TEST(Refine, KeepsWhatItCannotImprove) {
  Pair faces{Convex::cylinder(0.5, 2.0),
             Convex::box({1.0, 1.0, 1.0}),
             pose({0, 0, 0}),
             pose({0, 0, 2.0}),
             {0.1, 0.0, 1.0},
             {0.1, 0.0, 1.5}};
  const Vector3d before = faces.on_first;
  refine_nearest(faces.first, faces.first_pose, faces.second, faces.second_pose, faces.on_first,
                 faces.on_second);
  EXPECT_EQ(faces.on_first, before);
  Pair wrong{Convex::cylinder(0.5, 2.0), Convex::sphere(0.1), pose({0, 0, 0}),
             pose({0.8, 0.4, 1.5}),      {0.0, 0.5, 0.2},     {0.8, 0.4, 1.5}};
  refine_nearest(wrong.first, wrong.first_pose, wrong.second, wrong.second_pose, wrong.on_first,
                 wrong.on_second);
  const double gap = gap_along(wrong.first, wrong.first_pose, wrong.second, wrong.second_pose,
                               (wrong.on_first - wrong.on_second).normalized());
  const bool kept = wrong.on_first == Vector3d(0.0, 0.5, 0.2);
  EXPECT_TRUE(kept || std::abs(gap + 0.1 - (wrong.on_first - wrong.on_second).norm()) < 1e-13);
}

Convex shape_of(int kind, double scale) {
  switch (kind) {
    case 0:
      return Convex::cylinder(0.4 * scale, 1.0 * scale);
    case 1:
      return Convex::cone(0.5 * scale, 0.9 * scale);
    case 2:
      return Convex::box(scale * Vector3d(0.5, 0.7, 0.9));
    case 3:
      return Convex::capsule(0.2 * scale, 0.8 * scale);
    default:
      return Convex::sphere(0.3 * scale);
  }
}

// Shapes that are a thousand times smaller or larger have the same normal, with few exceptions near a touch.
// Half of the normals of bare GJK differ by more than this.
TEST(Refine, NormalsDoNotDependOnTheScale) {
  if (!has_bullet()) {
    Separation none;
    const ShapePose here{Eigen::Matrix3d::Identity(), Vector3d::Zero()};
    EXPECT_THROW(nearest_points(Convex::cone(1, 1), here, Convex::sphere(1), here, none), Error);
    return;
  }
  Random random(7);
  for (const double gap : {0.3, 0.01, 1e-5, -1e-6, -1e-3}) {
    int inexact = 0;
    const int pairs = 400;
    for (int k = 0; k < pairs; ++k) {
      const auto turn = [&] {
        return Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
      };
      const ShapePose here{turn().toRotationMatrix(), Vector3d::Zero()};
      Vector3d way(random.normal(), random.normal(), random.normal());
      way *= 2.0 / way.norm();
      ShapePose there{turn().toRotationMatrix(), way};
      const int other = k % 5;
      Separation usual;
      nearest_points(shape_of(0, 1.0), here, shape_of(other, 1.0), there, usual);
      there.origin += (usual.gap - gap) * usual.normal;
      nearest_points(shape_of(0, 1.0), here, shape_of(other, 1.0), there, usual);
      for (const double scale : {1e-3, 1e3}) {
        Separation scaled;
        nearest_points(shape_of(0, scale), here, shape_of(other, scale), {there.axes, scale * there.origin},
                       scaled);
        inexact += (usual.normal - scaled.normal).norm() > 1e-10;
      }
    }
    EXPECT_LE(inexact, gap > 0.1 ? 0 : gap > 0.0 ? 2 * pairs / 50 : 2 * pairs / 20) << gap;
  }
}

}  // namespace slipstick::internal::refine_test
