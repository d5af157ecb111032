// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The driver as an object that is kept from solve to solve.
#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::kept_driver_test {

Operator sparse(std::initializer_list<std::initializer_list<double>> rows) {
  return {csr_from_dense(mat(rows))};
}

// A kept driver: the same answers, and nothing is allocated for a problem of the same kind.
TEST(KeptDriver, AllocatesNothingTheSecondTime) {
  LocalContactProblem contact{
      .W = sparse({{1, 0.1, 0}, {0.1, 1, 0}, {0, 0, 1}}), .q = vec({-1, 2, 0.1}), .mu = vec({0.3})};
  const LcpProblem lcp{sparse({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}), vec({-2, 2, -1})};
  const MixedLcp mixed{sparse({{2, 1, -1}, {1, 1, 0}, {1, 0, 1}}), vec({-3, -1, -1}), vec({-infinity, 0, -1}),
                       vec({infinity, infinity, 1})};
  for (const AnyProblem& problem : {AnyProblem(contact), AnyProblem(lcp), AnyProblem(mixed)}) {
    const SolveRequest request{.friction = FrictionLaw::coulomb};
    Driver driver(request);
    DriverResult result;
    driver.solve(problem, result);
    driver.solve(problem, result);
    const std::size_t before = allocations();
    driver.solve(problem, result);
    EXPECT_EQ(allocations() - before, 0u) << name(classify(problem));
    EXPECT_TRUE(result.solved());
    const DriverResult once = solve(problem, request);
    EXPECT_EQ(result.x, once.x);
    EXPECT_EQ(result.r, once.r);
    EXPECT_EQ(result.solver, once.solver);
    EXPECT_FALSE(once.message.empty());
  }
}

TEST(KeptDriver, TakesProblemsOfAllKindsInTurns) {
  const LcpProblem small{sparse({{2, 1}, {1, 2}}), vec({-2, 2})};
  const LcpProblem other{sparse({{1, 2}, {-2, 1}}), vec({-1, 1})};
  const MixedLcp mixed{sparse({{2, 1}, {1, 1}}), vec({-3, -1}), vec({-infinity, 0}),
                       vec({infinity, infinity})};
  LocalContactProblem contact{
      .W = sparse({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .q = vec({-1, 2, 0}), .mu = vec({0.3})};
  const AnyProblem problems[] = {small, mixed, contact, other, sphere_packing({.spheres = 20}), small};
  DriverResult result;
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::none}) {
    const SolveRequest request{.friction = law};
    Driver driver(request);
    for (const AnyProblem& problem : problems) {
      driver.solve(problem, result);
      const DriverResult fresh = solve(problem, request);
      EXPECT_TRUE(result.solved()) << result.message;
      EXPECT_EQ(result.status, fresh.status);
      EXPECT_EQ(result.r, fresh.r);
      EXPECT_EQ(result.solver, fresh.solver);
      EXPECT_EQ(result.attempts.size(), fresh.attempts.size());
    }
  }
  Driver driver;
  EXPECT_THROW(driver.solve(LcpProblem{sparse({{1}}), vec({1, 2})}, result), Error);
  driver.solve(small, result);
  EXPECT_TRUE(result.solved()) << "after a complaint";
}

// Before any problem is there, as far as that can be told.
TEST(KeptDriver, RefusesBadRequestsAtOnce) {
  using enum FrictionLaw;
  const auto refuses = [](const SolveRequest& request) {
    EXPECT_THROW(Driver{request}, Error) << request.solver << " " << name(request.friction);
  };
  refuses({.solver = "nobody"});
  refuses({.solver = "nobody", .friction = none});
  refuses({.solver = "mprgp+nobody"});
  refuses({.solver = "nsgs", .friction = convex});
  refuses({.solver = "admm", .friction = box});
  refuses({.options = {{"relaxation", "1"}}});
  refuses({.solver = "pgs", .options = {{"relaxation", "7"}}, .friction = none});
  refuses({.solver = "pgs", .options = {{"relaxation", "7"}}});
  refuses({.solver = "desaxce"});
  refuses({.solver = "box", .friction = box});
  refuses({.solver = "nsgs", .options = {{"nothing", "7"}}});
  refuses({.measure = "objective"});
  refuses({.settings = {.tolerance = -1.0}});

  // A name for both kinds of problems, with options for one of them.
  const LcpProblem lcp{sparse({{2, 1}, {1, 2}}), vec({-2, 2})};
  LocalContactProblem contact{
      .W = sparse({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .q = vec({-1, 2, 0}), .mu = vec({0.3})};
  DriverResult result;
  Driver sweeps({.solver = "gauss-seidel", .options = {{"desaxce-fixed-point.memory", "1"}}});
  sweeps.solve(contact, result);
  EXPECT_TRUE(result.solved());
  EXPECT_THROW(sweeps.solve(lcp, result), Error);
  Driver contacts({.solver = "nsgs"});
  contacts.solve(contact, result);
  EXPECT_TRUE(result.solved());
  EXPECT_THROW(contacts.solve(lcp, result), Error);
}

TEST(KeptDriver, TakesOtherSettings) {
  const AnyProblem problem = random_lcp({.rows = 300}).problem;
  Driver driver({.solver = "pgs"});
  DriverResult result;
  driver.solve(problem, result);
  const auto iterations = result.counts.iterations;
  Settings settings{.tolerance = 1e-2};
  driver.set(settings);
  driver.solve(problem, result);
  EXPECT_LT(result.counts.iterations, iterations);
  settings.max_iterations = 1;
  settings.tolerance = 0.0;
  driver.set(settings);
  driver.solve(problem, result);
  EXPECT_EQ(result.status, Status::iteration_limit);
  settings.max_iterations = -1;
  EXPECT_THROW(driver.set(settings), Error);
}

}  // namespace slipstick::internal::kept_driver_test
