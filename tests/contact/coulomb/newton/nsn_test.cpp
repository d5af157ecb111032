// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/nsn.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <memory>

#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::nsn_test {

std::vector<std::unique_ptr<CoulombMethod>> methods(int factorizations) {
  std::vector<std::unique_ptr<CoulombMethod>> list;
  for (const auto equations : {CoulombEquations::alart_curnier, CoulombEquations::jean_moreau}) {
    list.push_back(
        std::make_unique<Nsn>(NsnSettings{.equations = equations, .max_factorizations = factorizations}));
    list.push_back(
        std::make_unique<Prox>(ProxSettings{.equations = equations, .max_factorizations = factorizations}));
  }
  return list;
}

TEST(Nsn, HoldsAndReleasesABlockOnASlope) {
  for (const auto& method : methods(20)) {
    expect_slope(*method, 1e-7);
    const Result flies = solve_coulomb(*method, block_on_slope(3, 0.3, 0.5, 20.0));
    ASSERT_TRUE(flies.solved());
    EXPECT_EQ(flies.r.norm(), 0.0);
  }
}

TEST(Nsn, SolvesOneContactByNewtonStepsAlone) {
  // Sliding in space: the direction is not known beforehand.
  const DenseMatrix W = mat({{2.0, 0.3, -0.2}, {0.3, 1.5, 0.4}, {-0.2, 0.4, 1.0}});
  const LocalContactProblem problem = one_contact(W, vec({-1.0, 2.0, -0.5}), 0.3);
  Nsn method({.max_factorizations = 20, .sweeps = 0, .escape_sweeps = 0});
  const Result result = solve_coulomb(method, problem, 1e-12);
  ASSERT_TRUE(result.solved());
  expect_coulomb(problem, result, 1e-10);
  EXPECT_NEAR(result.r.tail(2).norm(), 0.3 * result.r[0], 1e-12);
}

TEST(Nsn, SolvesRandomContacts) {
  for (const auto& method : methods(100)) expect_random_contacts(*method);
}

TEST(Nsn, SolvesRedundantContacts) {
  // Three times more rows than degrees of freedom.
  for (const auto& method : methods(100)) {
    const LocalContactProblem problem = random_contacts({.contacts = 12, .dofs = 12, .friction = 0.4});
    const Result result = solve_coulomb(*method, problem);
    ASSERT_TRUE(result.solved()) << method->name() << ' ' << result.measures.scaled_natural_map;
    expect_coulomb(problem, result, 1e-6);
  }
}

TEST(Nsn, LeavesContactsWithoutAMatrixAlone) {
  DenseMatrix W = DenseMatrix::Zero(6, 6);
  W.topLeftCorner(3, 3).setIdentity();
  const LocalContactProblem problem{
      .dimension = 3, .W = Operator(W), .q = vec({-1.0, 0.1, 0.0, 1.0, 0.0, 0.0}), .mu = vec({0.5, 0.5})};
  for (const auto& method : methods(20)) {
    const Result result = solve_coulomb(*method, problem);
    ASSERT_TRUE(result.solved());
    EXPECT_LE((result.r - vec({1.0, -0.1, 0.0, 0.0, 0.0, 0.0})).norm(), 1e-7);
  }
}

TEST(Nsn, SolvesRealProblemsFromAFewSweeps) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int seen = 0;
  for (const char* folder : {"fc2d", "fc3d"}) {
    for (const auto& [name, problem] : real_contacts(folder, 400)) {
      Nsgs sweeps;
      Prox method({.max_factorizations = 100});
      ContactBlocks blocks;
      Result result;
      solve_coulomb(sweeps, blocks, problem, {.max_iterations = 30}, result);
      const Vector start = result.r;
      solve_coulomb(method, blocks, problem, {}, result, &start);
      EXPECT_TRUE(result.solved()) << name << ' ' << result.measures.scaled_natural_map << ' '
                                   << result.measures.desaxce;
      ++seen;
    }
  }
  EXPECT_GE(seen, 20);
}

TEST(Nsn, LeavesTheBestAnswerWhereItIsStopped) {
  const LocalContactProblem problem = sphere_contacts(60, 0.5);
  ContactBlocks blocks;
  blocks.prepare(problem);
  for (const auto& method : methods(5)) {
    double before = std::numeric_limits<double>::infinity();
    Vector r = Vector::Zero(problem.q.size());
    const Island island = blocks.islands()[0];
    for (int pass = 0; pass < 3; ++pass) {
      Counts counts;
      Monitor monitor({.tolerance = 1.0}, 1000, nullptr);
      const CoulombMethod::Context run{blocks,  island, {.scaled = 1e-13, .published = 1e-13},
                                       monitor, counts, r};
      method->run(run);
      EXPECT_EQ(monitor.status(), Status::iteration_limit);
      EXPECT_LE(counts.factorizations, 5);
      Vector u(r.size());
      blocks.velocities(island, r, u);
      const double error = relative_error(run, r, u);
      EXPECT_LE(error, before);
      before = error;
    }
  }
}

TEST(Prox, StartsAfreshAndGivesUp) {
  const LocalContactProblem problem = sphere_contacts(40, 0.5);
  ContactBlocks blocks;
  blocks.prepare(problem);
  std::int64_t alone = 0;
  for (const int restarts : {0, 2}) {
    Prox method({.stall_limit = 4, .restarts = restarts});
    Vector r = Vector::Zero(problem.q.size());
    Counts counts;
    Monitor monitor({.tolerance = 1.0}, 100000, nullptr);
    method.run({blocks, blocks.islands()[0], {.scaled = 1e-30, .published = 1e-30}, monitor, counts, r});
    EXPECT_EQ(monitor.status(), Status::stalled);
    EXPECT_TRUE(r.allFinite());
    if (restarts == 0) {
      alone = counts.factorizations;
    } else {
      EXPECT_GT(counts.factorizations, alone);
    }
  }
}

TEST(Nsn, AllocatesNothingTheSecondTime) {
  for (const auto& method : methods(8)) expect_no_allocation(*method, sphere_contacts(40, 0.5));
}

}  // namespace slipstick::internal::nsn_test
