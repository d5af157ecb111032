// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm_barrier.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/cone_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::ipm_barrier_test {

// z, with the sign that it has in the gradient: the two multipliers of a row less each other.
Vector multipliers(const IpmBarrier& barrier) {
  Vector g = Vector::Zero(barrier.unknowns().size());
  barrier.subtract_multipliers(g);
  return -g;
}

// F^2 v, the multipliers' derivative by the unknowns but for the sign.
Vector apply_terms(const IpmBarrier& barrier, Vector v) {
  const BarrierTerms& terms = barrier.terms();
  terms.to_frame(barrier.unknowns(), v);
  v = v.cwiseProduct(terms.squares);
  terms.from_frame(barrier.unknowns(), v);
  return v;
}

// Unit diagonals, K alone.
struct Sample {
  explicit Sample(const ProductSet& K, double margin = 0.1) {
    problem.K = K;
    problem.b = Vector::Zero(K.rows());
    barrier.prepare(problem, Vector::Ones(K.rows()));
    y = Vector::Zero(barrier.unknowns().size());
    barrier.start(margin, y);
  }
  Vector targets() const {
    Vector v = Vector::Zero(y.size());
    barrier.add_targets(v);
    return v;
  }
  // The unknowns' direction from the one in the frame.
  Vector turned(const Vector& frame_direction) const {
    Vector v = frame_direction;
    barrier.terms().from_frame(barrier.unknowns(), v);
    return v;
  }
  // F^2 s = z, if a row has one slack.
  void expect_scaled() const {
    const Vector difference = apply_terms(barrier, y) - multipliers(barrier);
    for (Index k = 0; k < y.size(); ++k) {
      if (barrier.unknowns().width(k) == 0.0 && barrier.terms().squares[k] > 0.0) {
        EXPECT_NEAR(difference[k], 0.0, 1e-11 * barrier.multiplier_norm()) << k;
      }
    }
  }
  Problem problem;
  IpmBarrier barrier;
  Vector y;
};

ProductSet one_row() {
  return ProductSet::nonnegative(1);
}

TEST(IpmBarrier, StartsOneSidedRowsByHand) {
  const Sample sample(one_row());
  EXPECT_EQ(sample.barrier.degree(), 1);
  EXPECT_NEAR(sample.y[0], 10.0, 1e-14);
  EXPECT_NEAR(multipliers(sample.barrier)[0], 0.1, 1e-16);
  EXPECT_NEAR(sample.barrier.multiplier_norm(), 0.1, 1e-16);
  EXPECT_NEAR(sample.barrier.gap(), 1.0, 1e-15);
  EXPECT_NEAR(sample.barrier.terms().squares[0], 0.01, 1e-17);
}

TEST(IpmBarrier, StartsTwoSidedRowsInTheMiddle) {
  const Sample sample(ProductSet::box(vec({-1}), vec({3})));
  EXPECT_EQ(sample.barrier.degree(), 2);
  EXPECT_NEAR(sample.y[0], 2.0, 1e-15);
  // s = 2 and z = 1/2 on either side: they cancel.
  EXPECT_NEAR(multipliers(sample.barrier)[0], 0.0, 1e-15);
  EXPECT_NEAR(sample.barrier.multiplier_norm(), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(sample.barrier.gap(), 2.0, 1e-14);
  EXPECT_NEAR(sample.barrier.terms().squares[0], 0.5, 1e-15);
  Vector x(1);
  sample.barrier.to_rows(sample.y, x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
}

TEST(IpmBarrier, StartsConesOnTheirAxis) {
  Sample sample(ProductSet::cones(vec({1}), 3));
  EXPECT_EQ(sample.barrier.degree(), 1);
  EXPECT_LT((sample.y - vec({10, 0, 0})).norm(), 1e-14);
  EXPECT_LT((multipliers(sample.barrier) - vec({0.1, 0, 0})).norm(), 1e-16);
  EXPECT_NEAR(sample.barrier.gap(), 1.0, 1e-14);
  EXPECT_LT((sample.barrier.terms().squares - Vector::Constant(3, 0.01)).norm(), 1e-16);
  // A point beside the axis keeps its tangents, one far inside stays.
  sample.y = vec({1, 3, 4});
  sample.barrier.start(0.1, sample.y);
  EXPECT_LT((sample.y - vec({15, 3, 4})).norm(), 1e-14);
  sample.y = vec({50, 3, 4});
  sample.barrier.start(0.1, sample.y);
  EXPECT_LT((sample.y - vec({50, 3, 4})).norm(), 1e-13);
  sample.expect_scaled();
}

TEST(IpmBarrier, FreeAndFixedRowsHaveNoBarrier) {
  Sample sample(ProductSet::box(vec({-infinity, 2}), vec({infinity, 2})));
  EXPECT_EQ(sample.barrier.degree(), 0);
  EXPECT_EQ(sample.barrier.gap(), 0.0);
  EXPECT_EQ(sample.barrier.multiplier_norm(), 0.0);
  EXPECT_EQ(sample.barrier.terms().squares, vec({0}));
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(vec({-3}));
  EXPECT_EQ(sample.barrier.max_step(), infinity);
  EXPECT_TRUE(sample.barrier.step(1.0, vec({-3}), sample.y));
  Vector x(2);
  sample.barrier.to_rows(sample.y, x);
  EXPECT_EQ(x, vec({-3, 2}));
}

TEST(IpmBarrier, AffineTargetByHand) {
  Sample sample(one_row());  // s = 10, z = 0.1, F = 0.1, lambda = 1
  sample.barrier.aim_at_zero();
  EXPECT_NEAR(sample.targets()[0], -0.1, 1e-16);
  // ds = -5 is -0.5 scaled, and so is dz.
  sample.barrier.set_direction(vec({-5}));
  EXPECT_NEAR(sample.barrier.gap_after(1.0), 0.25, 1e-15);
  EXPECT_NEAR(sample.barrier.max_step(), 2.0, 1e-14);
  ASSERT_TRUE(sample.barrier.step(0.5, vec({-5}), sample.y));
  EXPECT_NEAR(sample.y[0], 7.5, 1e-14);
  EXPECT_NEAR(multipliers(sample.barrier)[0], 0.075, 1e-16);
  EXPECT_NEAR(sample.barrier.gap(), 0.5625, 1e-15);
}

TEST(IpmBarrier, CorrectorTargetByHand) {
  Sample sample(one_row());
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(vec({2}));  // ds = 0.2, dz = -1.2 scaled
  sample.barrier.aim_at_path(0.5);
  // t = (0.5 + 0.24) / 1 - 1, times F.
  EXPECT_NEAR(sample.targets()[0], -0.026, 1e-16);
}

TEST(IpmBarrier, NeighbourhoodTargetByHand) {
  Sample sample(one_row());
  // Below: dz = -1 takes the product to 0, and 0.1 aim is 0.05.
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(vec({0}));
  sample.barrier.aim_at_neighbourhood(0.5, 1.0);
  EXPECT_NEAR(sample.targets()[0], 0.1 * (-1.0 + 0.05), 1e-16);
  // Between: nothing changes at half the step.
  sample.barrier.aim_at_zero();
  sample.barrier.aim_at_neighbourhood(0.5, 0.5);
  EXPECT_NEAR(sample.targets()[0], -0.1, 1e-16);
  // Above: ds = 100, dz = -101 ask the corrector for 10099.5; no more than 10 aim are taken back.
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(vec({1000}));
  sample.barrier.aim_at_path(0.5);
  sample.barrier.set_direction(vec({1000}));
  EXPECT_NEAR(sample.targets()[0], 1009.95, 1e-11);
  sample.barrier.aim_at_neighbourhood(0.5, 1.0);
  EXPECT_NEAR(sample.targets()[0], 1009.45, 1e-11);
}

// lambda = (1, 0, 0); ds = (0, 0.5, 0) and dz = -lambda - ds give s o z = (-0.25, -0.5, 0). Its eigenvalue
// 0.25 stays, and -0.75 goes to 0.05: (0.15, -0.1, 0).
TEST(IpmBarrier, NeighbourhoodOfAConeByHand) {
  Sample sample(ProductSet::cones(vec({1}), 3));
  Vector direction = vec({0, 5, 0});
  sample.barrier.terms().to_frame(sample.barrier.unknowns(), direction);
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(direction);
  sample.barrier.aim_at_neighbourhood(0.5, 1.0);
  EXPECT_LT((sample.turned(sample.targets()) - 0.1 * vec({-0.6, 0.4, 0})).norm(), 1e-15);
}

TEST(IpmBarrier, AffineDirectionsReduceTheGapAtItsOwnRate) {
  Random random(1);
  Sample sample(cone_cases::every_kind_of_row());
  EXPECT_EQ(sample.barrier.degree(), 9);
  const double gap = sample.barrier.gap();
  for (int trial = 0; trial < 10; ++trial) {
    sample.barrier.aim_at_zero();
    sample.barrier.set_direction(random_vector(sample.y.size(), random));
    EXPECT_NEAR(sample.barrier.gap_after(0.0), gap, 1e-13 * gap);
    // A parabola whose slope is -gap, whatever the direction of y.
    const double second_order = sample.barrier.gap_after(1.0);
    EXPECT_NEAR(sample.barrier.gap_after(-1.0), 2.0 * gap + second_order, 1e-11 * gap);

    // The corrector takes the second-order term along.
    sample.barrier.aim_at_path(0.3);
    sample.barrier.set_direction(random_vector(sample.y.size(), random));
    const double slope = 0.5 * (sample.barrier.gap_after(1.0) - sample.barrier.gap_after(-1.0));
    EXPECT_NEAR(slope, -0.7 * gap - second_order, 1e-11 * (gap + std::abs(second_order)));
  }
}

// Steps along random directions, each checked against what was announced.
TEST(IpmBarrier, StepsEndWhereTheyWereTried) {
  Random random(2);
  Sample sample(cone_cases::every_kind_of_row());
  for (int trial = 0; trial < 12; ++trial) {
    const Vector direction = sample.y.norm() * random_vector(sample.y.size(), random);
    sample.barrier.aim_at_zero();
    sample.barrier.set_direction(direction);
    sample.barrier.aim_at_path(0.5);
    sample.barrier.set_direction(direction);
    const double length = 0.3 * std::min(1.0, sample.barrier.max_step());
    const Vector y = sample.y + length * sample.turned(direction);
    // dz = Q (l Q't - l^2 dy), all in the frame.
    const Vector change = sample.targets() - sample.barrier.terms().squares.cwiseProduct(direction);
    const Vector z = multipliers(sample.barrier) + length * sample.turned(change);
    const double gap = sample.barrier.gap_after(length);
    ASSERT_TRUE(sample.barrier.step(length, sample.turned(direction), sample.y));
    EXPECT_LT((sample.y - y).norm(), 1e-12 * y.norm());
    EXPECT_LT((multipliers(sample.barrier) - z).norm(), 1e-11 * sample.barrier.multiplier_norm());
    EXPECT_NEAR(sample.barrier.gap(), gap, 1e-11 * gap);
    sample.expect_scaled();
  }
}

TEST(IpmBarrier, LongestStepEndsAtTheBoundary) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Sample start(cone_cases::every_kind_of_row());
    const Vector direction = random_vector(start.y.size(), random);
    for (const double share : {0.999, 1.001}) {
      Sample sample = start;
      sample.barrier.aim_at_zero();
      sample.barrier.set_direction(direction);
      const double longest = sample.barrier.max_step();
      EXPECT_EQ(sample.barrier.step(share * longest, sample.turned(direction), sample.y), share < 1.0);
    }
  }
}

// Beyond the apex slack and multiplier are both negative, and their product is not.
TEST(IpmBarrier, StepsThroughTheApexAreSeen) {
  Sample row(one_row());
  row.barrier.aim_at_zero();
  row.barrier.set_direction(vec({-5}));
  EXPECT_FALSE(row.barrier.step(3.0, vec({-5}), row.y));
  Sample cone(ProductSet::cones(vec({1}), 3));
  Vector direction = vec({-5, 0, 0});
  cone.barrier.terms().to_frame(cone.barrier.unknowns(), direction);
  cone.barrier.aim_at_zero();
  cone.barrier.set_direction(direction);
  EXPECT_NEAR(cone.barrier.max_step(), 2.0, 1e-14);
  EXPECT_FALSE(cone.barrier.step(3.0, vec({-5, 0, 0}), cone.y));
}

TEST(IpmBarrier, DirectionsAreKeptAndRestored) {
  Random random(4);
  Sample sample(cone_cases::every_kind_of_row());
  sample.barrier.aim_at_zero();
  sample.barrier.set_direction(random_vector(sample.y.size(), random));
  const Vector targets = sample.targets();
  const double gap = sample.barrier.gap_after(0.5);
  const double longest = sample.barrier.max_step();
  sample.barrier.keep_direction();
  sample.barrier.aim_at_path(0.5);
  sample.barrier.set_direction(random_vector(sample.y.size(), random));
  EXPECT_NE(sample.barrier.gap_after(0.5), gap);
  sample.barrier.restore_direction();
  EXPECT_EQ(sample.targets(), targets);
  EXPECT_EQ(sample.barrier.gap_after(0.5), gap);
  EXPECT_EQ(sample.barrier.max_step(), longest);
}

// Steps of 99 % towards the upper bound of [-1e8, 1]: the slack is far below what y can tell.
TEST(IpmBarrier, UpperBoundsAreApproachedToTheLastDigit) {
  Sample sample(ProductSet::box(vec({-1e8}), vec({1})), 1e9);
  const auto slack = [&] {
    sample.barrier.set_direction(vec({1}));
    return sample.barrier.max_step();
  };
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(sample.barrier.step(0.99 * slack(), vec({1}), sample.y));
  ASSERT_NEAR(slack(), 5e-13, 1e-15);
  Vector x(1);
  sample.barrier.to_rows(sample.y, x);
  EXPECT_NEAR(1.0 - x[0], slack(), 3e-16);
}

TEST(IpmBarrier, ASecondStartAllocatesNothing) {
  Sample sample(cone_cases::every_kind_of_row());
  const Vector d = Vector::Ones(18);
  Vector x(18), v = Vector::Zero(sample.y.size());
  const std::size_t before = allocations();
  sample.barrier.prepare(sample.problem, d);
  sample.barrier.start(0.1, sample.y);
  sample.barrier.aim_at_zero();
  sample.barrier.add_targets(v);
  sample.barrier.set_direction(v);
  sample.barrier.step(0.1, v, sample.y);
  sample.barrier.to_rows(sample.y, x);
  EXPECT_EQ(allocations() - before, 0U);
}

}  // namespace slipstick::internal::ipm_barrier_test
