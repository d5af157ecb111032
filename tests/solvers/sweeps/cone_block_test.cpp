// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/cone_block.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/dense.hpp"

namespace slipstick::internal::cone_block_test {

// The largest violation of the optimality conditions, relative to the load: x in the cone, w = B x + c in its
// dual, x'w = 0.
double violation(const DenseMatrix& B, const Vector& c, double mu, const Vector& x) {
  const Vector w = B * x + c;
  const double size = c.norm() + (B * x).norm();
  const double x_outside = x.tail(x.size() - 1).norm() - mu * x[0];
  const double w_outside = mu * w.tail(w.size() - 1).norm() - w[0];
  return std::max({0.0, B.trace() * x_outside / size, w_outside / (std::sqrt(1.0 + mu * mu) * size),
                   x.norm() > 0.0 ? std::abs(x.dot(w)) / (x.norm() * size) : 0.0});
}

Vector solve(DenseMatrix B, const Vector& c, double mu) {
  ConeBlock block;
  block.prepare(B, mu);
  const ConeBlock::Rows x = block.solve({c[0], c[1], c.size() > 2 ? c[2] : 0.0});
  return c.size() > 2 ? vec({x[0], x[1], x[2]}) : vec({x[0], x[1]});
}

TEST(ConeBlock, ProjectsWhereTheBlockIsTheIdentity) {
  const DenseMatrix identity = DenseMatrix::Identity(3, 3);
  EXPECT_LT((solve(identity, vec({1.0, 0.1, 0.2}), 0.5) - vec({0.0, 0.0, 0.0})).norm(), 1e-15);
  EXPECT_LT((solve(identity, vec({-1.0, 0.1, 0.2}), 0.5) - vec({1.0, -0.1, -0.2})).norm(), 1e-12);
  // On the ray through (1, 0.5 (-1, 0)): (1 + 0.5 * 3) / 1.25 = 2.
  EXPECT_LT((solve(identity, vec({-1.0, 3.0, 0.0}), 0.5) - vec({2.0, -1.0, 0.0})).norm(), 1e-12);
  // The free minimum lies in the opposite cone's neighbourhood, the answer on the boundary all the same.
  EXPECT_LT((solve(identity, vec({1.0, 3.0, 0.0}), 0.5) - vec({0.4, -0.2, 0.0})).norm(), 1e-12);
}

TEST(ConeBlock, WithoutFrictionIsADivision) {
  const DenseMatrix B = mat({{4.0, 1.0, 0.5}, {1.0, 3.0, 0.2}, {0.5, 0.2, 2.0}});
  EXPECT_LT((solve(B, vec({-2.0, 5.0, 1.0}), 0.0) - vec({0.5, 0.0, 0.0})).norm(), 1e-12);
  EXPECT_EQ(solve(B, vec({2.0, 5.0, 1.0}), 0.0).norm(), 0.0);
}

TEST(ConeBlock, MeetsTheConditionsForRandomBlocks) {
  Random random(7);
  for (const Index rows : {2, 3}) {
    for (const double mu : {1e-3, 0.1, 0.7, 5.0, 100.0}) {
      for (const double condition : {1.0, 1e2, 1e6}) {
        for (int k = 0; k < 200; ++k) {
          const DenseMatrix B = random_spd(random, rows, condition) * std::pow(10.0, k % 7 - 3);
          const Vector c = random_vector(rows, random);
          // What is minimized has a diagonal raised by a rounding of the trace.
          const DenseMatrix raised = B + 1e-13 * B.trace() * DenseMatrix::Identity(rows, rows);
          const Vector x = solve(B, c, mu);
          ASSERT_LT(violation(raised, c, mu, x), 1e-12 + 1e-16 * condition)
              << rows << " rows, mu " << mu << ", condition " << condition;
        }
      }
    }
  }
}

// Loads with no share along an eigenvector, on the axis, on the boundary of the dual.
TEST(ConeBlock, MeetsTheConditionsInCorners) {
  const DenseMatrix B = mat({{2.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}});
  for (const Vector& c :
       {vec({0.0, 1.0, 0.0}), vec({0.0, 1.0, -1.0}), vec({-1.0, 0.0, 0.0}), vec({1.0, 0.0, 0.0}),
        vec({0.5, 1.0, 0.0}), vec({-1.0, 0.25, 0.0}), vec({1e-9, 1.0, 0.0}), vec({-1e-9, 1.0, 0.0}),
        vec({0.0, 0.0, 0.0}), vec({0.5 - 1e-14, 1.0, 0.0})}) {
    EXPECT_LT(violation(B, c, 0.5, solve(B, c, 0.5)), 1e-12) << c.transpose();
  }
}

TEST(ConeBlock, TakesASingularBlock) {
  const DenseMatrix B = mat({{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 1.0}});
  const Vector c = vec({-1.0, -1.0, 0.3});
  EXPECT_LT(violation(B, c, 0.6, solve(B, c, 0.6)), 1e-9);
  ConeBlock empty;
  DenseMatrix zero = DenseMatrix::Zero(3, 3);
  empty.prepare(zero, 0.5);
  EXPECT_TRUE(empty.empty());
}

}  // namespace slipstick::internal::cone_block_test
