// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/apgd.hpp"

#include <gtest/gtest.h>

#include "slipstick/problems/generators.hpp"
#include "solvers/cone_cases.hpp"

namespace slipstick {
namespace {

using cone_cases::contact;
using cone_cases::packing;

Result solve(const Problem& problem, const ApgdSettings& settings = {}, double tolerance = 1e-12) {
  Apgd solver(settings);
  Result result;
  solver.solve(problem, {.tolerance = tolerance}, result);
  return result;
}

TEST(Apgd, OneContactInEveryRegimeIsAProjection) {
  for (const double w : {1e-5, 1.0, 1e6}) {
    for (const Vector& q : {Vector(Eigen::Vector3d(1.0, 0.2, 0.1)), Vector(Eigen::Vector3d(-1.0, 0.2, 0.1)),
                            Vector(Eigen::Vector3d(-1.0, 2.0, -1.0)), Vector(Eigen::Vector2d(-1.0, 3.0))}) {
      const Problem problem = contact(w, q, 0.4);
      const Result result = solve(problem);
      Vector expected = -q / w;
      problem.K.project(expected);
      ASSERT_TRUE(result.solved()) << result.message;
      EXPECT_LT((result.x - expected).norm(), 1e-10 * q.norm() / w);
    }
  }
}

// While sliding, the convex law has u_N = mu ||u_T||.
TEST(Apgd, SlidingContactLiftsOff) {
  const Result result = solve(contact(2.0, Eigen::Vector3d(-1.0, 3.0, 4.0), 0.3));
  EXPECT_NEAR(result.w[0], 0.3 * result.w.tail(2).norm(), 1e-9);
  EXPECT_GT(result.w[0], 0.1);
}

TEST(Apgd, WithoutFrictionAgreesWithABoundSolver) {
  RandomBoxOptions options;
  options.rows = 80;
  options.condition = 1e3;
  options.two_sided = 0.3;
  options.free = 0.1;
  const KnownProblem known = random_box(options);
  const Result result = solve(known.problem, {}, 1e-12);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LT((result.x - known.x).norm(), 1e-7 * known.x.norm());
}

TEST(Apgd, SolvesPackingsWithEveryOption) {
  const Problem problem = packing(60, 0.3);
  Vector reference;
  for (const bool restart : {true, false}) {
    for (const bool rescale : {true, false}) {
      ApgdSettings settings;
      settings.restart = restart;
      settings.rescale = rescale;
      const Result result = solve(problem, settings, restart ? 1e-9 : 1e-5);
      ASSERT_TRUE(result.solved()) << restart << rescale << ": " << result.message;
      if (reference.size() == 0) reference = result.w;
      EXPECT_LT((result.w - reference).norm(), 1e-3 * problem.b.norm());
    }
  }
}

TEST(Apgd, TakesAboutOneProductPerIteration) {
  const Problem problem = packing(40, 0.3);
  const Result result = solve(problem, {}, 1e-8);
  EXPECT_LT(static_cast<double>(result.counts.products),
            1.2 * static_cast<double>(result.counts.iterations) + 5);
}

TEST(Apgd, RefusesWhatItCannotTake) {
  Problem problem = contact(1.0, Vector::Ones(3), 0.5);
  EXPECT_EQ(Apgd().explain_unsupported(problem), "");
  problem.symmetric = false;
  EXPECT_NE(Apgd().explain_unsupported(problem), "");
}

}  // namespace
}  // namespace slipstick
