// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/free_preconditioner.hpp"

#include <gtest/gtest.h>

#include "support/dense.hpp"

namespace slipstick {
namespace {

const std::vector<char> all = {1, 1, 1}, ends = {1, 0, 1};

TEST(FreePreconditioner, IsExactWhereThereIsNoFill) {
  const Operator A(mat({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}));
  for (const FreePreconditioning p : {FreePreconditioning::ic0, FreePreconditioning::mic0}) {
    FreePreconditioner preconditioner;
    preconditioner.prepare(A, {.preconditioner = p, .refactor = 0.0});
    preconditioner.set_free(all);
    Vector z(3);
    preconditioner.apply(vec({6, 10, 8}), z);
    EXPECT_NEAR((z - vec({1, 2, 3})).norm(), 0.0, 1e-14);
    preconditioner.set_free(ends);
    preconditioner.apply(vec({4, 7, 2}), z);
    EXPECT_NEAR((z - vec({1, 0, 1})).norm(), 0.0, 1e-14);
    EXPECT_EQ(preconditioner.factorizations(), 2);
  }
}

TEST(FreePreconditioner, MasksRowsThatHaveLeft) {
  const Operator A(mat({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}));
  FreePreconditioner preconditioner;
  preconditioner.prepare(A, {.preconditioner = FreePreconditioning::ic0, .refactor = 1.0});
  preconditioner.set_free(all);
  preconditioner.set_free(ends);
  EXPECT_EQ(preconditioner.factorizations(), 1);
  Vector z(3);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z[1], 0.0);
  EXPECT_GT(z[0], 0.0);
  EXPECT_GT(z[2], 0.0);
}

TEST(FreePreconditioner, Jacobi) {
  const Operator A(mat({{4, 1, 0}, {1, 0, 1}, {0, 1, 2}}));
  FreePreconditioner preconditioner;
  preconditioner.prepare(A, {.preconditioner = FreePreconditioning::jacobi});
  preconditioner.set_free(all);
  Vector z(3);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z, vec({1, 7, 1}));
  preconditioner.set_free(ends);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z, vec({1, 0, 1}));
  EXPECT_EQ(preconditioner.factorizations(), 0);
}

}  // namespace
}  // namespace slipstick
