// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/faces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/dense.hpp"

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A bounded row, an apex, a ray, an interior point and a ray in the plane.
struct Sample {
  ProductSet K;
  Vector x = vec({0.0, 0.0, 0.0, 0.0, 2.0, 0.6, 0.8, 1.0, 0.1, 0.0, 1.0, -0.5});
  Sample() {
    K.append_nonnegative(1);
    for (int k = 0; k < 3; ++k) K.append_cone(0.5, 3);
    K.append_cone(0.5, 2);
  }
};

TEST(Faces, ProjectsOnTheDirectionsOfTheSmallestFace) {
  const Sample sample;
  Faces faces;
  faces.choose_smallest(sample.K, sample.x);
  EXPECT_EQ(faces.fixed_rows(), 4);
  Vector v = vec({5.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 7.0, 8.0, 9.0, 1.0, 1.0});
  faces.project(sample.K, v);
  // On the ray (1, 0.3, 0.4): 1 / 1.25; on (1, -0.5): 0.5 / 1.25.
  const Vector expected = vec({0.0, 0.0, 0.0, 0.0, 0.8, 0.24, 0.32, 7.0, 8.0, 9.0, 0.4, -0.2});
  EXPECT_LT((v - expected).norm(), 1e-14);
}

TEST(Faces, NoticesChanges) {
  Sample sample;
  Faces faces;
  faces.choose_smallest(sample.K, sample.x);
  EXPECT_TRUE(faces.changed());
  sample.x[4] = 2.0 * (1.0 - 1e-13);  // as good as on the boundary
  faces.choose_smallest(sample.K, sample.x);
  EXPECT_FALSE(faces.changed());
  sample.x[4] = 2.5;
  faces.choose_smallest(sample.K, sample.x);
  EXPECT_TRUE(faces.changed());
}

TEST(Faces, SplitsTheGradient) {
  const Sample sample;
  Faces faces;
  faces.choose_smallest(sample.K, sample.x);
  const Vector metric = Vector::Constant(12, 2.0);
  Vector phi(12);
  // The row leads inside, the apex has -g on its axis, the ray has g along its turn, the interior is free.
  const Vector g = vec({-3.0, -2.0, 0.0, 0.0, 0.0, -0.8, 0.6, 1.0, 0.0, 0.0, 0.0, 0.0});
  const Faces::Split split = faces.split(sample.K, sample.x, g, metric, phi);
  EXPECT_NEAR(split.leaving, (9.0 + 4.0 + 1.0) / 2.0, 1e-13);
  EXPECT_NEAR(split.face, 0.5, 1e-13);
  // What the boundary takes up leaves nothing: g against the normal (-0.5, 0.6, 0.8).
  const Vector held = vec({1.0, 2.0, 0.0, 0.0, 0.5, -0.6, -0.8, 0.0, 0.0, 0.0, 0.0, 0.0});
  const Faces::Split none = faces.split(sample.K, sample.x, held, metric, phi);
  EXPECT_NEAR(none.leaving, 0.0, 1e-13);
  EXPECT_NEAR(none.face, 0.0, 1e-13);
}

TEST(Faces, StepsToTheEndOfTheFace) {
  const Sample sample;
  Faces faces;
  faces.choose_smallest(sample.K, sample.x);
  Vector p = Vector::Zero(12);
  EXPECT_EQ(faces.feasible_step(sample.K, sample.x, p), infinity);
  p.segment(4, 3) = vec({1.0, 0.3, 0.4});  // towards the apex
  EXPECT_NEAR(faces.feasible_step(sample.K, sample.x, p), 2.0, 1e-14);
  p[8] = -0.4;  // from (1, 0.1) to (1, 0.5)
  EXPECT_NEAR(faces.feasible_step(sample.K, sample.x, p), 1.0, 1e-14);
}

// The tangent plane with its curvature is the second-order model of the objective on the cone: along
// x(s) = ||x|| times the ray of the angle s, the slope of g'(x(s) - x) is of third order after the curvature.
TEST(Faces, CurvatureIsThatOfTheCone) {
  const Sample sample;
  const Vector g = vec({0.0, 0.0, 0.0, 0.0, 1.0, -1.2, -1.6, 0.0, 0.0, 0.0, 0.0, 0.0});
  Faces faces;
  faces.choose_tangent(sample.K, sample.x, g);
  Vector turn = Vector::Zero(12);
  turn.segment(4, 3) = vec({0.0, -0.8, 0.6});
  Vector same = turn;
  faces.project(sample.K, same);
  EXPECT_LT((same - turn).norm(), 1e-14);
  Vector out = Vector::Zero(12);
  faces.add_curvature(sample.K, turn, out);
  // g'(x(s) - x) = g_T'x_T (cos s - 1), and a step of s ||x_T|| along the turn: 2 (1 - cos s) ~ s^2.
  EXPECT_NEAR(turn.dot(out), 2.0, 1e-13);
  // A gradient that leads inside frees all rows.
  faces.choose_tangent(sample.K, sample.x, Vector(-g));
  Vector v = Vector::Ones(12);
  faces.project(sample.K, v);
  EXPECT_EQ(v.segment(4, 3), Vector::Ones(3));
}

}  // namespace
}  // namespace slipstick
