// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/saddle_factor.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/active_set/schur_complement.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::saddle_factor_test {

struct System {
  explicit System(Problem given, double row_shift = 1e-3) : problem(std::move(given)) {
    ruler.prepare(problem);
    set.reset(problem, ruler, ActiveSet::EmptyRows::move);
    matrix.prepare(problem, set, row_shift);
    factor = make_saddle_factor(matrix);
  }
  // M as the rows of the matrix say.
  DenseMatrix dense_matrix() const {
    DenseMatrix m = DenseMatrix::Zero(matrix.rows(), matrix.rows());
    for (Index k = 0; k < matrix.rows(); ++k)
      matrix.for_each_in_row(k, [&](Index j, double value) { m(k, j) += value; });
    return m;
  }
  void solve(MatrixView x) {
    factor->solve_lower(x);
    for (Index j = 0; j < x.cols(); ++j) factor->solve_upper(x.col(j));
  }
  SchurComplement::Base base(const std::vector<char>& inside) {
    return {inside, *factor,
            [this](MatrixView x) {
              solves += static_cast<int>(x.cols());
              factor->solve_lower(x);
            },
            [this](VectorView x) { factor->solve_upper(x); }};
  }
  Problem problem;
  Ruler ruler;
  ActiveSet set;
  SaddleMatrix matrix;
  std::unique_ptr<SaddleFactor> factor;
  int solves = 0;
};

Problem banded_problem() {
  return random_banded_qp({.rows = 60, .bandwidth = 7}).problem;
}

std::vector<char> random_set(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<char> inside(static_cast<std::size_t>(size));
  for (char& in : inside) in = static_cast<char>(random.below(3) != 0);
  return inside;
}

// The solution of the principal submatrix, zero outside.
Vector solved(const DenseMatrix& m, const std::vector<char>& inside, const Vector& r) {
  DenseMatrix masked = DenseMatrix::Identity(m.rows(), m.rows());
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.rows(); ++j) {
      if (inside[static_cast<std::size_t>(i)] != 0 && inside[static_cast<std::size_t>(j)] != 0)
        masked(i, j) = m(i, j);
    }
  }
  return *solve_linear(masked, r);
}

DenseMatrix random_sides(const std::vector<char>& inside, Index columns, std::uint64_t seed) {
  DenseMatrix x = random_matrix(static_cast<Index>(inside.size()), columns, seed);
  for (Index i = 0; i < x.rows(); ++i) {
    if (inside[static_cast<std::size_t>(i)] == 0) x.row(i).setZero();
  }
  return x;
}

TEST(SaddleMatrixTest, HoldsBothMatricesAndTheShifts) {
  System system(random_row_qp({}).problem);
  const Index n = system.matrix.unknowns();
  const Index m = system.matrix.rows() - n;
  DenseMatrix expected = DenseMatrix::Zero(n + m, n + m);
  expected.topLeftCorner(n, n) = dense(system.problem.A);
  expected.bottomLeftCorner(m, n) = DenseMatrix(*system.problem.rows->G);
  expected.topRightCorner(n, m) = expected.bottomLeftCorner(m, n).transpose();
  // The product has no shift of the rows.
  const Vector z = random_matrix(n + m, 1, 1).col(0);
  Vector q(n + m);
  system.matrix.multiply(z, q, 1);
  EXPECT_LE((expected * z - q).norm(), 1e-13 * q.norm());
  for (Index k = n; k < n + m; ++k) {
    EXPECT_GT(system.matrix.shift()[k], 0.0);
    expected(k, k) = -system.matrix.shift()[k];
  }
  EXPECT_EQ(system.dense_matrix(), expected);
  system.matrix.shift_unknowns(system.set, 0.5);
  for (Index k = 0; k < n; ++k) expected(k, k) *= 1.5;
  EXPECT_LE((system.dense_matrix() - expected).norm(), 1e-15 * expected.norm());
  system.matrix.multiply(z, q, 1);
  EXPECT_NEAR(q[0], expected.row(0).dot(z), 1e-12 * q.norm());
}

TEST(SaddleMatrixTest, IsBuiltOnceForTheSameMatrices) {
  System system(random_row_qp({}).problem);
  const int version = system.matrix.version();
  Problem again = system.problem;
  again.b.setOnes();
  system.matrix.prepare(again, system.set, 1e-3);
  EXPECT_EQ(system.matrix.version(), version);
  system.matrix.prepare(random_row_qp({}).problem, system.set, 1e-3);
  EXPECT_NE(system.matrix.version(), version);
}

TEST(SaddleFactorTest, SolvesThePrincipalSubmatrixOfAnySet) {
  for (Problem problem : {random_row_qp({}).problem, banded_problem()}) {
    System system(std::move(problem));
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const std::vector<char> inside = random_set(system.matrix.rows(), seed);
      ASSERT_TRUE(system.factor->factorize(system.matrix, inside));
      const DenseMatrix sides = random_sides(inside, 70, seed);
      DenseMatrix x = sides;
      system.solve(x);
      for (Index j = 0; j < x.cols(); ++j) {
        const Vector expected = solved(system.dense_matrix(), inside, sides.col(j));
        EXPECT_LE((x.col(j) - expected).norm(), 1e-9 * expected.norm());
      }
    }
  }
}

TEST(SaddleFactorTest, IsBandedWhereTheMatrixIs) {
  EXPECT_NE(System(banded_problem()).matrix.banded_a(), nullptr);
  Problem with_rows = banded_problem();
  with_rows.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix::Ones(1, 60))),
                              Vector::Zero(1), Vector::Ones(1)};
  System system(with_rows);
  EXPECT_EQ(system.matrix.banded_a(), nullptr);
  EXPECT_TRUE(system.factor->factorize(system.matrix, std::vector<char>(61, 1)));
}

TEST(SaddleFactorTest, AnEmptySetIsNoTrouble) {
  System system(banded_problem());
  const std::vector<char> inside(60, 0);
  ASSERT_TRUE(system.factor->factorize(system.matrix, inside));
  DenseMatrix x = DenseMatrix::Zero(60, 2);
  system.solve(x);
  EXPECT_EQ(x, DenseMatrix::Zero(60, 2));
}

TEST(SaddleFactorTest, RefusesAnIndefiniteMatrix) {
  Problem problem{.A = csr_from_dense(mat({{1, 2}, {2, 1}})), .b = vec({1, 1}), .K = ProductSet::free(2)};
  System system(problem);
  EXPECT_FALSE(system.factor->factorize(system.matrix, {1, 1}));
  EXPECT_TRUE(system.factor->factorize(system.matrix, {1, 0}));
}

// Sets that wander away from the factorized one and back again.
TEST(SchurComplementTest, FollowsTheSetWithoutAFactorization) {
  for (Problem problem : {random_row_qp({.rows = 12}).problem, banded_problem()}) {
    System system(std::move(problem));
    const Index rows = system.matrix.rows();
    const std::vector<char> base = random_set(rows, 1);
    ASSERT_TRUE(system.factor->factorize(system.matrix, base));
    SchurComplement complement;
    complement.reset(rows, rows);
    std::vector<char> now = base;
    Random random(7);
    for (int step = 0; step < 30; ++step) {
      const Index before = complement.changes();
      for (int k = 0; k < 3; ++k) {
        char& in = now[static_cast<std::size_t>(random.below(rows))];
        in = static_cast<char>(1 - in);
      }
      if (step % 10 == 9) now = base;
      const Vector side = random_sides(now, 1, static_cast<std::uint64_t>(step)).col(0);
      Vector x = side;
      system.solves = 0;
      ASSERT_TRUE(complement.solve(system.matrix, system.base(base), now, x));
      EXPECT_LE(system.solves, 4);
      Index changed = 0;
      for (std::size_t k = 0; k < now.size(); ++k) changed += base[k] != now[k];
      EXPECT_EQ(complement.changes(), changed);
      EXPECT_GE(system.solves, changed - before + 1);
      const Vector expected = solved(system.dense_matrix(), now, side);
      EXPECT_LE((x - expected).norm(), 1e-8 * expected.norm()) << step;
    }
  }
}

TEST(SchurComplementTest, RefusesMoreChangesThanItHasRoomFor) {
  System system(banded_problem());
  std::vector<char> base(60, 1);
  ASSERT_TRUE(system.factor->factorize(system.matrix, base));
  SchurComplement complement;
  complement.reset(60, 2);
  std::vector<char> now = base;
  now[3] = now[5] = 0;
  Vector r = random_sides(now, 1, 1).col(0);
  EXPECT_TRUE(complement.solve(system.matrix, system.base(base), now, r));
  now[7] = 0;
  const Vector side = random_sides(now, 1, 1).col(0);
  r = side;
  EXPECT_FALSE(complement.solve(system.matrix, system.base(base), now, r));
  EXPECT_EQ(r, side);
}

}  // namespace slipstick::internal::saddle_factor_test
