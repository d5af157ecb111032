// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::ncp_ipm_test {

const NcpIpmSettings path_alone{.arc_factorizations = 0};
const NcpIpmSettings arc_alone{.max_factorizations = 0, .arc_factorizations = 400};

TEST(NcpIpm, HoldsAndReleasesABlockOnASlope) {
  for (const NcpIpmSettings& settings : {path_alone, arc_alone}) {
    NcpIpm method(settings);
    expect_slope(method, 1e-6);
  }
}

TEST(NcpIpm, LetsABlockFly) {
  NcpIpm method;
  const Result result = solve_coulomb(method, block_on_slope(3, 0.3, 0.5, 20.0));
  ASSERT_TRUE(result.solved());
  EXPECT_LE(result.r.norm(), 1e-6);
}

TEST(NcpIpm, SolvesRandomContacts) {
  for (const NcpIpmSettings& settings : {path_alone, arc_alone}) {
    NcpIpm method(settings);
    expect_random_contacts(method);
  }
}

TEST(NcpIpm, DoesNotMindUnits) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 40, .friction = 0.4});
  NcpIpm method(path_alone);
  const Result plain = solve_coulomb(method, problem);
  ASSERT_TRUE(plain.solved());
  for (const double mass : {1e-6, 1e6}) {
    const Result other = solve_coulomb(method, rescaled(problem, mass, 1e-3));
    EXPECT_EQ(other.status, Status::solved);
    EXPECT_EQ(other.counts.factorizations, plain.counts.factorizations);
  }
}

TEST(NcpIpm, SolvesPackings) {
  const LocalContactProblem problem = sphere_contacts(60, 0.3);
  NcpIpm method(path_alone);
  const Result result = solve_coulomb(method, problem);
  ASSERT_TRUE(result.solved()) << result.measures.desaxce;
  expect_coulomb(problem, result, 1e-6);
}

// The path alone stalls at a fold; damped steps pass it.
TEST(NcpIpm, JumpsOverTheFoldsOfPackings) {
  for (const std::uint64_t seed : {5, 8}) {
    const LocalContactProblem problem =
        CondensedProblem(sphere_packing({.spheres = 60, .friction = 0.3, .seed = seed})).local();
    NcpIpm stalling(NcpIpmSettings{.jump_factorizations = 0, .arc_factorizations = 0});
    EXPECT_FALSE(solve_coulomb(stalling, problem).solved());
    NcpIpm method(NcpIpmSettings{.arc_factorizations = 0});
    const Result result = solve_coulomb(method, problem);
    ASSERT_TRUE(result.solved()) << seed << ' ' << result.measures.desaxce;
    expect_coulomb(problem, result, 1e-6);
    // Not for errors that Newton's method mends.
    NcpIpm patient(NcpIpmSettings{.jump_error = 1e30, .arc_factorizations = 0});
    EXPECT_FALSE(solve_coulomb(patient, problem).solved());
  }
}

TEST(NcpIpm, FollowsThePathThroughTheFoldsOfAPacking) {
  const LocalContactProblem problem = sphere_contacts(200, 0.3);
  NcpIpm method(NcpIpmSettings{.max_factorizations = 0});
  const Result result = solve_coulomb(method, problem);
  ASSERT_TRUE(result.solved()) << result.measures.desaxce;
  expect_coulomb(problem, result, 1e-6);
}

TEST(NcpIpm, SolvesRealProblemsFromAColdStart) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int seen = 0;
  for (const char* folder : {"fc2d", "fc3d"}) {
    for (const auto& [name, problem] : real_contacts(folder, 300)) {
      NcpIpm method(path_alone);
      const Result result = solve_coulomb(method, problem);
      EXPECT_TRUE(result.solved()) << name << ' ' << result.measures.scaled_natural_map << ' '
                                   << result.measures.desaxce;
      ++seen;
    }
  }
  EXPECT_GE(seen, 20);
}

TEST(NcpIpm, KeepsABetterStartAndSaysThatItWasStopped) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 40});
  NcpIpm method(path_alone);
  const Result solved = solve_coulomb(method, problem);
  ASSERT_TRUE(solved.solved());
  Vector start = solved.r;
  start[0] += 1e-6;
  ContactBlocks blocks;
  Result result;
  solve_coulomb(method, blocks, problem, {.tolerance = 1e-13, .max_iterations = 1}, result, &start);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.r, start);
}

TEST(NcpIpm, AllocatesNothingTheSecondTime) {
  NcpIpm method(NcpIpmSettings{.max_factorizations = 3, .arc_factorizations = 20});
  expect_no_allocation(method, random_contacts({.contacts = 15, .dofs = 60, .bilateral = 5}));
}

}  // namespace slipstick::internal::ncp_ipm_test
