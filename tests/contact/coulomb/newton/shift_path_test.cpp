// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::shift_path_test {

// Far from the target a few contacts end the step. New targets for them make it longer. The equations are the
// same, so that a step of the same length leaves the same residual.
template <class Barrier>
void expect_longer_step(const LocalContactProblem& problem) {
  ContactBlocks blocks;
  blocks.set_boxes(std::is_same_v<Barrier, PyramidBarrier>);
  blocks.prepare(problem);
  Vector r;
  blocks.gather(Vector::Zero(problem.q.size()), r);
  Monitor monitor({.tolerance = 1.0}, 1000, nullptr);
  Counts counts;
  const CoulombMethod::Context context{
      blocks, blocks.islands()[0], {1e-12 * blocks.norm(), 1e300}, monitor, counts, r};
  ShiftPath<Barrier> path;
  path.prepare(context, 1e-6);
  path.start(context);
  const typename ShiftPath<Barrier>::Point start = path.point();
  const double tau = 0.1;
  ASSERT_TRUE(path.factorize(context, 0.0));
  typename ShiftPath<Barrier>::Direction plain, recentred;
  ASSERT_TRUE(path.solve(tau, plain));
  const double length = path.max_step(plain);
  ASSERT_LT(length, 0.95);
  ASSERT_TRUE(path.recentre(tau, plain, std::min(1.0, 1.5 * length + 0.1), recentred));
  EXPECT_GT(path.max_step(recentred), 1.05 * length);
  path.step(context, plain, 0.5 * length);
  const double residual = path.residual();
  path.restart(context, start);
  path.step(context, recentred, 0.5 * length);
  EXPECT_NEAR(path.residual(), residual, 1e-3 * residual);
}

TEST(ShiftPath, MakesAStepLongerWithTheSameFactor) {
  const CondensedProblem packing(sphere_packing({.spheres = 30, .friction = 0.2, .seed = 1}));
  expect_longer_step<ConeBarrier>(packing.local());
  expect_longer_step<PyramidBarrier>(packing.local());
  for (const int dimension : {2, 3}) expect_longer_step<ConeBarrier>(limits_and_motors(dimension, 1));
  expect_longer_step<PyramidBarrier>(limits_and_motors(3, 1));
}

}  // namespace slipstick::internal::shift_path_test
