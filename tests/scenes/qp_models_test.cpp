// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_models.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_models_test {

double violation(const Problem& problem, const Vector& x) {
  const Vector activity = *problem.rows->G * x;
  return std::max({(problem.rows->lower - activity).maxCoeff(), (activity - problem.rows->upper).maxCoeff(),
                   (problem.K.lower() - x).maxCoeff(), (x - problem.K.upper()).maxCoeff()});
}

// Without forces the masses swing and come to rest. Each step is a linear system.
TEST(QpModels, MassesWithoutForcesMeetTheBounds) {
  constexpr Index steps = 60, states = 12;
  const Problem problem = mass_chain(steps, 3);
  const DenseMatrix rows(*problem.rows->G);
  Vector x = Vector::Zero(problem.b.size());
  x.head(states) = problem.K.lower().head(states);
  for (Index t = 0; t < steps; ++t) {
    const auto step = rows.middleRows(states * t, states);
    const Vector now = -step.middleCols(states * t, states) * x.segment(states * t, states);
    x.segment(states * (t + 1), states) = step.middleCols(states * (t + 1), states).partialPivLu().solve(now);
  }
  EXPECT_LE(violation(problem, x), 1e-12);
  EXPECT_LT(x.segment(states * steps, states).norm(), 0.1 * x.head(states).norm());
}

TEST(QpModels, PortfolioTakesEqualShares) {
  const Problem problem = portfolio(150, 2);
  Vector x = Vector::Zero(152);
  x.head(150).setConstant(1.0 / 150.0);
  x.tail(2) = DenseMatrix(*problem.rows->G).bottomLeftCorner(2, 150) * x.head(150);
  EXPECT_LE(violation(problem, x), 1e-14);
}

// The point x = 0 with residuals that follow from the rows.
TEST(QpModels, FitsHaveTheZeroFit) {
  constexpr Index features = 4, points = 40;
  const Problem fit = lasso(features, 5);
  Vector x = Vector::Zero(fit.b.size());
  x.segment(features, points) = -fit.rows->lower.head(points);
  EXPECT_LE(violation(fit, x), 1e-14);

  const Problem huber = huber_fit(features, 5);
  x = Vector::Zero(huber.b.size());
  x.segment(features, points) = -huber.rows->lower;
  EXPECT_LE(violation(huber, x), 1e-14);

  const Problem svm = support_vectors(features, 5);
  x = Vector::Zero(svm.b.size());
  x.tail(points).setOnes();
  EXPECT_LE(violation(svm, x), 1e-14);
}

}  // namespace slipstick::internal::qp_models_test
