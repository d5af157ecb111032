// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/metric_step.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::metric_step_test {

TEST(MetricStep, IsTheStepOfTheScaledProblem) {
  ProductSet K;
  K.append_cone(0.5, 3);
  K.append_nonnegative(1);
  K.append_free(1);
  Vector x(5), g(5), metric(5), out(5);
  x << 1.0, 0.3, -0.1, 0.5, 2.0;
  g << 0.2, -3.0, 1.0, 10.0, 1.0;
  metric << 4.0, 4.0, 4.0, 100.0, 0.25;
  metric_step(K, x, g, metric, 0.7, out);
  // x = S y, S = D^-1/2: y+ = P(y - step S g), and the cone does not mind a scaling of all its rows.
  const Vector s = metric.cwiseSqrt().cwiseInverse();
  Vector y = x.cwiseQuotient(s) - 0.7 * s.cwiseProduct(g);
  K.project(y);
  EXPECT_LT((out - s.cwiseProduct(y)).norm(), 1e-15);
}

TEST(MetricStep, OfABoxWorksInPlace) {
  const ProductSet K = ProductSet::box(Vector::Constant(2, -1.0), Vector::Constant(2, 1.0));
  Vector x = Vector::Zero(2), g(2);
  g << -8.0, 1.0;
  metric_step(K, x, g, Vector::Constant(2, 2.0), 1.0, x);
  EXPECT_EQ(x[0], 1.0);
  EXPECT_EQ(x[1], -0.5);
}

TEST(IsConic, AsksForBoundsAtZeroOrNone) {
  ProductSet K;
  K.append_cone(0.3, 2);
  K.append_nonnegative(2);
  K.append_free(1);
  K.append_interval(-infinity, 0.0);
  K.append_interval(0.0, 0.0);
  EXPECT_TRUE(is_conic(K));
  ProductSet bounded = K;
  bounded.append_interval(0.0, 1.0);
  EXPECT_FALSE(is_conic(bounded));
  K.append_disk(1.0, 2);
  EXPECT_FALSE(is_conic(K));
}

}  // namespace slipstick::internal::metric_step_test
