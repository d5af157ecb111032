// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
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

// Rows that touch nothing else, so that their impulses are known: -q / W between the bounds.
TEST(NcpIpm, LimitsAndMotorsAlone) {
  struct Row {
    double W, q, lower, upper, r;
  };
  const Row rows[] = {{1.0, -3.0, -1.0, 1.0, 1.0},        {1.0, 3.0, -1.0, 1.0, -1.0},
                      {2.0, -1.0, -1.0, 1.0, 0.5},        {1.0, -2.0, 0.0, infinity, 2.0},
                      {1.0, 2.0, 0.0, infinity, 0.0},     {1.0, 2.0, -infinity, -0.5, -2.0},
                      {1.0, -2.0, -infinity, -0.5, -0.5}, {1.0, -2.0, 40.0, infinity, 40.0},
                      {1.0, -2.0, 0.0, 1e9, 2.0},         {1.0, -2.0, 0.25, 0.25, 0.25},
                      {1.0, -2.0, 0.0, 1e-9, 1e-9},       {1e4, -2.0, -infinity, infinity, 2e-4},
                      {0.0, 2.0, -1.0, 1.0, -1.0}};
  const auto count = static_cast<Index>(std::size(rows));
  LocalContactProblem problem{.W = {}, .q = Vector(count), .mu = Vector(0)};
  problem.lower = problem.upper = Vector(count);
  DenseMatrix W = DenseMatrix::Zero(count, count);
  for (Index k = 0; k < count; ++k) {
    W(k, k) = rows[k].W;
    problem.q[k] = rows[k].q;
    problem.lower[k] = rows[k].lower;
    problem.upper[k] = rows[k].upper;
  }
  problem.W = Operator(csr_from_dense(W));
  NcpIpm method;
  const Result result = solve_coulomb(method, problem, 1e-10);
  ASSERT_TRUE(result.solved()) << result.measures.scaled_natural_map;
  for (Index k = 0; k < count; ++k) EXPECT_NEAR(result.r[k], rows[k].r, 1e-8) << k;
}

TEST(NcpIpm, LimitsAndMotorsHold) {
  for (const NcpIpmSettings& settings : {path_alone, arc_alone}) {
    for (const int dimension : {2, 3}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        LocalContactProblem problem = limits_and_motors(dimension, seed);
        problem.lower[5] = problem.upper[5] = 0.1;
        NcpIpm method(settings);
        const Result result = solve_coulomb(method, problem);
        ASSERT_TRUE(result.solved()) << seed << ' ' << result.measures.scaled_natural_map;
        expect_coulomb(problem, result, 1e-6);
      }
    }
  }
}

TEST(NcpIpm, StartsNearWithLimitsAndMotors) {
  LocalContactProblem problem =
      random_contacts({.contacts = 12, .dofs = 60, .friction = 0.4, .bilateral = 4, .bounded = 9});
  const auto solve_from = [&](const WarmStart* start) {
    CoulombSolver solver([] {
      CoulombSolver::Chain chain;
      chain.push_back({[] {
        return std::make_unique<NcpIpm>(NcpIpmSettings{.newton_steps = 0, .arc_factorizations = 0});
      }});
      return chain;
    });
    Result result;
    solver.solve(problem, {.tolerance = 1e-8}, result, start);
    EXPECT_TRUE(result.solved());
    return result;
  };
  const Result cold = solve_from(nullptr);
  problem.q *= 1.001;
  const WarmStart start{cold.r};
  EXPECT_LT(solve_from(&start).counts.factorizations, cold.counts.factorizations);
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
  expect_no_allocation(method, random_contacts({.contacts = 15, .dofs = 60, .bilateral = 5, .bounded = 5}));
}

}  // namespace slipstick::internal::ncp_ipm_test
