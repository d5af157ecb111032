// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The contact problems of other projects under the convex law.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "slipstick/files.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::real_cone_test {

constexpr Index most_rows = 2000;

void expect_all_solved(const char* solver, double tolerance, int iterations) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  SolveRequest request{.solver = solver, .friction = FrictionLaw::convex};
  request.settings.tolerance = tolerance;
  int count = 0;
  for (const char* folder : {"fc2d", "fc3d", "gfc2d", "gfc3d"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
      const ProblemFile file = read_problem(entry.path());
      if (unknowns(file.problem) > most_rows) continue;
      const DriverResult result = solve(file.problem, request);
      EXPECT_TRUE(result.solved()) << entry.path() << ": " << result.message;
      EXPECT_LE(result.counts.iterations, iterations) << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, 30);
}

TEST(RealCones, InteriorPointSolvesAllInThirtyIterations) {
  expect_all_solved("ipm", 1e-10, 30);
}

TEST(RealCones, FirstOrderMethodsSolveAll) {
  for (const char* solver : {"apgd", "p-spg-fb", "kucera", "gpminres"})
    expect_all_solved(solver, 1e-6, 1000000);
}

TEST(RealCones, PrimalDualInteriorPointSolvesAllInFortyIterations) {
  expect_all_solved("pdip", 1e-8, 40);
  expect_all_solved("p-pdip", 1e-8, 40);
}

}  // namespace slipstick::internal::real_cone_test
