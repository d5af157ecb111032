// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/desaxce.hpp"

#include <gtest/gtest.h>

#include "slipstick/solvers/interior_point/ipm.hpp"
#include "slipstick/solvers/projected/apgd.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::desaxce_test {

std::unique_ptr<Desaxce> desaxce(int memory = 5) {
  return std::make_unique<Desaxce>(std::make_unique<Ipm>(), DesaxceSettings{.memory = memory});
}

Result solved(ContactSolver& solver, const LocalContactProblem& problem, double tolerance = 1e-10) {
  Result result;
  solver.solve(problem, {.tolerance = tolerance}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  return result;
}

TEST(Desaxce, OneContactInEveryRegime) {
  const auto contact = [](const Vector& q) { return one_contact(vec({2, 1, 1}).asDiagonal(), q, 0.5); };
  EXPECT_TRUE(solved(*desaxce(), contact(vec({1, 5, 5}))).r.isZero(1e-9)) << "parts";
  EXPECT_TRUE(solved(*desaxce(), contact(vec({-4, 0.6, -0.8}))).r.isApprox(vec({2, -0.6, 0.8}), 1e-8))
      << "sticks";
  EXPECT_TRUE(solved(*desaxce(), contact(vec({-4, 6, -8}))).r.isApprox(vec({2, -0.6, 0.8}), 1e-8))
      << "slides";
}

TEST(Desaxce, BlockOnASlope) {
  for (const int dimension : {2, 3}) {
    for (const double mu : {0.2, 0.9}) solved(*desaxce(), block_on_slope(dimension, 0.5, mu));
  }
}

TEST(Desaxce, RandomContactsObeyTheLaw) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const LocalContactProblem problem =
          random_contacts({.dimension = dimension, .friction = 0.3, .seed = seed});
      expect_coulomb(problem, solved(*desaxce(), problem, 1e-8), 1e-6);
    }
  }
}

TEST(Desaxce, AsymmetryAndBilateralRows) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    solved(*desaxce(), random_contacts({.friction = 0.3, .asymmetry = 1e-3, .seed = seed}), 1e-8);
    solved(*desaxce(), random_contacts({.friction = 0.3, .bilateral = 2, .seed = seed}), 1e-8);
  }
}

TEST(Desaxce, TakesAnyConeSolver) {
  const LocalContactProblem problem = sphere_contacts(12, 0.3);
  Desaxce by_gradients(std::make_unique<Apgd>());
  const Result a = solved(by_gradients, problem, 1e-8);
  const Result b = solved(*desaxce(), problem, 1e-8);
  EXPECT_LE((a.u - b.u).norm(), 1e-6 * problem.q.norm());
}

TEST(Desaxce, AccelerationSavesIterations) {
  std::int64_t plain = 0, accelerated = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const LocalContactProblem problem = random_contacts({.contacts = 20, .friction = 0.5, .seed = seed});
    plain += solved(*desaxce(0), problem, 1e-8).counts.iterations;
    accelerated += solved(*desaxce(5), problem, 1e-8).counts.iterations;
  }
  EXPECT_LT(accelerated, plain);
}

}  // namespace slipstick::internal::desaxce_test
