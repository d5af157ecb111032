// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/convex_pair.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal::convex_pair_test {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const double pi = std::numbers::pi;

ShapePose pose(const Vector3d& origin, double angle = 0.0, const Vector3d& axis = Vector3d::UnitZ()) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), origin};
}

std::vector<Vector3d> cube_points(double half) {
  std::vector<Vector3d> points;
  for (const double x : {-half, half})
    for (const double y : {-half, half})
      for (const double z : {-half, half}) points.emplace_back(x, y, z);
  points.emplace_back(0.1 * half, 0.0, 0.0);  // inside
  return points;
}

Quaterniond random_turn(Random& random) {
  return Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}

struct Placed {
  Convex shape;
  ShapePose pose;
};

struct Answer {
  Separation separation;
  std::vector<PatchPoint> points;
};

std::optional<Answer> touching(const Placed& a, const Placed& b, double range = 10.0) {
  Answer answer;
  if (!touch(a.shape, a.pose, b.shape, b.pose, range, answer.separation, answer.points)) return std::nullopt;
  reduce_patch(answer.points, 0, same_place * std::min(a.shape.extent(), b.shape.extent()));
  return answer;
}

// Without Bullet, expects that other pairs are refused, and returns true.
bool is_refused_without_bullet() {
  if (has_bullet()) return false;
  EXPECT_THROW(touching({Convex::cone(1, 1), pose({0, 0, 0})}, {Convex::box({1, 1, 1}), pose({0, 0, 2})}),
               Error);
  return true;
}

Placed moved(Placed placed, const Quaterniond& turn, const Vector3d& shift, double scale) {
  placed.pose.axes = turn.toRotationMatrix() * placed.pose.axes;
  placed.pose.origin = scale * (turn * placed.pose.origin) + shift;
  return placed;
}

// A pair whose gap and normal are known.
struct Case {
  std::string name;
  std::function<Placed(double)> first, second;  // by scale
  Vector3d normal;
  double gap;
  std::size_t contacts;
};

std::vector<Case> cases() {
  const auto at = [](Convex shape, const ShapePose& place) { return Placed{std::move(shape), place}; };
  const auto sphere = [=](double r, const Vector3d& place) {
    return [=](double s) { return at(Convex::sphere(s * r), pose(place)); };
  };
  const auto box = [=](const Vector3d& size, const ShapePose& place) {
    return [=](double s) { return at(Convex::box(s * size), place); };
  };
  const auto capsule = [=](double r, double h, const ShapePose& place) {
    return [=](double s) { return at(Convex::capsule(s * r, s * h), place); };
  };
  const auto cylinder = [=](double r, double h, const ShapePose& place) {
    return [=](double s) { return at(Convex::cylinder(s * r, s * h), place); };
  };
  const auto cone = [=](double r, double h, const ShapePose& place) {
    return [=](double s) { return at(Convex::cone(s * r, s * h), place); };
  };
  const auto hull = [=](double half, const ShapePose& place) {
    return [=](double s) { return at(Convex::hull(cube_points(s * half)), place); };
  };
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const auto lying = [](const Vector3d& place) {
    return pose(place, std::numbers::pi / 2, Vector3d::UnitY());
  };
  const double diagonal = std::sqrt(0.5);
  const Vector3d block(2.0, 2.0, 2.0);
  std::vector<Case> list = {
      {"sphere-sphere", sphere(1.0, {0, 0, 3.25}), sphere(2.0, {0, 0, 0}), z, 0.25, 1},
      {"sphere-sphere deep", sphere(1.0, {0, 0, 2.5}), sphere(2.0, {0, 0, 0}), z, -0.5, 1},
      {"sphere-box face", sphere(0.5, {0.3, 0.2, 1.6}), box(block, pose({0, 0, 0})), z, 0.1, 1},
      {"sphere-box edge", sphere(0.5, {1.6, 0.2, 1.6}), box(block, pose({0, 0, 0})),
       Vector3d(1, 0, 1).normalized(), 0.6 / diagonal - 0.5, 1},
      {"sphere-box corner", sphere(0.5, {1.6, 1.6, 1.6}), box(block, pose({0, 0, 0})),
       Vector3d(1, 1, 1).normalized(), 0.6 * std::sqrt(3.0) - 0.5, 1},
      {"sphere inside box", sphere(0.5, {0.2, 0.1, 0.8}), box(block, pose({0, 0, 0})), z, -0.7, 1},
      {"box-sphere face", box(block, pose({0, 0, 1.6})), sphere(0.5, {0.3, 0.2, 0.0}), z, 0.1, 1},
      {"capsule-capsule crossed", capsule(0.3, 2.0, lying({0, 0, 1})),
       capsule(0.4, 2.0, pose({0, 0, 0}, pi / 2, x)), z, 0.3, 1},
      {"capsule-capsule parallel", capsule(0.3, 2.0, lying({0.5, 0, 1})), capsule(0.4, 2.0, lying({0, 0, 0})),
       z, 0.3, 2},
      {"capsule-sphere", capsule(0.3, 2.0, lying({0.5, 0, 1})), sphere(0.4, {0, 0, 0}), z, 0.3, 1},
      {"box-box face", box(block, pose({0.5, 0.5, 2.1}, 0.0)), box(block, pose({0, 0, 0})), z, 0.1, 4},
      {"box-box touching", box(block, pose({0.5, 0.5, 2.0}, 0.3)), box(block, pose({0, 0, 0})), z, 0.0, 4},
      {"box-box deep", box(block, pose({0.5, 0.0, 1.7}, 0.3)), box(block, pose({0, 0, 0})), z, -0.3, 4},
      {"box-box edges", box(block, pose({0, 0, 3}, pi / 4, x)), box(block, pose({0, 0, 0}, pi / 4, y)), z,
       3.0 - 2.0 / diagonal, 1},
      {"box-box edges deep", box(block, pose({0, 0, 2.7}, pi / 4, x)), box(block, pose({0, 0, 0}, pi / 4, y)),
       z, 2.7 - 2.0 / diagonal, 1},
      {"box-box corners", box(block, pose({3, 3, 3})), box(block, pose({0, 0, 0})),
       Vector3d(1, 1, 1).normalized(), std::sqrt(3.0), 1},
      {"box edge-face", box(block, pose({0.1, 0, 2.5}, pi / 4, x)), box({6, 6, 2}, pose({0, 0, 0})), z,
       1.5 - 1.0 / diagonal, 2},
      {"capsule-box", capsule(0.3, 1.0, lying({0.2, 0, 1.4})), box(block, pose({0, 0, 0})), z, 0.1, 2},
      {"capsule-box deep", capsule(0.3, 1.0, lying({0.2, 0, 1.2})), box(block, pose({0, 0, 0})), z, -0.1, 2},
      {"capsule standing", capsule(0.3, 1.0, pose({0.2, 0, 1.9})), box(block, pose({0, 0, 0})), z, 0.1, 1},
      {"cylinder-box cap", cylinder(0.5, 1.0, pose({0.1, 0, 1.6})), box(block, pose({0, 0, 0})), z, 0.1, 4},
      {"cylinder-box cap deep", cylinder(0.5, 1.0, pose({0.1, 0, 1.4})), box(block, pose({0, 0, 0})), z, -0.1,
       4},
      {"cylinder-box side", cylinder(0.5, 1.0, lying({0.1, 0, 1.6})), box(block, pose({0, 0, 0})), z, 0.1, 2},
      {"cylinder-box side deep", cylinder(0.5, 1.0, lying({0.1, 0, 1.45})), box(block, pose({0, 0, 0})), z,
       -0.05, 2},
      {"cylinder-cylinder caps", cylinder(0.5, 1.0, pose({0.1, 0, 1.1})), cylinder(0.5, 1.0, pose({0, 0, 0})),
       z, 0.1, 4},
      {"cylinder-cylinder crossed", cylinder(0.5, 2.0, lying({0, 0, 1.1})),
       cylinder(0.5, 2.0, pose({0, 0, 0}, pi / 2, x)), z, 0.1, 1},
      {"cylinder-cylinder parallel", cylinder(0.5, 2.0, lying({0.3, 0, 1.1})),
       cylinder(0.5, 2.0, lying({0, 0, 0})), z, 0.1, 2},
      {"cylinder-sphere side", cylinder(0.5, 2.0, lying({0.3, 0, 1.1})), sphere(0.5, {0, 0, 0}), z, 0.1, 1},
      {"cylinder-sphere cap", cylinder(0.5, 2.0, pose({0.2, 0, 1.6})), sphere(0.5, {0, 0, 0}), z, 0.1, 1},
      {"cone-box base", cone(0.5, 1.0, pose({0.1, 0, 1.6})), box(block, pose({0, 0, 0})), z, 0.1, 4},
      {"cone-box apex", cone(0.5, 1.0, pose({0.1, 0, 1.6}, pi, x)), box(block, pose({0, 0, 0})), z, 0.1, 1},
      {"cone-sphere apex", cone(0.5, 1.0, pose({0.0, 0, 1.1}, pi, x)), sphere(0.5, {0, 0, 0}), z, 0.1, 1},
      // The side of a cone with half angle atan(1/2) looks down if its axis is turned by 90 degrees and that
      // angle.
      {"cone-box side",
       cone(0.5, 1.0, pose({0, 0, 1.0 + 0.1 + 0.5 * std::sin(std::atan(0.5))}, pi / 2 + std::atan(0.5), y)),
       box({8, 8, 2}, pose({0, 0, 0})), z, 0.1, 2},
      {"hull-hull face", hull(1.0, pose({0.5, 0.5, 2.1})), hull(1.0, pose({0, 0, 0})), z, 0.1, 4},
      {"hull-hull touching", hull(1.0, pose({0.5, 0.5, 2.0})), hull(1.0, pose({0, 0, 0})), z, 0.0, 4},
      {"hull-hull deep", hull(1.0, pose({0.5, 0.5, 1.8})), hull(1.0, pose({0, 0, 0})), z, -0.2, 4},
      {"hull-box edges", hull(1.0, pose({0, 0, 3}, pi / 4, x)), box(block, pose({0, 0, 0}, pi / 4, y)), z,
       3.0 - 2.0 / diagonal, 1},
      {"hull-sphere corner", hull(1.0, pose({0, 0, 0})), sphere(0.5, {-1.6, -1.6, -1.6}),
       Vector3d(1, 1, 1).normalized(), 0.6 * std::sqrt(3.0) - 0.5, 1},
      {"hull-capsule", hull(1.0, pose({0, 0, 1.4})), capsule(0.3, 1.0, lying({0, 0, 0})), z, 0.1, 2},
      {"hull-cylinder", hull(1.0, pose({0, 0, 1.6})), cylinder(0.5, 1.0, pose({0, 0, 0})), z, 0.1, 4},
      {"hull-cone", hull(1.0, pose({0, 0, 1.6})), cone(0.5, 1.0, pose({0, 0, 0})), z, 0.1, 1},
      {"capsule-cylinder", capsule(0.3, 1.0, lying({0, 0, 0.9})), cylinder(0.5, 1.0, pose({0, 0, 0})), z, 0.1,
       2},
      {"capsule-cone", capsule(0.3, 1.0, lying({0, 0, 0.9})), cone(0.5, 1.0, pose({0, 0, 0})), z, 0.1, 1},
      {"cylinder-cone", cylinder(0.5, 1.0, pose({0, 0, 1.1})), cone(0.5, 1.0, pose({0, 0, 0}, pi, x)), z, 0.1,
       4},
      {"cone-cone", cone(0.5, 1.0, pose({0, 0, 1.1})), cone(0.5, 1.0, pose({0, 0, 0})), z, 0.1, 1},
  };
  return list;
}

void check(const Case& c, const Quaterniond& turn, const Vector3d& shift, double scale, bool swapped) {
  SCOPED_TRACE(c.name + " scale " + std::to_string(scale) + (swapped ? " swapped" : ""));
  Placed a = moved(c.first(scale), turn, shift, scale), b = moved(c.second(scale), turn, shift, scale);
  // Boxes need Bullet only if their separating axes do not tell how far they are apart.
  const bool boxes = a.shape.form() == Convex::Form::box && b.shape.form() == Convex::Form::box &&
                     c.name != "box-box corners";
  if (!has_bullet() && !boxes && !is_closed_form(a.shape.form(), b.shape.form())) {
    EXPECT_THROW(touching(a, b, 10.0 * scale), Error);
    return;
  }
  if (swapped) std::swap(a, b);
  const auto answer = touching(a, b, 10.0 * scale);
  ASSERT_TRUE(answer);
  const Vector3d normal = (swapped ? -1.0 : 1.0) * (turn * c.normal);
  EXPECT_NEAR(answer->separation.gap / scale, c.gap, 1e-9);
  // GJK stops when the distance is right to 1e-12. The direction is then right to its root.
  const double same_direction = 2e-6;
  EXPECT_LE((answer->separation.normal - normal).norm(), same_direction);
  double deepest = 1e300;
  for (const PatchPoint& point : answer->points) {
    EXPECT_LE((point.normal - normal).norm(), same_direction);
    deepest = std::min(deepest, point.gap);
  }
  EXPECT_NEAR(deepest / scale, c.gap, 1e-9);
  std::size_t near = 0;
  for (const PatchPoint& point : answer->points) near += point.gap <= deepest + 1e-6 * scale ? 1 : 0;
  EXPECT_EQ(near, c.contacts);
  EXPECT_FALSE(touching(a, b, (c.gap - 0.01) * scale));
}

TEST(ConvexPair, ClosedForms) {
  for (const Case& c : cases()) {
    check(c, Quaterniond::Identity(), Vector3d::Zero(), 1.0, false);
    check(c, Quaterniond::Identity(), Vector3d::Zero(), 1.0, true);
  }
}

TEST(ConvexPair, DoNotDependOnPlaceTurnAndScale) {
  Random random(1);
  for (const Case& c : cases()) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
      const Quaterniond turn = random_turn(random);
      check(c, turn, scale * Vector3d(1.5, -2.25, 0.75), scale, false);
      check(c, turn, scale * Vector3d(1.5, -2.25, 0.75), scale, true);
    }
  }
}

// The gap along the normal is what supports say, no direction separates more, and the gaps of points are
// true.
TEST(ConvexPair, RandomPairs) {
  if (is_refused_without_bullet()) return;
  Random random(2);
  const auto any_shape = [&](int kind) {
    const double a = random.uniform(0.3, 1.0), b = random.uniform(0.3, 1.0), c = random.uniform(0.3, 1.0);
    switch (kind) {
      case 0:
        return Convex::sphere(0.5 * a);
      case 1:
        return Convex::box({a, b, c});
      case 2:
        return Convex::capsule(0.5 * a, b);
      case 3:
        return Convex::cylinder(0.5 * a, b);
      case 4:
        return Convex::cone(0.5 * a, b);
      default: {
        std::vector<Vector3d> points;
        for (int k = 0; k < 12; ++k)
          points.emplace_back(random.uniform(-a, a), random.uniform(-b, b), random.uniform(-c, c));
        return Convex::hull(points);
      }
    }
  };
  int apart = 0, overlaps = 0;
  for (int trial = 0; trial < 900; ++trial) {
    const Placed a{any_shape(trial % 6), {random_turn(random).toRotationMatrix(), Vector3d::Zero()}};
    Placed b{any_shape(trial / 6 % 6), {random_turn(random).toRotationMatrix(), Vector3d::Zero()}};
    b.pose.origin =
        random_turn(random) * Vector3d(random.uniform(0.2, 1.0) * (a.shape.reach() + b.shape.reach()), 0, 0);
    SCOPED_TRACE(trial);
    const auto answer = touching(a, b);
    ASSERT_TRUE(answer);
    const Separation& s = answer->separation;
    const double extent = std::min(a.shape.extent(), b.shape.extent());
    ASSERT_NEAR(s.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR(gap_along(a.shape, a.pose, b.shape, b.pose, s.normal), s.gap, 1e-6 * extent);
    // Other directions near it, and anywhere.
    for (int k = 0; k < 200; ++k) {
      const double size = k % 2 == 0 ? 1e-3 : 2.0;
      const Vector3d other =
          (s.normal + size * Vector3d(random.normal(), random.normal(), random.normal())).normalized();
      EXPECT_LE(gap_along(a.shape, a.pose, b.shape, b.pose, other),
                s.gap + (s.gap > 0.0 ? 1e-8 : 1e-5) * extent);
    }
    double deepest = 1e300;
    for (const PatchPoint& point : answer->points) deepest = std::min(deepest, point.gap);
    EXPECT_NEAR(deepest, s.gap, 2e-6 * extent);
    EXPECT_LE(answer->points.size(), 8u);
    ++(s.gap > 0.0 ? apart : overlaps);
  }
  EXPECT_GT(apart, 200);
  EXPECT_GT(overlaps, 200);
}

// No distance is more than the gap along its direction, also where GJK gives up.
TEST(ConvexPair, DistancesAreRight) {
  if (is_refused_without_bullet()) return;
  Random random(5);
  const auto number = [&] { return random.uniform(0.3, 1.0); };
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 8; ++k) points.emplace_back(random.normal(), random.normal(), random.normal());
    const Placed a{
        trial % 2 == 0 ? Convex::box({number(), number(), number()}) : Convex::cone(number(), number()),
        {random_turn(random).toRotationMatrix(), random_turn(random) * Vector3d(3.0 * number(), 0, 0)}};
    const Placed b{trial % 4 < 2 ? Convex::hull(points) : Convex::capsule(number(), number()),
                   {random_turn(random).toRotationMatrix(), Vector3d::Zero()}};
    Separation s;
    nearest_points(a.shape, a.pose, b.shape, b.pose, s);
    EXPECT_NEAR(gap_along(a.shape, a.pose, b.shape, b.pose, s.normal), s.gap, 2e-6 * a.shape.reach())
        << trial;
  }
}

TEST(ConvexPair, ConvexOnPlane) {
  const ShapePose plane = pose({0, 0, 1});
  std::vector<PatchPoint> points;
  const Vector3d y = Vector3d::UnitY();
  const auto on_plane = [&](const Convex& shape, const ShapePose& place) {
    points.clear();
    EXPECT_TRUE(touch_plane(shape, place, plane, 0.2, points));
    reduce_patch(points, 0, 1e-6 * shape.extent());
    double deepest = 1e300;
    for (const PatchPoint& point : points) {
      EXPECT_EQ(point.normal, Vector3d::UnitZ());
      EXPECT_NEAR(point.place.z(), 1.0 + 0.5 * point.gap, 1e-12);
      deepest = std::min(deepest, point.gap);
    }
    return std::pair(deepest, points.size());
  };
  const auto expect = [](std::pair<double, std::size_t> got, double gap, std::size_t count) {
    EXPECT_NEAR(got.first, gap, 1e-12);
    EXPECT_EQ(got.second, count);
  };
  expect(on_plane(Convex::sphere(0.5), pose({0, 0, 1.6})), 0.1, 1);
  expect(on_plane(Convex::box({1, 1, 1}), pose({0, 0, 1.6})), 0.1, 4);
  expect(on_plane(Convex::box({1, 1, 1}), pose({0, 0, 1.0 + std::sqrt(0.5)}, pi / 4, y)), 0.0, 2);
  expect(on_plane(Convex::capsule(0.5, 1.0), pose({0, 0, 1.6}, pi / 2, y)), 0.1, 2);
  expect(on_plane(Convex::capsule(0.5, 1.0), pose({0, 0, 2.1})), 0.1, 1);
  expect(on_plane(Convex::cylinder(0.5, 1.0), pose({0, 0, 1.6})), 0.1, 4);
  expect(on_plane(Convex::cylinder(0.5, 1.0), pose({0, 0, 1.4}, pi / 2, y)), -0.1, 2);
  // On its rim: the lowest point is exact, whatever its direction.
  const double lean = 1.0;
  expect(on_plane(Convex::cylinder(0.5, 1.0),
                  pose({0, 0, 1.0 + 0.5 * std::sin(lean) + 0.5 * std::cos(lean)}, lean, {0.3, 0.7, 0.0})),
         0.0, 1);
  expect(on_plane(Convex::cone(0.5, 1.0), pose({0, 0, 1.6})), 0.1, 4);
  expect(on_plane(Convex::cone(0.5, 1.0), pose({0, 0, 1.6}, pi, y)), 0.1, 1);
  expect(on_plane(Convex::hull(cube_points(0.5)), pose({0, 0, 1.4})), -0.1, 4);
  EXPECT_FALSE(touch_plane(Convex::sphere(0.5), pose({0, 0, 1.8}), plane, 0.2, points));
}

// A stack of boxes: faces give the normal exactly, and gaps are 0 to rounding.
TEST(ConvexPair, StackedBoxesHaveFaceNormals) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3d lower(random.uniform(0.5, 2.0), random.uniform(0.5, 2.0), random.uniform(0.1, 2.0));
    const Vector3d upper(random.uniform(0.5, 2.0), random.uniform(0.5, 2.0), random.uniform(0.1, 2.0));
    const Placed a{Convex::box(upper),
                   pose({random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.5 * (lower.z() + upper.z())},
                        random.uniform(0.0, 6.0))};
    const Placed b{Convex::box(lower), pose({0, 0, 0})};
    const auto answer = touching(a, b, 0.1);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->points.size(), 4u);
    for (const PatchPoint& point : answer->points) {
      EXPECT_EQ(point.normal, Vector3d::UnitZ());
      EXPECT_NEAR(point.gap, 0.0, 1e-15);
    }
  }
}

// Edges that are nearly parallel cross along an axis of unit length.
TEST(TouchBoxes, UnitNormals) {
  Random random(5);
  const auto lean = [&] { return Vector3d(random.normal(), random.normal(), random.normal()); };
  const Convex brick = Convex::box({0.2, 0.1, 0.065});
  int answers = 0;
  for (int k = 0; k < 1000; ++k) {
    const Placed a{brick, pose({0.0, 0.0, 0.06}, 3e-6 * random.normal(), lean())};
    const Placed b{brick, pose(1e-3 * lean(), 3e-6 * random.normal(), lean())};
    const auto answer = touching(a, b);
    if (!answer) continue;
    ++answers;
    ASSERT_NEAR(answer->separation.normal.norm(), 1.0, 1e-12) << k;
  }
  EXPECT_GE(answers, 900);
}

}  // namespace slipstick::internal::convex_pair_test
