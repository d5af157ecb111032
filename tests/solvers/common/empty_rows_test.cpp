// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/empty_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::empty_rows_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Row 1 is empty, row 2 has nothing but its diagonal missing.
const DenseMatrix& sample() {
  static const DenseMatrix a = mat({{2, 0, 1}, {0, 0, 0}, {1, 0, 0}});
  return a;
}

TEST(EmptyRows, AreSeenInEveryStorage) {
  const CsrMatrix sparse = csr_from_dense(sample());
  const Operator storages[] = {sparse, BandedMatrix(sparse), sample()};
  for (const Operator& a : storages) {
    EXPECT_FALSE(is_empty_row(a, 0)) << a.kind();
    EXPECT_TRUE(is_empty_row(a, 1)) << a.kind();
    EXPECT_FALSE(is_empty_row(a, 2)) << a.kind();
  }
}

TEST(EmptyRows, StoredZerosAreNothing) {
  const Triplet zeros[] = {{0, 0, 0.0}, {0, 1, 0.0}, {1, 1, 1.0}};
  const Operator a = csr_from_triplets(2, 2, zeros);
  EXPECT_TRUE(is_empty_row(a, 0));
  EXPECT_FALSE(is_empty_row(a, 1));
}

// Two constraints on one body with a Jacobian row of zeros; the second has compliance.
TEST(EmptyRows, OfMatrixFreeOperators) {
  const std::vector<Constraint> constraints = {{0, 2, {0, -1}}, {2, 1, {0, -1}}};
  const std::vector<double> jacobian = {1, 2, 0, 0, nan, nan, nan, nan, 0, 0, nan, nan};
  const Operator a = DelassusOperator(2, 1, {1, 1}, constraints, jacobian, vec({0, 0, 0.5}));
  EXPECT_FALSE(is_empty_row(a, 0));
  EXPECT_TRUE(is_empty_row(a, 1));
  EXPECT_FALSE(is_empty_row(a, 2));
}

// x_i for an empty row alone.
double place(double b, double lower, double upper, Index expected = -1, double negligible = 0.0) {
  const Problem problem{csr_from_dense(mat({{0}})), vec({b}), ProductSet::box(vec({lower}), vec({upper}))};
  Vector x = vec({nan});
  EXPECT_EQ(place_empty_rows(problem, vec({0}), negligible, x), expected);
  return x[0];
}

TEST(EmptyRows, GoToTheBoundThatTheLoadAsksFor) {
  EXPECT_EQ(place(1.0, -2.0, 5.0), -2.0);
  EXPECT_EQ(place(-1.0, -2.0, 5.0), 5.0);
  EXPECT_EQ(place(1.0, 0.0, infinity), 0.0);
  EXPECT_EQ(place(-1.0, -infinity, 3.0), 3.0);
  // Without a load, to the point nearest 0.
  EXPECT_EQ(place(0.0, -2.0, 5.0), 0.0);
  EXPECT_EQ(place(0.0, 2.0, 5.0), 2.0);
  EXPECT_EQ(place(0.0, -5.0, -2.0), -2.0);
  EXPECT_EQ(place(0.0, -infinity, infinity), 0.0);
}

TEST(EmptyRows, WithoutTheBoundThatTheLoadAsksForThereIsNoSolution) {
  EXPECT_EQ(place(-1.0, 2.0, infinity, 0), 2.0);
  EXPECT_EQ(place(1.0, -infinity, -3.0, 0), -3.0);
  EXPECT_EQ(place(1.0, -infinity, infinity, 0), 0.0);
  // Unless the load is negligible.
  EXPECT_EQ(place(1e-9, -infinity, infinity, -1, 1e-8), 0.0);
  EXPECT_EQ(place(-1e-9, 1.0, infinity, -1, 1e-8), 1.0);
}

TEST(EmptyRows, TheFirstHopelessRowIsNamed) {
  Problem problem{csr_from_dense(mat({{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}})),
                  vec({1, -1, -1, -1}), ProductSet::nonnegative(4)};
  Vector x = vec({9, 9, 9, 9});
  EXPECT_EQ(place_empty_rows(problem, vec({0, 1, 0, 0}), 0.0, x), 2);
  EXPECT_EQ(x, vec({0, 9, 0, 0}));
  const std::string sentence = explain_empty_row(problem, 2);
  EXPECT_NE(sentence.find("row 2"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("b is -1"), std::string::npos) << sentence;
}

// Rows with entries, and rows that depend on others, stay as they are.
TEST(EmptyRows, OtherRowsAreNotTouched) {
  Problem problem{csr_from_dense(DenseMatrix::Zero(8, 8)), Vector::Constant(8, -1.0), {}};
  problem.K.append_cone(0.5, 3);
  problem.K.append_disk(1.0, 2);
  problem.K.append_diamond(1.0, 2);
  problem.K.append_interval(0.0, 4.0);
  Vector x = vec({nan, nan, nan, nan, nan, nan, nan, 0});
  EXPECT_EQ(place_empty_rows(problem, Vector::Zero(8), 0.0, x), -1);
  EXPECT_EQ(x[7], 4.0);
  EXPECT_TRUE(x.head(7).array().isNaN().all());
  // A row without a diagonal may still have entries.
  const Problem indefinite{csr_from_dense(mat({{0, 1}, {1, 0}})), vec({-1, -1}), ProductSet::free(2)};
  Vector y = vec({3, 4});
  EXPECT_EQ(place_empty_rows(indefinite, vec({0, 0}), 0.0, y), -1);
  EXPECT_EQ(y, vec({3, 4}));
}

TEST(EmptyRows, KindsOfBlocks) {
  ProductSet K;
  K.append_free(1);
  K.append_nonnegative(1);
  K.append_interval(0, 1);
  for (const SetBlock& block : K.blocks()) EXPECT_TRUE(has_independent_rows(block)) << name(block.kind);
  ProductSet tied;
  tied.append_cone(0.5, 3);
  tied.append_diamond(1, 2);
  tied.append_disk(1, 2);
  for (const SetBlock& block : tied.blocks()) EXPECT_FALSE(has_independent_rows(block)) << name(block.kind);
}

}  // namespace slipstick::internal::empty_rows_test
