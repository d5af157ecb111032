// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm_system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/cone_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::ipm_system_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  explicit Sample(Problem given) : problem(std::move(given)) {
    Ruler ruler;
    ruler.prepare(problem);
    unknowns.prepare(problem, ruler.scale());
    system.prepare(problem.A, unknowns);
  }
  // Free rows without a barrier.
  Sample(const DenseMatrix& A) : Sample(Problem{csr_from_dense(A), Vector::Zero(A.rows()), free(A)}) {}
  static ProductSet free(const DenseMatrix& A) { return ProductSet::free(A.rows()); }

  Problem problem;
  ConeUnknowns unknowns;
  IpmSystem system;
};

TEST(IpmSystem, TwoRowsByHand) {
  Sample sample(mat({{1, 0}, {0, 1}}));
  // [4, 0; 0, 1] v = (8, 3), then [1, 0; 0, 2] v = (8, 3).
  Vector v = vec({nan, nan});
  ASSERT_TRUE(sample.system.factorize({{}, vec({3, 0})}));
  sample.system.solve(vec({8, 3}), v);
  EXPECT_LT((v - vec({2, 3})).norm(), 1e-15);
  ASSERT_TRUE(sample.system.factorize({{}, vec({0, 1})}));
  sample.system.solve(vec({8, 3}), v);
  EXPECT_LT((v - vec({8, 1.5})).norm(), 1e-15);
}

TEST(IpmSystem, SolvesTheNewtonMatrix) {
  Random random(1);
  for (const std::uint64_t seed : {1, 2, 3}) {
    Sample sample(cone_cases::cones_and_rows(seed));
    const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
    const DenseMatrix matrix = cone_cases::newton_matrix(sample.problem.A, sample.unknowns, terms);
    const Vector right_side = random_vector(sample.unknowns.size(), random);
    Vector v(sample.unknowns.size());
    ASSERT_TRUE(sample.system.factorize(terms));
    sample.system.solve(right_side, v);
    EXPECT_LT((matrix * v - right_side).norm(), 1e-12 * matrix.norm() * v.norm());
  }
}

// Barrier terms from 1e-20 to 1e20, as at the end of a solve: every row is solved to its own scale.
TEST(IpmSystem, TermsOfEverySize) {
  Sample sample(mat({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}));
  ASSERT_TRUE(sample.system.factorize({{}, vec({1e20, 1e-20, 0})}));
  Vector v(3);
  sample.system.solve(vec({3e20, 3, 3}), v);
  // v_0 = 3; S A S = A / 2, so [1, 1/2; 1/2, 1] (v_1, v_2) = (3 - 3/2, 3).
  EXPECT_NEAR(v[0], 3.0, 1e-14);
  EXPECT_NEAR(v[1], 0.0, 1e-14);
  EXPECT_NEAR(v[2], 3.0, 1e-14);
}

// The regularization bears on what A leaves open alone.
TEST(IpmSystem, SingularButConsistent) {
  Sample sample(mat({{1, -1}, {-1, 1}}));
  ASSERT_TRUE(sample.system.factorize({{}, vec({0, 0})}));
  Vector v(2);
  sample.system.solve(vec({1, -1}), v);
  EXPECT_NEAR(v[0] - v[1], 1.0, 1e-12);
  EXPECT_TRUE(v.allFinite());
}

TEST(IpmSystem, SeesWhatIsNotSemidefiniteOrFinite) {
  Sample indefinite(mat({{1, 3}, {3, 1}}));
  EXPECT_FALSE(indefinite.system.factorize({{}, vec({0, 0})}));
  EXPECT_TRUE(indefinite.system.factorize({{}, vec({3, 3})}));
  EXPECT_FALSE(indefinite.system.factorize({{}, vec({3, nan})}));
  Sample negative(mat({{-1, 0}, {0, 1}}));
  EXPECT_FALSE(negative.system.factorize({{}, vec({0, 0})}));
}

// An indefiniteness of 1e-8 is within what is added to the diagonal.
TEST(IpmSystem, RegularizesAsMuchAsItTakes) {
  Sample sample(mat({{1, 1 + 1e-8}, {1 + 1e-8, 1}}));
  EXPECT_TRUE(sample.system.factorize({{}, vec({0, 0})}));
  Sample worse(mat({{1, 1 + 1e-3}, {1 + 1e-3, 1}}));
  EXPECT_FALSE(worse.system.factorize({{}, vec({0, 0})}));
}

TEST(IpmSystem, TakesAnotherMatrix) {
  Sample sample(mat({{1, 0}, {0, 1}}));
  const Problem other{csr_from_dense(mat({{1, 0.5, 0}, {0.5, 1, 0}, {0, 0, 1}})), Vector::Zero(3),
                      ProductSet::free(3)};
  ConeUnknowns unknowns;
  unknowns.prepare(other, Vector::Ones(3));
  sample.system.prepare(other.A, unknowns);
  ASSERT_TRUE(sample.system.factorize({{}, Vector::Zero(3)}));
  Vector v(3);
  sample.system.solve(vec({1.5, 1.5, 1}), v);
  EXPECT_LT((v - vec({1, 1, 1})).norm(), 1e-14);
}

TEST(IpmSystem, FactorizingAgainAllocatesNothing) {
  Random random(2);
  Sample sample(cone_cases::cones_and_rows(1));
  const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
  const Vector right_side = random_vector(sample.unknowns.size(), random);
  Vector v(sample.unknowns.size());
  sample.system.factorize(terms);
  sample.system.solve(right_side, v);
  const std::size_t before = allocations();
  sample.system.prepare(sample.problem.A, sample.unknowns);
  sample.system.factorize(terms);
  sample.system.solve(right_side, v);
  EXPECT_EQ(allocations() - before, 0U);
}

}  // namespace slipstick::internal::ipm_system_test
