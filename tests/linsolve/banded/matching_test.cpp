// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::matching_test {

CsrMatrix random_sparse(Index n, double density, double decades, std::uint64_t seed) {
  Random random(seed);
  DenseMatrix a = DenseMatrix::Zero(n, n);
  for (double& value : a.reshaped()) {
    if (random.uniform() < density)
      value = random.normal() * std::pow(10.0, random.uniform(-decades, decades));
  }
  return csr_from_dense(a);
}

bool is_permutation(const std::vector<int>& order) {
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int>(i)) return false;
  }
  return true;
}

// log of the product of the diagonal of Q A, and how many of its entries are not zero.
struct Weight {
  Index rank = 0;
  double log = 0.0;
};

Weight weight_of(const DenseMatrix& a, const std::vector<int>& row_of_column) {
  Weight weight;
  for (Index j = 0; j < a.cols(); ++j) {
    const double size = std::abs(a(row_of_column[j], j));
    if (size == 0.0) continue;
    ++weight.rank;
    weight.log += std::log(size);
  }
  return weight;
}

void expect_scaled(const CsrMatrix& a, const DiagonalMatching& matching) {
  const DenseMatrix scaled =
      matching.row_scale().asDiagonal() * DenseMatrix(a) * matching.column_scale().asDiagonal();
  EXPECT_LE(scaled.cwiseAbs().maxCoeff(), 1.0 + 1e-9);
  Index ones = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    ones += std::abs(std::abs(scaled(matching.row_of_column()[j], j)) - 1.0) < 1e-9 ? 1 : 0;
  }
  EXPECT_GE(ones, matching.structural_rank());
}

TEST(DiagonalMatching, ByHand) {
  // The greedy choice 9 on the diagonal leaves 1; the product 6 * 5 of the other diagonal is larger.
  DenseMatrix a(2, 2);
  a << 9.0, -6.0, 5.0, 1.0;
  DiagonalMatching matching;
  matching.find(csr_from_dense(a));
  EXPECT_EQ(matching.row_of_column(), (std::vector<int>{1, 0}));
  EXPECT_EQ(matching.structural_rank(), 2);
  expect_scaled(csr_from_dense(a), matching);
}

TEST(DiagonalMatching, UndoesAPermutation) {
  Random random(3);
  const int n = 200;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  std::vector<Triplet> triplets;
  for (int j = 0; j < n; ++j) {
    triplets.push_back({order[j], j, 10.0});
    for (int k = 0; k < 4; ++k) triplets.push_back({static_cast<int>(random.below(n)), j, 0.5});
  }
  DiagonalMatching matching;
  matching.find(csr_from_triplets(n, n, triplets));
  EXPECT_EQ(matching.row_of_column(), order);
}

TEST(DiagonalMatching, AgreesWithBruteForce) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Index n = 1 + static_cast<Index>(seed % 7);
    const CsrMatrix a = random_sparse(n, 0.6, 3.0, seed);
    const DenseMatrix dense(a);
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    Index best_rank = 0;
    double best_log = -std::numeric_limits<double>::infinity();
    do {
      const Weight weight = weight_of(dense, order);
      best_rank = std::max(best_rank, weight.rank);
      if (weight.rank == n) best_log = std::max(best_log, weight.log);
    } while (std::next_permutation(order.begin(), order.end()));

    DiagonalMatching matching;
    matching.find(a);
    ASSERT_TRUE(is_permutation(matching.row_of_column()));
    EXPECT_EQ(matching.structural_rank(), best_rank);
    if (best_rank == n) {
      EXPECT_NEAR(weight_of(dense, matching.row_of_column()).log, best_log, 1e-9);
    }
    expect_scaled(a, matching);
  }
}

TEST(DiagonalMatching, ScalesLargerMatrices) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const CsrMatrix a = random_sparse(120, 0.05, 8.0, seed);
    DiagonalMatching matching;
    matching.find(a);
    ASSERT_TRUE(is_permutation(matching.row_of_column()));
    expect_scaled(a, matching);
    // Optimal: no exchange of two rows has a larger product.
    if (matching.structural_rank() < 120) continue;
    const DenseMatrix dense = DenseMatrix(a).cwiseAbs();
    const auto& rows = matching.row_of_column();
    for (Index i = 0; i < 120; ++i) {
      for (Index j = 0; j < i; ++j) {
        EXPECT_LE(dense(rows[i], j) * dense(rows[j], i),
                  dense(rows[i], i) * dense(rows[j], j) * (1.0 + 1e-9));
      }
    }
  }
}

TEST(DiagonalMatching, StructurallySingular) {
  // Rows 0 and 1 compete for column 0; column 1 is empty; a stored zero does not count.
  std::vector<Triplet> triplets = {{0, 0, 1.0}, {1, 0, 5.0}, {2, 2, 3.0}, {2, 1, 0.0}};
  DiagonalMatching matching;
  matching.find(csr_from_triplets(3, 3, triplets));
  EXPECT_EQ(matching.structural_rank(), 2);
  EXPECT_TRUE(is_permutation(matching.row_of_column()));
  EXPECT_EQ(matching.row_of_column()[2], 2);
  matching.find(CsrMatrix(4, 4));
  EXPECT_EQ(matching.structural_rank(), 0);
  EXPECT_TRUE(is_permutation(matching.row_of_column()));
  EXPECT_EQ(matching.row_scale(), Vector::Ones(4));
  EXPECT_EQ(matching.column_scale(), Vector::Ones(4));
  matching.find(CsrMatrix(0, 0));
  EXPECT_EQ(matching.rows(), 0);
}

TEST(DiagonalMatching, ExtremeValuesStayFinite) {
  DenseMatrix a(3, 3);
  a << 1e-300, 1e300, 0.0, 1e300, 1e-300, 1e-300, 0.0, 1e-300, 1e-308;
  DiagonalMatching matching;
  matching.find(csr_from_dense(a));
  EXPECT_EQ(matching.structural_rank(), 3);
  EXPECT_TRUE(matching.row_scale().allFinite() && matching.column_scale().allFinite());
  EXPECT_GT(matching.row_scale().minCoeff(), 0.0);
  EXPECT_GT(matching.column_scale().minCoeff(), 0.0);
}

TEST(DiagonalMatching, RefusesBadInput) {
  DiagonalMatching matching;
  EXPECT_THROW(matching.find(CsrMatrix(2, 3)), Error);
  DenseMatrix a = DenseMatrix::Identity(2, 2);
  a(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(matching.find(csr_from_dense(a)), Error);
  a(0, 1) = std::nan("");
  EXPECT_THROW(matching.find(csr_from_dense(a)), Error);
}

TEST(DiagonalMatching, SecondMatchingAllocatesNothing) {
  const CsrMatrix a = random_sparse(100, 0.1, 5.0, 4);
  DiagonalMatching matching;
  matching.find(a);
  const std::vector<int> first = matching.row_of_column();
  const std::size_t before = allocations();
  matching.find(a);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(matching.row_of_column(), first);
}

}  // namespace slipstick::internal::matching_test
