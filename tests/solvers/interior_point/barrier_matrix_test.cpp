// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/barrier_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/cone_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::barrier_matrix_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The unknowns of the problem, with the diagonals that the ruler would take.
ConeUnknowns unknowns_of(const Problem& problem) {
  Ruler ruler;
  ruler.prepare(problem);
  ConeUnknowns unknowns;
  unknowns.prepare(problem, ruler.scale());
  return unknowns;
}

// Whatever U (T + l^2) U is in its lower triangle, its symmetric completion.
DenseMatrix symmetric(const CsrMatrix& lower) {
  const DenseMatrix l(lower);
  EXPECT_EQ(DenseMatrix(l.triangularView<Eigen::StrictlyUpper>()).norm(), 0.0);
  return l + DenseMatrix(l.triangularView<Eigen::StrictlyLower>()).transpose();
}

void expect_sorted_columns(const CsrMatrix& a) {
  for (Index i = 0; i < a.rows(); ++i) {
    for (int k = a.outerIndexPtr()[i] + 1; k < a.outerIndexPtr()[i + 1]; ++k)
      EXPECT_LT(a.innerIndexPtr()[k - 1], a.innerIndexPtr()[k]);
  }
}

TEST(BarrierMatrix, RowsByHand) {
  const Problem problem{csr_from_dense(mat({{4, 2}, {2, 9}})), vec({0, 0}), ProductSet::nonnegative(2)};
  const ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  // S A S + l^2 = [4, 1/3; 1/3, 1], scaled by (1/2, 1).
  ASSERT_TRUE(matrix.update({{}, vec({3, 0})}));
  EXPECT_LT((matrix.unit() - vec({0.5, 1.0})).norm(), 1e-15);
  EXPECT_LT((DenseMatrix(matrix.scaled_lower()) - mat({{1, 0}, {1.0 / 6, 1}})).norm(), 1e-15);
  matrix.regularize(0.25);
  EXPECT_LT((DenseMatrix(matrix.scaled_lower()) - mat({{1.25, 0}, {1.0 / 6, 1.25}})).norm(), 1e-15);
  // The residual does not see the regularization.
  Vector r = vec({nan, nan});
  EXPECT_NEAR(matrix.residual(vec({5, 5}), vec({1, 1}), r), std::hypot(0.5 * 2.0 / 3, 11.0 / 3), 1e-14);
  EXPECT_LT((r - vec({2.0 / 3, 11.0 / 3})).norm(), 1e-14);
}

// With the direction (1, 0) the frame's first two columns are (1, 1, 0) / sqrt 2 and (1, -1, 0) / sqrt 2.
TEST(BarrierMatrix, ConeByHand) {
  Problem problem = cone_cases::contact(mat({{2, 0, 0}, {0, 0, 0}, {0, 0, 4}}), Vector::Zero(3), 0.5);
  const ConeUnknowns unknowns = unknowns_of(problem);  // d = 2
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  // S A S = diag(1, 0, 1/2); with l^2 = (1/2, 3/2, 0): T + l^2 = [1, 1/2, 0; 1/2, 2, 0; 0, 0, 1/2].
  ASSERT_TRUE(matrix.update({{NesterovTodd().frame()}, vec({0.5, 1.5, 0})}));
  const double root = std::sqrt(2.0);
  EXPECT_LT((matrix.unit() - vec({1, 1 / root, root})).norm(), 1e-15);
  EXPECT_LT(
      (symmetric(matrix.scaled_lower()) - mat({{1, 0.5 / root, 0}, {0.5 / root, 1, 0}, {0, 0, 1}})).norm(),
      1e-15);
}

class BarrierMatrixStorage : public ::testing::TestWithParam<const char*> {};

TEST_P(BarrierMatrixStorage, IsTheOperatorAndTheBarrierColumnByColumn) {
  Random random(1);
  Problem problem;
  problem.K = cone_cases::every_kind_of_row();
  problem.b = Vector::Zero(18);
  DenseMatrix a = random_spd(random, 18, 100.0);
  // Some blocks are not coupled.
  a.topRightCorner(5, 8).setZero();
  a.bottomLeftCorner(8, 5).setZero();
  const std::string storage = GetParam();
  if (storage == "sparse") problem.A = csr_from_dense(a);
  if (storage == "banded") problem.A = BandedMatrix(csr_from_dense(a));
  if (storage == "dense") problem.A = a;
  ASSERT_EQ(problem.A.kind(), storage);
  const ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  expect_sorted_columns(matrix.scaled_lower());
  for (int trial = 0; trial < 5; ++trial) {
    const BarrierTerms terms = cone_cases::random_terms(unknowns, random);
    const DenseMatrix expected = cone_cases::newton_matrix(problem.A, unknowns, terms);
    ASSERT_TRUE(matrix.update(terms));
    EXPECT_LT((matrix.unit().cwiseAbs2().cwiseProduct(expected.diagonal()) - Vector::Ones(15)).norm(), 1e-13);
    const auto unit = matrix.unit().asDiagonal();
    EXPECT_LT((symmetric(matrix.scaled_lower()) - unit * expected * unit).norm(), 1e-13);

    const Vector v = random_vector(15, random);
    const Vector right_side = random_vector(15, random);
    Vector r(15);
    const double norm = matrix.residual(right_side, v, r);
    const Vector residual = right_side - expected * v;
    EXPECT_LT((r - residual).norm(), 1e-13 * expected.norm() * v.norm());
    EXPECT_NEAR(norm, matrix.unit().cwiseProduct(residual).norm(), 1e-12 * norm);
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, BarrierMatrixStorage, ::testing::Values("sparse", "banded", "dense"),
                         [](const auto& storage) { return std::string(storage.param); });

TEST(BarrierMatrix, MatrixFreePacking) {
  const Problem problem = cone_cases::packing(12, 0.3);
  const ConeUnknowns unknowns = unknowns_of(problem);
  Random random(2);
  const BarrierTerms terms = cone_cases::random_terms(unknowns, random);
  const DenseMatrix expected = cone_cases::newton_matrix(problem.A, unknowns, terms);
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  ASSERT_TRUE(matrix.update(terms));
  const auto unit = matrix.unit().asDiagonal();
  EXPECT_LT((symmetric(matrix.scaled_lower()) - unit * expected * unit).norm(), 1e-12);
}

// The rows of a cone meet the other blocks in different orders.
TEST(BarrierMatrix, BlocksAreSortedWithinARow) {
  DenseMatrix a = DenseMatrix::Identity(5, 5);
  a(2, 1) = a(1, 2) = 0.25;
  a(3, 0) = a(0, 3) = 0.5;
  Problem problem{csr_from_dense(a), Vector::Zero(5), ProductSet::free(2)};
  problem.K.append_cone(1.0, 3);
  const ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  expect_sorted_columns(matrix.scaled_lower());
  Random random(6);
  const BarrierTerms terms = cone_cases::random_terms(unknowns, random);
  ASSERT_TRUE(matrix.update(terms));
  const auto unit = matrix.unit().asDiagonal();
  EXPECT_LT(
      (symmetric(matrix.scaled_lower()) - unit * cone_cases::newton_matrix(problem.A, unknowns, terms) * unit)
          .norm(),
      1e-14);
}

// Rows that are no unknowns are not read, nor what stands above the diagonal.
TEST(BarrierMatrix, FixedRowsAreNotRead) {
  Problem problem{csr_from_dense(mat({{2, nan, nan}, {nan, nan, nan}, {1, nan, 2}})), Vector::Zero(3),
                  ProductSet::box(vec({0, 5, 0}), vec({infinity, 5, infinity}))};
  ConeUnknowns unknowns;
  unknowns.prepare(problem, vec({1, nan, 1}));
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  ASSERT_TRUE(matrix.update({{}, vec({0, 0})}));
  EXPECT_LT((symmetric(matrix.scaled_lower()) - mat({{1, 0.5}, {0.5, 1}})).norm(), 1e-15);
}

TEST(BarrierMatrix, EmptyRowsKeepAUnitDiagonal) {
  const Problem problem{csr_from_dense(mat({{0, 0}, {0, 3}})), Vector::Zero(2), ProductSet::free(2)};
  const ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  ASSERT_TRUE(matrix.update({{}, vec({0, 0})}));
  EXPECT_EQ(matrix.unit()[0], 1.0);
  EXPECT_EQ(symmetric(matrix.scaled_lower()), mat({{1, 0}, {0, 1}}));
  // The residual is that of the matrix as it is.
  Vector r(2);
  matrix.residual(vec({1, 1}), vec({7, 1}), r);
  EXPECT_LT((r - vec({1, 0})).norm(), 1e-15);
}

TEST(BarrierMatrix, SeesWhatIsNotSemidefiniteOrFinite) {
  const Problem problem{csr_from_dense(mat({{-1, 0}, {0, 1}})), Vector::Zero(2), ProductSet::free(2)};
  const ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  EXPECT_FALSE(matrix.update({{}, vec({0, 0})}));
  EXPECT_TRUE(matrix.update({{}, vec({2, 0})}));
  EXPECT_FALSE(matrix.update({{}, vec({2, nan})}));
  EXPECT_FALSE(matrix.update({{}, vec({2, infinity})}));
}

// A = a a' with a = (1, -d) turns to zeros but for one entry in the frame of the direction d.
TEST(BarrierMatrix, RoundingOfAZeroIsNoIndefiniteMatrix) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const double angle = random.uniform(-3.0, 3.0);
    const Vector a = vec({1, -std::cos(angle), -std::sin(angle)});
    const Problem problem = cone_cases::contact(DenseMatrix(a * a.transpose()), Vector::Zero(3), 1.0);
    ConeUnknowns unknowns;
    unknowns.prepare(problem, Vector::Ones(3));
    BarrierMatrix matrix;
    matrix.prepare(problem.A, unknowns);
    const NesterovTodd scaling = NesterovTodd::scaling_from(cone_identity(), {1.0, -0.9 * a[1], -0.9 * a[2]});
    ASSERT_TRUE(matrix.update({{scaling.frame()}, Vector::Zero(3)})) << angle;
    // The diagonal is (0, 2, 0), as far as rounding can tell.
    EXPECT_GT(matrix.unit()[0], 1e7);
    EXPECT_NEAR(matrix.unit()[1], std::sqrt(0.5), 1e-14);
    EXPECT_GT(matrix.unit()[2], 1e7);
    EXPECT_LT((symmetric(matrix.scaled_lower()) - DenseMatrix::Identity(3, 3)).norm(), 1.0);
  }
}

TEST(BarrierMatrix, NoUnknowns) {
  const Problem problem{csr_from_dense(mat({{2}})), Vector::Zero(1), ProductSet::box(vec({1}), vec({1}))};
  BarrierMatrix matrix;
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns_of(problem)));
  EXPECT_TRUE(matrix.update({{}, Vector()}));
  Vector r;
  EXPECT_EQ(matrix.residual(Vector(), Vector(), r), 0.0);
}

TEST(BarrierMatrix, PreparesOnlyForWhatIsNew) {
  Problem problem{csr_from_dense(mat({{4, 2}, {2, 9}})), vec({0, 0}), ProductSet::nonnegative(2)};
  ConeUnknowns unknowns = unknowns_of(problem);
  BarrierMatrix matrix;
  const auto entry = [&] {
    EXPECT_TRUE(matrix.update({{}, Vector::Zero(unknowns.size())}));
    return DenseMatrix(matrix.scaled_lower())(1, 0);
  };
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  EXPECT_FALSE(matrix.prepare(problem.A, unknowns));
  EXPECT_NEAR(entry(), 1.0 / 3, 1e-15);
  // Other values in the same pattern.
  problem.A = csr_from_dense(mat({{4, 3}, {3, 9}}));
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  EXPECT_NEAR(entry(), 0.5, 1e-15);
  // Another scale: a reflected row.
  problem.K = ProductSet::box(vec({0, -infinity}), vec({infinity, 0}));
  unknowns = unknowns_of(problem);
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  EXPECT_NEAR(entry(), -0.5, 1e-15);
  // Other blocks: a cone whose friction is as large as the scale of a bound.
  problem.A = csr_from_dense(mat({{4, 3}, {3, 4}}));
  problem.K = ProductSet::nonnegative(2);
  unknowns = unknowns_of(problem);
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  problem.K = ProductSet::cones(vec({1}), 2);
  unknowns = unknowns_of(problem);
  EXPECT_TRUE(matrix.prepare(problem.A, unknowns));
  EXPECT_FALSE(matrix.prepare(problem.A, unknowns));
}

TEST(BarrierMatrix, UpdatesAllocateNothing) {
  const Problem problem = cone_cases::cones_and_rows(1);
  const ConeUnknowns unknowns = unknowns_of(problem);
  Random random(4);
  const BarrierTerms terms = cone_cases::random_terms(unknowns, random);
  const Vector v = random_vector(unknowns.size(), random);
  Vector r(unknowns.size());
  BarrierMatrix matrix;
  matrix.prepare(problem.A, unknowns);
  const std::size_t before = allocations();
  matrix.prepare(problem.A, unknowns);
  matrix.update(terms);
  matrix.regularize(1e-10);
  matrix.residual(v, v, r);
  EXPECT_EQ(allocations() - before, 0U);
}

}  // namespace slipstick::internal::barrier_matrix_test
