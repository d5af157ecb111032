// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip_barrier.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::pdip_barrier_test {

// A cone of three rows, one of two, a row with two bounds and a free one; unit diagonals.
struct Example {
  Example() {
    problem.K.append_cone(0.5, 3);
    problem.K.append_cone(0.5, 2);
    problem.K.append_interval(-1.0, 2.0);
    problem.K.append_free(1);
    problem.b = Vector::Zero(7);
    barrier.prepare(problem, Vector::Ones(7));
    y = Vector{{0.3, 0.2, -0.1, 0.1, 0.4, 1.0, 5.0}};
    barrier.start(1e-4, y);
  }
  // sum lambda_i grad f_i after a step.
  Vector dual(double step) const {
    Vector g = Vector::Zero(7);
    barrier.residual_after(step, 0.0, g);
    return g;
  }
  Problem problem;
  PdipBarrier barrier;
  Vector y;
};

// Q diag(l^2) Q' dy
Vector apply(const PdipBarrier& barrier, Vector v) {
  barrier.terms().to_frame(barrier.unknowns(), v);
  v = v.cwiseProduct(barrier.terms().squares);
  barrier.terms().from_frame(barrier.unknowns(), v);
  return v;
}

TEST(PdipBarrier, StartsInsideAndCentred) {
  Example example;
  EXPECT_EQ(example.barrier.functions(), 6);
  EXPECT_EQ(example.barrier.degree(), 4);
  EXPECT_GT(example.y[3], 0.4);
  EXPECT_EQ(example.y[6], 5.0);
  Vector g = Vector::Zero(7);
  const double mean = example.barrier.gap() / 6.0;
  EXPECT_NEAR(example.barrier.residual_after(0.0, mean, g), 0.0, 1e-15);
}

// The reduced matrix is the derivative of the dual residual along directions that keep the products.
TEST(PdipBarrier, TermsAreTheDerivativeOfTheDualResidual) {
  Example example;
  Vector bend(7);
  const Vector direction{{0.1, -0.2, 0.15, 0.05, 0.1, -0.3, 1.0}};
  example.barrier.aim(example.barrier.gap() / 6.0);  // the products are there: the targets are 0
  example.barrier.set_direction(direction, bend);
  const double h = 1e-5;
  const Vector difference = (example.dual(h) - example.dual(-h)) / (2.0 * h);
  EXPECT_LT((difference - apply(example.barrier, direction)).norm(), 1e-6 * difference.norm());
  EXPECT_GE(example.barrier.terms().squares.minCoeff(), 0.0);
}

TEST(PdipBarrier, DirectionReachesTheProductsToFirstOrder) {
  Example example;
  Vector bend(7);
  example.barrier.aim(0.0);
  const double gap = example.barrier.gap();
  example.barrier.set_direction(Vector{{0.1, -0.2, 0.15, 0.05, 0.1, -0.3, 1.0}}, bend);
  const double h = 1e-5;
  EXPECT_NEAR((example.barrier.gap_after(h) - example.barrier.gap_after(-h)) / (2.0 * h), -gap, 1e-7 * gap);
}

TEST(PdipBarrier, StepsEndWhereTheyWereTried) {
  Example example;
  Vector bend(7);
  const Vector direction{{0.1, -0.2, 0.15, 0.05, 0.1, -0.3, 1.0}};
  example.barrier.aim(0.0);
  example.barrier.set_direction(direction, bend);
  const double step = 0.5 * std::min(1.0, example.barrier.max_step());
  const Vector expected = example.y + step * direction + step * step * bend;
  const Vector dual = example.dual(step);
  example.y += step * direction;
  example.barrier.step(step, example.y);
  EXPECT_LT((example.y - expected).norm(), 1e-14);
  EXPECT_LT((example.dual(0.0) - dual).norm(), 1e-14);
}

TEST(PdipBarrier, LongestStepEndsAtTheBoundary) {
  Example example;
  Vector bend(7), g = Vector::Zero(7);
  for (const Vector& direction :
       {Vector{{-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}}, Vector{{0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0}},
        Vector{{0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0}}, Vector{{0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}}}) {
    example.barrier.aim(0.0);
    example.barrier.set_direction(direction, bend);
    const double step = example.barrier.max_step();
    EXPECT_TRUE(std::isfinite(example.barrier.residual_after(0.999 * step, 0.0, g)));
    EXPECT_LT(std::min(example.barrier.gap_after(step * 1.001), 1.0), example.barrier.gap());
  }
}

}  // namespace slipstick::internal::pdip_barrier_test
