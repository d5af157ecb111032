// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/component_inverse.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linalg/samples.hpp"

namespace slipstick::internal::component_inverse_test {

using testing::random_dense;
using testing::random_vector;

// Definite blocks of the given sizes, their rows shuffled among each other.
DenseMatrix shuffled_blocks(const std::vector<Index>& sizes, Random& random) {
  const Index n = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  DenseMatrix blocks = DenseMatrix::Zero(n, n);
  Index start = 0;
  for (const Index size : sizes) {
    const DenseMatrix a = random_dense(size, size, 1.0, random);
    blocks.block(start, start, size, size) = a * a.transpose() + DenseMatrix::Identity(size, size);
    start += size;
  }
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return blocks(order, order);
}

TEST(ComponentInverse, SmallLargeAndMixedComponents) {
  Random random(8);
  ComponentInverse kept;  // set to one matrix after the other
  for (const std::vector<Index>& sizes :
       std::vector<std::vector<Index>>{{}, {1}, {1, 1, 1}, {6, 6, 6}, {12, 13}, {40}, {3, 25, 1, 6, 14}}) {
    const DenseMatrix m = shuffled_blocks(sizes, random);
    const ComponentInverse inverse(csr_from_dense(m));
    ASSERT_FALSE(inverse.singular());
    EXPECT_EQ(inverse.components(), static_cast<Index>(sizes.size()));
    EXPECT_EQ(inverse.rows(), m.rows());
    const Vector x = random_vector(m.rows(), random);
    Vector solution = m * x;
    inverse.solve(solution);
    EXPECT_NEAR((solution - x).norm(), 0.0, 1e-9 * (1.0 + x.norm()));
    kept.set(csr_from_dense(m));
    Vector again = m * x;
    kept.solve(again);
    EXPECT_EQ(again, solution);
    EXPECT_EQ(kept.entries(), inverse.entries());
    const DenseMatrix h = random_dense(m.rows(), 7, 0.3, random);
    const Vector expected = (h.transpose() * internal::inverse(m) * h).diagonal();
    EXPECT_NEAR((inverse.congruence_diagonal(csr_from_dense(h.transpose())) - expected).norm(), 0.0,
                1e-9 * (1.0 + expected.norm()));
  }
}

TEST(ComponentInverse, StoredZerosDoNotConnect) {
  const std::vector<Triplet> triplets = {{0, 0, 2.0}, {1, 1, 4.0}, {0, 1, 0.0}, {1, 0, 0.0}};
  const ComponentInverse inverse(csr_from_triplets(2, 2, triplets));
  EXPECT_EQ(inverse.components(), 2);
  Vector x = Vector::Ones(2);
  inverse.solve(x);
  EXPECT_EQ(x[0], 0.5);
  EXPECT_EQ(x[1], 0.25);
}

TEST(ComponentInverse, SingularMatricesAreFound) {
  DenseMatrix zero_mass = DenseMatrix::Identity(3, 3);
  zero_mass(1, 1) = 0.0;
  EXPECT_TRUE(ComponentInverse(csr_from_dense(zero_mass)).singular());
  DenseMatrix dense = DenseMatrix::Ones(4, 4);
  EXPECT_TRUE(ComponentInverse(csr_from_dense(dense)).singular());
  // A free chain of 20 springs, of rank 19, in exact arithmetic.
  DenseMatrix chain = DenseMatrix::Zero(20, 20);
  for (Index i = 0; i + 1 < 20; ++i) {
    chain(i, i) += 1.0;
    chain(i + 1, i + 1) += 1.0;
    chain(i, i + 1) = chain(i + 1, i) = -1.0;
  }
  EXPECT_TRUE(ComponentInverse(csr_from_dense(chain)).singular());
  DenseMatrix not_a_number = DenseMatrix::Identity(2, 2);
  not_a_number(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(ComponentInverse(csr_from_dense(not_a_number)).singular());
  EXPECT_THROW(ComponentInverse(CsrMatrix(2, 3)), Error);
}

// A chain of springs with a mass. Without mass it is singular. `wide`: springs to the next but one too.
CsrMatrix chain(double mass, bool wide) {
  DenseMatrix m = mass * DenseMatrix::Identity(30, 30);
  const auto join = [&](Index i, Index j) {
    m(i, i) += 1.0;
    m(j, j) += 1.0;
    m(i, j) = m(j, i) = -1.0;
  };
  for (Index i = 0; i + 1 < 30; ++i) join(i, i + 1);
  for (Index i = 0; wide && i + 2 < 30; ++i) join(i, i + 2);
  return csr_from_dense(m);
}

TEST(ComponentInverse, AKnownPatternGivesTheBitsOfANewObject) {
  ComponentInverse kept;
  for (const auto& [mass, wide] : std::vector<std::pair<double, bool>>{
           {1.0, false}, {0.3, false}, {0.0, false}, {2.0, false}, {2.0, true}, {1.0, true}, {1.0, false}}) {
    const CsrMatrix m = chain(mass, wide);
    kept.set(m);
    const ComponentInverse fresh(m);
    EXPECT_EQ(kept.singular(), mass == 0.0);
    EXPECT_EQ(kept.indefinite_row(), fresh.indefinite_row());
    if (kept.singular()) continue;
    Vector x = Vector::LinSpaced(30, -1.0, 2.0), y = x;
    kept.solve(x);
    fresh.solve(y);
    EXPECT_EQ(x, y);
  }
}

}  // namespace slipstick::internal::component_inverse_test
