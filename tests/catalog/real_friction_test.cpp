// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The contact problems of other projects under the laws that are not convex.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "slipstick/files.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::real_friction_test {

const Index most_rows = sanitized ? 500 : 2000;

// Nothing promises that these sequences converge. If they do not, they must say so.
TEST(RealFriction, SolvedOrHonest) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  SolveRequest request;
  request.settings.max_iterations = 600;
  using enum FrictionLaw;
  for (const FrictionLaw law : {coulomb, diamond, box, box_once}) {
    request.friction = law;
    int count = 0, solved = 0;
    for (const char* folder : {"fc2d", "fc3d", "gfc2d", "gfc3d"}) {
      for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
        const ProblemFile file = read_problem(entry.path());
        if (unknowns(file.problem) > most_rows) continue;
        const DriverResult result = solve(file.problem, request);
        ++count;
        solved += result.solved();
        EXPECT_EQ(result.solved(), result.measures.scaled_natural_map <= 1e-8) << entry.path();
        EXPECT_TRUE(result.solved() || result.status == Status::stalled ||
                    result.status == Status::iteration_limit)
            << entry.path() << ": " << result.message;
      }
    }
    EXPECT_GE(count, sanitized ? 25 : 30);
    EXPECT_GE(solved, count - 4) << name(law);
  }
}

// Staggered projections need not converge, but do so on most of the files.
TEST(RealFriction, StaggeredProjectionsSolveMost) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  struct Claim {
    const char* solver;
    FrictionLaw law;
    int solved;  // at least, of the files that it takes
  };
  for (const Claim& claim :
       {Claim{"staggered", FrictionLaw::coulomb, 28}, Claim{"schurpa-sp", FrictionLaw::diamond, 28}}) {
    SolveRequest request{.solver = claim.solver, .friction = claim.law};
    request.settings = {.tolerance = 1e-4, .max_iterations = 1000, .time_limit = 2.0};
    int solved = 0;
    for (const char* folder : {"fc2d", "fc3d", "gfc2d", "gfc3d"}) {
      for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
        const ProblemFile file = read_problem(entry.path());
        if (unknowns(file.problem) > most_rows) continue;
        const DriverResult result = solve(file.problem, request);
        solved += result.solved();
        EXPECT_EQ(result.solved(), contact_error(result.measures, claim.law) <= 1e-4) << entry.path();
      }
    }
    EXPECT_GE(solved, sanitized ? 0 : claim.solved) << claim.solver;
  }
}

// Coulomb's law on all of them, by both rulers.
TEST(RealFriction, AutoSolvesCoulombsLaw) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int count = 0;
  for (const char* folder : {"fc2d", "fc3d", "gfc2d", "gfc3d"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
      const ProblemFile file = read_problem(entry.path());
      for (const double tolerance : {1e-4, 1e-8}) {
        const DriverResult result = solve(file.problem, {.settings = {.tolerance = tolerance}});
        EXPECT_TRUE(result.solved()) << entry.path() << ": " << result.message;
        EXPECT_LE(result.measures.scaled_natural_map, tolerance) << entry.path();
        EXPECT_LE(result.measures.desaxce, tolerance) << entry.path();
      }
      ++count;
    }
  }
  EXPECT_GE(count, 35);
}

}  // namespace slipstick::internal::real_friction_test
