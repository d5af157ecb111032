// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/curvature.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::curvature_test {

TEST(Curvature, IsFoundAndNotInvented) {
  EXPECT_FALSE(finds_negative_curvature(Operator(DenseMatrix(DenseMatrix::Zero(3, 3)))));
  EXPECT_FALSE(finds_negative_curvature(Operator(DenseMatrix(DenseMatrix::Identity(5, 5)))));
  EXPECT_TRUE(finds_negative_curvature(Operator(mat({{0, 1}, {1, 0}}))));
  EXPECT_TRUE(finds_negative_curvature(Operator(mat({{2, 5}, {5, 2}}))));
  EXPECT_FALSE(finds_negative_curvature(Operator(DenseMatrix(0, 0))));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 10 * static_cast<Index>(seed);
    const DenseMatrix B = random_matrix(n, n / 2, seed), A = B * B.transpose();
    EXPECT_FALSE(finds_negative_curvature(Operator(A))) << seed << ": half of the eigenvalues are zero";
    const Vector d = random_matrix(n, 1, seed + 100).col(0);
    const double size = A.norm();
    EXPECT_TRUE(
        finds_negative_curvature(Operator(DenseMatrix(A - 0.2 * size / d.squaredNorm() * d * d.transpose()))))
        << seed;
  }
}

}  // namespace slipstick::internal::curvature_test
