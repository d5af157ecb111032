// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A kept driver in a time loop, as a simulator uses it: every step has another matrix, contacts come and go,
// and impulses of contacts that stay are the warm start. The answers are those of a new driver, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "slipstick/catalog/driver.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/matched_start.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::time_loop_test {

// A wall of bricks. Masses and loads change in every step, and some contacts are missing in the first steps.
class Wall {
 public:
  static constexpr int settled_step = 60;  // from here on every contact is there

  Wall() : scene_(brick_tower({.pattern = BrickPattern::wall, .courses = 4, .bricks = 3, .seed = 5})) {}

  LocalContactProblem step(int number) {
    GlobalContactProblem now = scene_;
    const double phase = 0.3 * number;
    for (Index k = 0; k < now.M.nonZeros(); ++k) now.M.valuePtr()[k] *= 1.0 + 0.1 * std::sin(phase);
    for (Index k = 0; k < now.f.size(); ++k) now.f[k] *= 1.0 + 0.2 * std::sin(phase + static_cast<double>(k));
    const LocalContactProblem all = CondensedProblem(now).local();
    keys.clear();
    std::vector<int> rows;
    for (Index contact = 0; contact < all.contacts(); ++contact) {
      if (number < settled_step && (contact + number / 7) % 5 == 0) continue;
      keys.push_back(static_cast<std::uint64_t>(contact) + 1);
      for (int k = 0; k < 3; ++k) rows.push_back(static_cast<int>(3 * contact) + k);
    }
    LocalContactProblem problem{.dimension = 3, .W = all.W.principal_submatrix(rows), .q = {}, .mu = {}};
    problem.q = all.q(rows);
    problem.mu = Vector::Constant(static_cast<Index>(keys.size()), 0.5);
    return problem;
  }

  std::vector<std::uint64_t> keys;  // of the contacts of the last step

 private:
  GlobalContactProblem scene_;
};

class TimeLoop : public testing::TestWithParam<const char*> {};

TEST_P(TimeLoop, GivesTheBitsOfANewDriver) {
  const int steps = sanitized ? 70 : 100;
  const SolveRequest request{.settings = {.tolerance = 1e-6}, .solver = GetParam()};
  Driver kept(request);
  DriverResult result;
  Wall wall;
  MatchedStart matched;
  WarmStart start;
  std::vector<std::uint64_t> previous_keys;
  Vector previous_r;
  int solved = 0;
  for (int step = 0; step < steps; ++step) {
    const AnyProblem problem = wall.step(step);
    matched.fill(3, previous_keys, previous_r, wall.keys, start);
    kept.solve(problem, result, &start);
    const DriverResult fresh = solve(problem, request, &start);
    EXPECT_EQ(result.r, fresh.r) << "step " << step;
    EXPECT_EQ(result.status, fresh.status) << "step " << step;
    EXPECT_EQ(result.counts.iterations, fresh.counts.iterations) << "step " << step;
    solved += result.solved() ? 1 : 0;
    previous_keys = wall.keys;
    previous_r = result.r;
  }
  EXPECT_EQ(solved, steps);
}

INSTANTIATE_TEST_SUITE_P(Methods, TimeLoop, testing::Values("auto", "nsgs", "nsn", "admm"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace slipstick::time_loop_test
