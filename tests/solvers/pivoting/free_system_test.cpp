// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/free_system.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::free_system_test {

std::vector<std::unique_ptr<FreeSystem>> systems() {
  std::vector<std::unique_ptr<FreeSystem>> list;
  list.push_back(std::make_unique<CholeskyFreeSystem>(FactorChange::cheapest));
  list.push_back(std::make_unique<PcgFreeSystem>(FreePreconditionerSettings{}));
  return list;
}

TEST(FreeSystem, SolvesForTheFreeRowsWithTheirShift) {
  const Operator A(mat({{4, 1, 1}, {1, 3, 1}, {1, 1, 5}}));
  for (const auto& system : systems()) {
    system->prepare(A, 1);
    ASSERT_TRUE(system->set_free(std::vector<char>{1, 0, 1}));
    Vector p(3);
    ASSERT_TRUE(system->correct(vec({6, 0, 11}), 1e-12, p));
    EXPECT_NEAR((p - vec({1, 0, 2})).norm(), 0.0, 1e-11);
    system->add_shift(0, 1.0);
    ASSERT_TRUE(system->correct(vec({7, 0, 11}), 1e-12, p));
    EXPECT_NEAR((p - vec({1, 0, 2})).norm(), 0.0, 1e-11);
    system->set_shift(vec({0, 0, 1}));
    ASSERT_TRUE(system->set_free(std::vector<char>{0, 0, 1}));
    ASSERT_TRUE(system->correct(vec({0, 0, 12}), 1e-12, p));
    EXPECT_NEAR((p - vec({0, 0, 2})).norm(), 0.0, 1e-11);
    Counts counts;
    system->count(counts);
    EXPECT_GE(counts.factorizations, 1);
  }
}

TEST(FreeSystem, SingularBlocks) {
  const Operator A(mat({{1, 1}, {1, 1}}));
  const std::vector<char> both = {1, 1};
  CholeskyFreeSystem direct(FactorChange::cheapest);
  direct.prepare(A, 1);
  EXPECT_FALSE(direct.set_free(both));
  // Conjugate gradients find out when they have to solve what has no solution.
  PcgFreeSystem iterative{FreePreconditionerSettings{}};
  iterative.prepare(A, 1);
  EXPECT_TRUE(iterative.set_free(both));
  Vector p(2);
  EXPECT_TRUE(iterative.correct(vec({2, 2}), 1e-12, p));
  EXPECT_NEAR(p[0] + p[1], 2.0, 1e-11);
  EXPECT_FALSE(iterative.correct(vec({1, -1}), 1e-12, p));
}

}  // namespace slipstick::internal::free_system_test
