// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/subspace.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "slipstick/error.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/sweeps/pgs.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::subspace_test {

using namespace box_cases;

// Both methods, as in the paper and adaptive.
std::vector<std::unique_ptr<Solver>> solvers() {
  std::vector<std::unique_ptr<Solver>> list;
  for (const bool adaptive : {false, true}) {
    PgsSmSettings sweep;
    sweep.adaptive = adaptive;
    list.push_back(std::make_unique<PgsSm>(sweep));
    PjacobiSmSettings jacobi;
    jacobi.adaptive = adaptive;
    list.push_back(std::make_unique<PjacobiSm>(jacobi));
    jacobi.relaxation = 0.0;
    list.push_back(std::make_unique<PjacobiSm>(jacobi));
  }
  return list;
}

TEST(Subspace, ClosedForms) {
  for (const auto& solver : solvers()) expect_closed_forms(*solver);
}

TEST(Subspace, GoodManners) {
  for (const auto& solver : solvers()) {
    expect_good_manners(*solver, chain(8));
    expect_zero_without_load(*solver);
  }
}

// Counts the iterations that report an active set, which are the reduced ones, and checks what they move.
class ReducedSweeps : public Observer {
 public:
  bool observe(const Iteration& i) override {
    if (i.active >= 0) {
      ++reduced;
      for (Index row = 0; row < i.x.size(); ++row) {
        if (before[row] == 0.0) {
          EXPECT_EQ(i.x[row], 0.0) << "a reduced sweep moved the active row " << row;
        }
      }
    } else {
      ++full;
    }
    before = i.x;
    return true;
  }
  Vector before;
  int reduced = 0;
  int full = 0;
};

TEST(Subspace, AlternatesFiveAndThree) {
  const Problem problem = random_lcp({.rows = 60, .condition = 1e4}).problem;
  PgsSmSettings settings;
  settings.adaptive = false;
  ReducedSweeps paper, adaptive;
  Result result;
  PgsSm(settings).solve(problem, {}, result, nullptr, &paper);
  ASSERT_TRUE(result.solved());
  EXPECT_GT(paper.full, 20);
  EXPECT_NEAR(static_cast<double>(paper.reduced) / paper.full, 3.0 / 5.0, 0.1);

  const auto paper_products = result.counts.products;
  PgsSm().solve(problem, {}, result, nullptr, &adaptive);
  ASSERT_TRUE(result.solved());
  EXPECT_LT(adaptive.full, paper.full / 2);
  EXPECT_LT(result.counts.products, paper_products);
}

TEST(Subspace, CostsLessThanGaussSeidelOnUicPressure) {
  const Problem problem = uic_pressure({.resolution = 24});
  const Settings settings{.tolerance = 1e-7};
  Result plain, paper, adaptive;
  Pgs().solve(problem, settings, plain);
  PgsSmSettings five_three;
  five_three.adaptive = false;
  PgsSm(five_three).solve(problem, settings, paper);
  PgsSm().solve(problem, settings, adaptive);
  ASSERT_TRUE(plain.solved() && paper.solved() && adaptive.solved());
  EXPECT_LT(paper.counts.products, plain.counts.products);
  EXPECT_LT(adaptive.counts.products, paper.counts.products);
}

TEST(Subspace, MatrixFreeFollowsTheAssembledMatrix) {
  for (const auto& solver : solvers()) expect_matrix_free_agrees(*solver, 31, 1e-2);
}

TEST(Subspace, RandomProblemsWithKnownSolutions) {
  for (const auto& solver : solvers()) expect_known_solutions(*solver, 40, 4, 1e4, 1e-6);
}

TEST(Subspace, RefusesBadSettings) {
  PgsSmSettings none;
  none.full_sweeps = 0;
  EXPECT_THROW(read_options<PgsSmSettings>({}, "pgs-sm", none), Error);
  PjacobiSmSettings negative;
  negative.reduced_sweeps = -1;
  EXPECT_THROW(read_options<PjacobiSmSettings>({}, "pjacobi-sm", negative), Error);
  const auto read = read_options<PgsSmSettings>(
      {{"full_sweeps", "2"}, {"reduced_sweeps", "7"}, {"adaptive", "false"}, {"relaxation", "1.2"}},
      "pgs-sm");
  EXPECT_EQ(read.full_sweeps, 2);
  EXPECT_EQ(read.reduced_sweeps, 7);
  EXPECT_FALSE(read.adaptive);
  EXPECT_EQ(read.relaxation, 1.2);
}

}  // namespace slipstick::internal::subspace_test
