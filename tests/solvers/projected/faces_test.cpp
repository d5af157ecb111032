// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/faces.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dense.hpp"

namespace slipstick::internal::faces_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

// The tangent plane with its curvature is the second-order model of the objective on the cone. Along x(s) =
// ||x|| times the ray of the angle s, g'(x(s) - x) minus the curvature term is of third order.
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

// Gradients inside, and at what is no contact or has no boundary, are not read.
TEST(Faces, TangentPlanesNeedTheGradientOnTheBoundaryAlone) {
  const Sample sample;
  Vector g = Vector::Constant(12, nan);
  g.segment(4, 3) = vec({1.0, -1.2, -1.6});
  g.segment(10, 2) = vec({1.0, 2.0});
  Faces faces;
  faces.choose_tangent(sample.K, sample.x, g);
  EXPECT_EQ(faces.fixed_rows(), 4);
  EXPECT_EQ(faces.mask(), (std::vector<char>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
  // Fixed rows become 0 whatever they are, and the interior has no curvature.
  Vector v = vec({nan, nan, nan, nan, -0.5, 0.6, 0.8, 1.0, 2.0, 3.0, -0.5, -1.0});
  faces.project(sample.K, v);
  EXPECT_LT((v - vec({0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0})).norm(), 1e-14);
  v = Vector::Constant(12, nan);
  v.segment(4, 3) = vec({1.0, 0.6, 0.8});  // along the ray
  Vector out = Vector::Zero(12);
  faces.add_curvature(sample.K, v, out);
  EXPECT_LT(out.norm(), 1e-15);
}

// Without friction the face is the normal row alone.
TEST(Faces, ConesWithoutFriction) {
  ProductSet K = ProductSet::cones(vec({0.0, 0.0}), 3);
  const Vector x = vec({2.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  const Vector g = vec({3.0, 5.0, -7.0, -4.0, 5.0, -7.0});
  for (const bool tangent : {false, true}) {
    Faces faces;
    if (tangent) {
      faces.choose_tangent(K, x, g);
    } else {
      faces.choose_smallest(K, x);
    }
    EXPECT_EQ(faces.fixed_rows(), 3);
    Vector v = Vector::Ones(6);
    faces.project(K, v);
    EXPECT_EQ(v, vec({1, 0, 0, 0, 0, 0}));
    Vector out = Vector::Zero(6);
    faces.add_curvature(K, Vector::Ones(6), out);
    EXPECT_EQ(out.norm(), 0.0);
    Vector phi = Vector::Constant(6, nan);
    const Faces::Split split = faces.split(K, x, g, Vector::Ones(6), phi);
    EXPECT_EQ(phi, vec({3, 0, 0, 0, 0, 0}));
    EXPECT_NEAR(split.face, 9.0, 1e-14);
    EXPECT_NEAR(split.leaving, 16.0, 1e-14);
    EXPECT_EQ(faces.feasible_step(K, x, vec({4, 0, 0, 0, 0, 0})), 0.5);
    EXPECT_EQ(faces.feasible_step(K, x, vec({-4, 0, 0, 0, 0, 0})), infinity);
  }
}

TEST(Faces, BoundsOfEveryKind) {
  const ProductSet K =
      ProductSet::box(vec({0, 0, -1, -1, -infinity, 2}), vec({infinity, 1, 1, 1, infinity, 2}));
  const Vector x = vec({3, 1, -1, 0, -9, 2});
  Faces faces;
  faces.choose_smallest(K, x);
  EXPECT_EQ(faces.fixed_rows(), 3);
  EXPECT_EQ(faces.mask(), (std::vector<char>{1, 0, 0, 1, 1, 0}));
  // Row 1 leaves its upper bound, row 2 is held at its lower one, row 5 cannot move.
  Vector phi(6);
  Faces::Split split = faces.split(K, x, vec({1, 2, 3, 4, 5, 6}), vec({1, 2, 3, 4, 5, 6}), phi);
  EXPECT_EQ(phi, vec({1, 0, 0, 4, 5, 0}));
  EXPECT_DOUBLE_EQ(split.face, 1.0 + 4.0 + 5.0);
  EXPECT_DOUBLE_EQ(split.leaving, 2.0);
  split = faces.split(K, x, vec({0, -2, -3, 0, 0, -6}), vec({1, 2, 3, 4, 5, 6}), phi);
  EXPECT_DOUBLE_EQ(split.leaving, 3.0);
  EXPECT_DOUBLE_EQ(faces.feasible_step(K, x, vec({2, 0, 0, -4, 7, 0})), 0.25);
  EXPECT_DOUBLE_EQ(faces.feasible_step(K, x, vec({2, 0, 0, 0.1, 7, 0})), 1.5);
}

TEST(Faces, NoRows) {
  Faces faces;
  faces.choose_smallest({}, Vector());
  EXPECT_EQ(faces.fixed_rows(), 0);
  EXPECT_FALSE(faces.changed());
  EXPECT_EQ(faces.feasible_step({}, Vector(), Vector()), infinity);
}

// A random point of every face of cones of both dimensions, among bounds.
struct RandomPoint {
  explicit RandomPoint(Random& random) {
    for (int k = 0; k < 6; ++k) K.append_cone(k == 5 ? 0.0 : random.uniform(0.1, 2.0), k % 2 == 0 ? 3 : 2);
    K.append_nonnegative(2);
    K.append_interval(-1.0, 1.0);
    K.append_free(1);
    x = random_vector(K.rows(), random);
    K.project(x);
    g = random_vector(K.rows(), random);
  }
  ProductSet K;
  Vector x, g;
};

TEST(Faces, ProjectionsAreOrthogonal) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const RandomPoint point(random);
    Faces faces;
    if (trial % 2 == 0) {
      faces.choose_smallest(point.K, point.x);
    } else {
      faces.choose_tangent(point.K, point.x, point.g);
    }
    const Vector u = random_vector(point.x.size(), random);
    Vector projected_u = u, projected_g = point.g;
    faces.project(point.K, projected_u);
    faces.project(point.K, projected_g);
    EXPECT_NEAR(projected_u.dot(point.g), u.dot(projected_g), 1e-13);
    EXPECT_NEAR(projected_u.dot(u), projected_u.squaredNorm(), 1e-13);
    Vector again = projected_u;
    faces.project(point.K, again);
    EXPECT_LT((again - projected_u).norm(), 1e-14);
  }
}

// phi and beta together are what a short projected gradient step does: (x - P(x - h g)) / h.
TEST(Faces, SplitIsTheProjectedGradient) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomPoint point(random);
    Faces faces;
    faces.choose_smallest(point.K, point.x);
    Vector phi(point.x.size());
    const Faces::Split split =
        faces.split(point.K, point.x, point.g, Vector::Constant(point.x.size(), 4.0), phi);
    Vector projected = point.g;
    faces.project(point.K, projected);
    EXPECT_LT((phi - projected).norm(), 1e-14);
    EXPECT_NEAR(split.face, phi.squaredNorm() / 4.0, 1e-13);
    const double h = 1e-7;
    Vector moved = point.x - h * point.g;
    point.K.project(moved);
    EXPECT_NEAR(split.face + split.leaving, ((point.x - moved) / h).squaredNorm() / 4.0, 1e-4);
  }
}

TEST(Faces, FeasibleStepsEndAtTheBoundary) {
  Random random(3);
  const auto outside = [](const ProductSet& K, Vector x) {
    const Vector before = x;
    K.project(x);
    return (x - before).norm();
  };
  for (int trial = 0; trial < 100; ++trial) {
    const RandomPoint point(random);
    Faces faces;
    faces.choose_smallest(point.K, point.x);
    Vector p = point.g;
    faces.project(point.K, p);
    const double step = faces.feasible_step(point.K, point.x, p);
    if (step == infinity) {
      EXPECT_LT(outside(point.K, point.x - 1e3 * p), 1e-9);
      continue;
    }
    EXPECT_LT(outside(point.K, point.x - step * p), 1e-12 * (1.0 + step));
    EXPECT_GT(outside(point.K, point.x - (step + 1e-3) * p), 1e-9);
  }
}

}  // namespace slipstick::internal::faces_test
