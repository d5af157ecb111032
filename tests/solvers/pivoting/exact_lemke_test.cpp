// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/exact_lemke.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/solvers/degenerate_cases.hpp"

namespace slipstick::internal::exact_lemke_test {

using Outcome = LemkeTableau::Outcome;

class ExactPivots : public testing::Test {
 protected:
  void SetUp() override {
    if (ExactLemke::available()) return;
    EXPECT_FALSE(exact_.load(DenseMatrix::Identity(1, 1), Vector::Ones(1), Vector::Constant(1, infinity)));
    GTEST_SKIP() << "built without GMP, where it takes no problem";
  }

  // Pivots to the end and puts the last basis into tableau_.
  Outcome pivot(const DenseMatrix& M, const Vector& q, const Vector& width) {
    EXPECT_TRUE(exact_.load(M, q, width));
    Outcome outcome = exact_.start() ? Outcome::pivoted : Outcome::solved;
    for (pivots_ = 0; outcome == Outcome::pivoted && pivots_ < 10000; ++pivots_) outcome = exact_.pivot();
    LemkeBasis basis;
    exact_.copy_basis(basis);
    tableau_.load(M, q, &width);
    EXPECT_TRUE(tableau_.restore(basis, Vector::Ones(q.size())));
    return outcome;
  }

  // Of 0 <= z <= width with w = M z + q: the natural map.
  double error(const DenseMatrix& M, const Vector& q, const Vector& width) const {
    Vector z(q.size());
    for (Index p = 0; p < z.size(); ++p) z[p] = tableau_.z(p);
    const Vector w = M * z + q;
    return (z - (z - w).cwiseMax(0.0).cwiseMin(width)).lpNorm<Eigen::Infinity>();
  }

  ExactLemke exact_;
  LemkeTableau tableau_;
  int pivots_ = 0;
};

TEST_F(ExactPivots, TextbookExample) {
  const DenseMatrix M = mat({{2, 1}, {1, 2}});
  const Vector q = vec({-5, -6}), width = Vector::Constant(2, infinity);
  EXPECT_EQ(pivot(M, q, width), Outcome::solved);
  EXPECT_EQ(pivots_, 2);
  EXPECT_NEAR(tableau_.z(0), 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(tableau_.z(1), 7.0 / 3.0, 1e-15);
  EXPECT_EQ(exact_.artificial(), 0.0);
}

TEST_F(ExactPivots, FeasibleAndEmpty) {
  ASSERT_TRUE(exact_.load(DenseMatrix::Identity(2, 2), vec({0, 3}), Vector::Constant(2, infinity)));
  EXPECT_FALSE(exact_.start());
  ASSERT_TRUE(exact_.load(DenseMatrix(0, 0), Vector(0), Vector(0)));
  EXPECT_FALSE(exact_.start());
}

TEST_F(ExactPivots, Ray) {
  const Vector width = Vector::Constant(2, infinity);
  EXPECT_EQ(pivot(DenseMatrix::Zero(2, 2), vec({1, -1}), width), Outcome::ray);
  EXPECT_EQ(tableau_.ray(1), 1.0);
  EXPECT_EQ(tableau_.ray(0), 0.0);
}

// The path of exact pivots is that of doubles as long as no ratios tie.
TEST_F(ExactPivots, SamePathAsDoublesWithoutTies) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Index n = 12;
    const DenseMatrix M = random_matrix(n, n, seed) + 2.0 * DenseMatrix::Identity(n, n);
    const Vector q = random_matrix(n, 1, seed + 100).col(0);
    const Vector width = seed % 2 == 0 ? Vector::Constant(n, infinity) : Vector::Constant(n, 0.7);
    ASSERT_TRUE(exact_.load(M, q, width));
    tableau_.load(M, q, &width);
    ASSERT_EQ(exact_.start(), tableau_.start(Vector::Ones(n)));
    Outcome outcome = Outcome::pivoted;
    LemkeBasis exact, rounded;
    for (int k = 0; outcome == Outcome::pivoted && k < 200; ++k) {
      outcome = exact_.pivot();
      ASSERT_EQ(tableau_.pivot(), outcome) << seed << " " << k;
      exact_.copy_basis(exact);
      tableau_.copy_basis(rounded);
      ASSERT_EQ(exact.is_basic, rounded.is_basic);
      ASSERT_EQ(exact.reflected, rounded.reflected);
      ASSERT_EQ(exact.driving, rounded.driving);
    }
    EXPECT_NE(outcome, Outcome::pivoted);
    if (outcome == Outcome::solved) {
      EXPECT_LE(error(M, q, width), 1e-10);
    }
  }
}

TEST_F(ExactPivots, TiesWithTwoBounds) {
  const Index n = 9;
  for (const double upper : {1.0, 0.125, 1.0 / 9.0}) {
    const Vector width = Vector::Constant(n, upper), q = Vector::Constant(n, -1.0);
    EXPECT_EQ(pivot(DenseMatrix::Ones(n, n), q, width), Outcome::solved);
    EXPECT_LE(error(DenseMatrix::Ones(n, n), q, width), 1e-13);
  }
}

TEST_F(ExactPivots, GamesEndAndNoBasisComesBack) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Problem game = random_game({.types = 3, .actions = 4, .payoffs = 9, .seed = seed});
    const DenseMatrix M = dense(game.A);
    const Vector width = Vector::Constant(game.b.size(), infinity);
    ASSERT_TRUE(exact_.load(M, game.b, width));
    ASSERT_TRUE(exact_.start());
    std::vector<std::vector<char>> met;
    LemkeBasis basis;
    Outcome outcome = Outcome::pivoted;
    while (outcome == Outcome::pivoted) {
      outcome = exact_.pivot();
      exact_.copy_basis(basis);
      ASSERT_EQ(std::find(met.begin(), met.end(), basis.is_basic), met.end());
      met.push_back(basis.is_basic);
    }
    EXPECT_EQ(outcome, Outcome::solved);
    tableau_.load(M, game.b);
    ASSERT_TRUE(tableau_.restore(basis, Vector::Ones(game.b.size())));
    EXPECT_LE(error(M, game.b, width), 1e-9);
  }
}

// Columns of ones and twos that nearly repeat: differences are 2^-34 and less. In doubles a basis comes back.
// The whole solve then goes on in exact numbers, from the start to the solution.
TEST_F(ExactPivots, SolveWhatRoundingCannot) {
  const Index n = 19;
  Random random(651);
  DenseMatrix M(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) M(i, j) = 1.0 + static_cast<double>(random.below(2));
  for (Index i = 0; i < n; ++i) M(i, i) += std::ldexp(1.0, -34 - static_cast<int>(random.below(4)));
  const Vector q = Vector::Constant(n, -1.0), width = Vector::Constant(n, infinity);

  tableau_.load(M, q);
  ASSERT_TRUE(tableau_.start(Vector::Ones(n)));
  Outcome outcome = Outcome::pivoted;
  int rounded_pivots = 0;
  for (; outcome == Outcome::pivoted; ++rounded_pivots) outcome = tableau_.pivot();
  EXPECT_EQ(outcome, Outcome::repeated);
  EXPECT_EQ(pivot(M, q, width), Outcome::solved);
  EXPECT_LE(error(M, q, width), 1e-15);

  const Result result = box_cases::solve_with(Lemke({.attempts = 1}), box_cases::lcp(M, q), 1e-12);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_GE(result.counts.iterations, rounded_pivots + pivots_ - 1);  // both paths
}

TEST_F(ExactPivots, RefusesWhatIsTooCostly) {
  EXPECT_FALSE(
      exact_.load(random_matrix(400, 400, 1), Vector::Constant(400, -1.0), Vector::Constant(400, infinity)));
  DenseMatrix wide = DenseMatrix::Identity(2, 2);
  wide(0, 1) = 1e-200;
  wide(1, 1) = 1e200;
  EXPECT_FALSE(exact_.load(wide, vec({-1, -1e-150}), Vector::Constant(2, infinity)));
  wide(0, 0) = std::nan("");
  EXPECT_FALSE(exact_.load(wide, vec({-1, -1}), Vector::Constant(2, infinity)));
}

}  // namespace slipstick::internal::exact_lemke_test
