// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/packed_problem.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dense.hpp"

namespace slipstick::packed_problem_test {

TEST(PackedProblem, KnowsWhatItHolds) {
  const Operator A = mat({{2, 1}, {1, 2}}), same_entries = mat({{2, 1}, {1, 2}});
  const Vector lower = vec({0, -infinity}), upper = vec({infinity, infinity}), other = vec({1, infinity});
  PackedProblem problem;
  EXPECT_FALSE(problem.holds(A));
  problem.load(A, lower.data(), upper.data());
  EXPECT_TRUE(problem.holds(A, lower.data(), upper.data()));
  EXPECT_FALSE(problem.holds(A, lower.data(), other.data()));
  EXPECT_FALSE(problem.holds(A, other.data(), upper.data()));
  EXPECT_FALSE(problem.holds(same_entries, lower.data(), upper.data()));
  EXPECT_FALSE(problem.holds(A)) << "the second row is free";
  problem.load(A, nullptr, nullptr);
  EXPECT_TRUE(problem.holds(A));
  EXPECT_FALSE(problem.holds(same_entries));
}

TEST(PackedProblem, KindsOfBounds) {
  const Operator A = DenseMatrix(DenseMatrix::Identity(3, 3));
  PackedProblem problem;
  const auto load = [&](const Vector& lower, const Vector& upper) {
    problem.load(A, lower.data(), upper.data());
  };
  load(vec({0, 0, 0}), vec({infinity, infinity, infinity}));
  EXPECT_TRUE(problem.is_orthant() && problem.is_mixed_orthant());
  load(vec({0, -infinity, 0}), vec({infinity, infinity, infinity}));
  EXPECT_TRUE(!problem.is_orthant() && problem.is_mixed_orthant());
  load(vec({0, 0, 0}), vec({infinity, 1, infinity}));
  EXPECT_TRUE(!problem.is_orthant() && !problem.is_mixed_orthant());
  load(vec({0, 0, 1}), vec({infinity, infinity, infinity}));
  EXPECT_TRUE(!problem.is_orthant() && !problem.is_mixed_orthant());
  load(vec({0, 0, -infinity}), vec({infinity, infinity, 0}));
  EXPECT_TRUE(!problem.is_orthant() && !problem.is_mixed_orthant());
  problem.load(A, nullptr, nullptr);
  EXPECT_TRUE(problem.is_orthant() && problem.is_mixed_orthant());
}

// A smaller one after a larger one.
TEST(PackedProblem, PaddedRowsAreNonnegative) {
  PackedProblem problem;
  for (const Index n : {7, 5, 1}) {
    const Vector lower = Vector::Constant(n, -3.0), upper = Vector::Constant(n, 4.0);
    problem.load(Operator(DenseMatrix(DenseMatrix::Identity(n, n))), lower.data(), upper.data());
    ASSERT_EQ(problem.rows(), n);
    ASSERT_EQ(problem.stride(), whole_packs(n));
    for (Index i = 0; i < problem.stride(); ++i) {
      EXPECT_EQ(problem.lower()[i], i < n ? -3.0 : 0.0);
      EXPECT_EQ(problem.upper()[i], i < n ? 4.0 : infinity);
    }
  }
}

}  // namespace slipstick::packed_problem_test
