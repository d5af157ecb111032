// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/mode_newton.hpp"

#include <gtest/gtest.h>

#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::mode_newton_test {

// Steps from a start on every island. Returns r.
Vector after_steps(const LocalContactProblem& problem, const Vector& start, int steps, bool boxes = false) {
  ContactBlocks blocks;
  blocks.set_boxes(boxes);
  blocks.prepare(problem);
  Vector r;
  blocks.gather(start, r);
  Monitor monitor({.tolerance = 1.0}, 1000, nullptr);
  Counts counts;
  for (const Island& island : blocks.islands()) {
    const CoulombMethod::Context context{blocks, island, {1e-12 * blocks.norm(), 1e300}, monitor, counts, r};
    const auto system = std::make_shared<ContactSystem>();
    system->prepare(blocks, island);
    ScaledIsland scaled;
    scaled.prepare(blocks, island, ScaledIsland::Unit::normal);
    ModeNewton newton(system);
    newton.start(context, scaled, r);
    for (int k = 0; k < steps; ++k) newton.step(context, scaled, 1e-8);
    copy_island(context, newton.r(), r);
  }
  Vector answer;
  blocks.scatter(r, answer);
  return answer;
}

TEST(ModeNewton, FindsTheImpulseOfEveryMode) {
  const DenseMatrix W = DenseMatrix::Identity(3, 3);
  // It sticks, slides along (3, 4), or is open.
  EXPECT_LE((after_steps(one_contact(W, vec({-2, 0.5, 0.5}), 0.5), vec({1.9, -0.4, -0.5}), 3) -
             vec({2, -0.5, -0.5}))
                .norm(),
            1e-12);
  EXPECT_LE(
      (after_steps(one_contact(W, vec({-2, 3, 4}), 0.5), vec({1.9, -0.5, -0.8}), 6) - vec({2, -0.6, -0.8}))
          .norm(),
      1e-12);
  EXPECT_TRUE(after_steps(one_contact(W, vec({1, 3, 4}), 0.5), vec({0.1, 0, 0}), 1).isZero(0.0));
  EXPECT_LE((after_steps(one_contact(W, vec({-2, 1, 1}), 0.0), vec({1.9, 0, 0}), 3) - vec({2, 0, 0})).norm(),
            1e-12);
}

// Each tangent sticks or slides by itself.
TEST(ModeNewton, FindsTheImpulseOfEveryModeOfABox) {
  const DenseMatrix W = mat({{1, 0.1, 0}, {0.1, 1, 0}, {0, 0, 1}});
  const auto found = [&](const Vector& q, double mu, const Vector& start) {
    return after_steps(one_contact(W, q, mu), start, 4, true);
  };
  // All stick: W r + q = 0. The second slides, then both, then it is open, then without friction.
  EXPECT_LE((found(vec({-1.95, 0.3, 0.5}), 0.5, vec({1.9, -0.4, -0.5})) - vec({2, -0.5, -0.5})).norm(),
            1e-12);
  EXPECT_LE((found(vec({-1.95, 0.3, 4}), 0.5, vec({1.9, -0.5, -0.8})) - vec({2, -0.5, -1})).norm(), 1e-12);
  const Vector both = found(vec({-2, 3, 4}), 0.5, vec({1.9, -0.9, -0.9}));
  EXPECT_LE((both - 2.0 / 0.95 * vec({1, -0.5, -0.5})).norm(), 1e-12);
  EXPECT_TRUE(found(vec({1, 3, 4}), 0.5, vec({0.1, 0, 0})).isZero(0.0));
  EXPECT_LE((found(vec({-2, 1, 1}), 0.0, vec({1.9, 0, 0})) - vec({2, 0, 0})).norm(), 1e-12);
}

// Near the solution a few steps give all digits, with joints, limits and motors.
TEST(ModeNewton, GivesTheLastDigits) {
  Nsgs nsgs;
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const LocalContactProblem problem = limits_and_motors(dimension, seed);
      Solution near;
      near.r = after_steps(problem, solve_coulomb(nsgs, problem, 1e-5).r, 5);
      expect_coulomb(problem, near, 1e-11);
    }
  }
}

}  // namespace slipstick::internal::mode_newton_test
