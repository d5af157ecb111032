// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/convex.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::convex_test {

using Eigen::Vector3d;

std::vector<Convex> shapes() {
  // A pyramid, with points inside and on a side of its base.
  const std::vector<Vector3d> points = {{1, 1, 0},   {-1, 1, 0},  {-1, -1, 0}, {1, -1, 0},
                                        {0, 0, 1.5}, {0, 0, 0.1}, {0, 1, 0}};
  return {Convex::sphere(0.5),
          Convex::capsule(0.3, 1.0),
          Convex::box({1, 2, 3}),
          Convex::cylinder(0.5, 2.0),
          Convex::cone(0.5, 2.0),
          Convex::hull(points),
          Convex::triangle({Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)}, Vector3d::UnitZ())};
}

TEST(Convex, Extents) {
  const auto list = shapes();
  const std::vector<double> extents = {1.0, 0.6, 1.0, 1.0, 1.0, 1.5};
  for (std::size_t k = 0; k < extents.size(); ++k) EXPECT_NEAR(list[k].extent(), extents[k], 1e-15) << k;
}

// No point of a feature is farther along the direction than the support, and a face looks along it.
TEST(Convex, FeaturesAreAtTheTop) {
  Random random(1);
  for (const Convex& shape : shapes()) {
    for (int trial = 0; trial < 2000; ++trial) {
      const ShapePose pose{
          Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
              .normalized()
              .toRotationMatrix(),
          Vector3d(1, 2, 3)};
      Vector3d direction(random.normal(), random.normal(), random.normal());
      if (trial % 4 == 0) direction = pose.axes.col(trial / 4 % 3) + 0.05 * direction;  // near a face or side
      direction.normalize();
      const Vector3d top = pose * shape.support(pose.axes.transpose() * direction);
      EXPECT_LE((top - pose * shape.centre()).norm() + shape.radius(), shape.reach() * (1.0 + 1e-12));
      for (const Lean& lean : {slight_lean, any_lean}) {
        Feature feature;
        shape.feature(pose, direction, lean, feature);
        ASSERT_GE(feature.count, 1);
        double highest = -1e300;
        for (int k = 0; k < feature.count; ++k)
          highest = std::max(highest, direction.dot(feature.corners[k] - top));
        EXPECT_LE(highest, 1e-12);
        if (!lean.any) {
          EXPECT_GE(highest, -1e-9);
        }
        if (!feature.is_face()) continue;
        EXPECT_GT(direction.dot(feature.normal), 0.0);
        for (int k = 0; k < feature.count; ++k) {
          const Vector3d &a = feature.corners[k], &b = feature.corners[(k + 1) % feature.count],
                         &c = feature.corners[(k + 2) % feature.count];
          EXPECT_NEAR(feature.normal.dot(b - a), 0.0, 1e-12);
          EXPECT_GE(feature.normal.dot((b - a).cross(c - b)), -1e-12);  // counterclockwise
        }
      }
    }
  }
}

TEST(Convex, FacesOfAHull) {
  const Convex pyramid = shapes()[5];
  ASSERT_EQ(pyramid.face_normals(), 5);
  Feature base;
  pyramid.feature({}, -Vector3d::UnitZ(), slight_lean, base);
  EXPECT_EQ(base.normal, Vector3d(0, 0, -1));
  EXPECT_GE(base.count, 4);
  Feature side;
  pyramid.feature({}, Vector3d(1.5, 0, 1).normalized(), slight_lean, side);
  EXPECT_EQ(side.count, 3);
  Feature edge;
  pyramid.feature({}, Vector3d(1, 1, 4.0 / 3.0).normalized(), slight_lean, edge);
  EXPECT_EQ(edge.count, 2);
}

// A brick that was turned and written with the digits of a float.
TEST(Convex, FacesOfAHullOfFloats) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    std::vector<Vector3d> points;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-0.5, 0.5})
        for (const double z : {-0.25, 0.25})
          points.emplace_back((turn * Vector3d(x, y, z)).cast<float>().cast<double>());
    const Convex brick = Convex::hull(points);
    ASSERT_EQ(brick.face_normals(), 6);
    Feature face;
    for (int k = 0; k < 6; ++k) {
      brick.feature({}, brick.face_normal(k), slight_lean, face);
      EXPECT_EQ(face.count, 4);
    }
    EXPECT_NEAR(brick.extent(), 0.5, 1e-6);
  }
}

}  // namespace slipstick::internal::convex_test
