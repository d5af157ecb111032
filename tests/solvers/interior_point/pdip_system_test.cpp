// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip_system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/cone_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::pdip_system_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  Sample(Problem given, PdipDirection direction, double tolerance = 1e-13)
      : problem(std::move(given)), system(direction, {.tolerance = tolerance}, {}) {
    Ruler ruler;
    ruler.prepare(problem);
    unknowns.prepare(problem, ruler.scale());
    system.prepare(problem.A, unknowns);
  }
  Index solve(const BarrierTerms& terms, const Vector& right_side, Vector& v, double floor = 0.0) {
    return system.solve(problem.A, unknowns, terms, right_side, floor, 1, v);
  }
  Problem problem;
  ConeUnknowns unknowns;
  PdipSystem system;
};

Problem free_rows(const DenseMatrix& A) {
  return {csr_from_dense(A), Vector::Zero(A.rows()), ProductSet::free(A.rows())};
}

class PdipSystemDirection : public ::testing::TestWithParam<PdipDirection> {};

TEST_P(PdipSystemDirection, TwoRowsByHand) {
  Sample sample(free_rows(mat({{1, 0.5}, {0.5, 1}})), GetParam());
  const BarrierTerms terms{{}, vec({3, 0})};
  ASSERT_TRUE(sample.system.update(terms));
  Vector v = vec({nan, nan});
  sample.solve(terms, vec({4.5, 1.5}), v);  // [4, 0.5; 0.5, 1] v
  EXPECT_LT((v - vec({1, 1})).norm(), 1e-12);
}

TEST_P(PdipSystemDirection, SolvesTheNewtonMatrix) {
  Random random(1);
  const Problem problems[] = {cone_cases::cones_and_rows(1), cone_cases::packing(12, 0.3)};
  for (const Problem& problem : problems) {
    Sample sample(problem, GetParam());
    for (int round = 0; round < 2; ++round) {
      const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
      const DenseMatrix matrix = cone_cases::newton_matrix(problem.A, sample.unknowns, terms);
      const Vector right_side = random_vector(sample.unknowns.size(), random);
      Vector v(sample.unknowns.size());
      ASSERT_TRUE(sample.system.update(terms));
      const Index products = sample.solve(terms, right_side, v);
      EXPECT_LT((matrix * v - right_side).norm(), 1e-11 * right_side.norm());
      EXPECT_EQ(products > 0, GetParam() != PdipDirection::direct);
    }
  }
}

TEST_P(PdipSystemDirection, SeesWhatIsNotFinite) {
  Sample sample(free_rows(mat({{1, 0.5}, {0.5, 1}})), GetParam());
  EXPECT_FALSE(sample.system.update({{}, vec({0, nan})}));
  EXPECT_FALSE(sample.system.update({{}, vec({infinity, 0})}));
  EXPECT_TRUE(sample.system.update({{}, vec({0, 0})}));
}

TEST_P(PdipSystemDirection, ASecondSolveAllocatesNothing) {
  Random random(2);
  Sample sample(cone_cases::cones_and_rows(1), GetParam());
  const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
  const Vector right_side = random_vector(sample.unknowns.size(), random);
  Vector v(sample.unknowns.size());
  std::size_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = allocations();
    sample.system.prepare(sample.problem.A, sample.unknowns);
    sample.system.update(terms);
    sample.solve(terms, right_side, v);
  }
  EXPECT_EQ(allocations() - before, 0U);
}

std::string name_of(const ::testing::TestParamInfo<PdipDirection>& direction) {
  constexpr const char* names[] = {"Direct", "Krylov", "Spike"};
  return names[static_cast<int>(direction.param)];
}

INSTANTIATE_TEST_SUITE_P(Directions, PdipSystemDirection,
                         ::testing::Values(PdipDirection::direct, PdipDirection::krylov,
                                           PdipDirection::spike),
                         name_of);

TEST(PdipSystem, OnlyProductsNeedNoFactor) {
  Random random(5);
  for (const PdipDirection direction : {PdipDirection::direct, PdipDirection::krylov, PdipDirection::spike}) {
    Sample sample(cone_cases::cones_and_rows(1), direction);
    sample.system.update(cone_cases::random_terms(sample.unknowns, random));
    EXPECT_EQ(sample.system.factorizations(), direction == PdipDirection::krylov ? 0 : 1);
  }
}

// With nothing dropped the preconditioner is the inverse but for rounding: one step of BiCGStab(2) and a
// check. The plain method needs its steps.
TEST(PdipSystem, SpikeSparesProducts) {
  Random random(3);
  Sample plain(cone_cases::packing(12, 0.3), PdipDirection::krylov, 1e-8);
  Sample spike(cone_cases::packing(12, 0.3), PdipDirection::spike, 1e-8);
  const BarrierTerms terms = cone_cases::random_terms(plain.unknowns, random);
  const Vector right_side = random_vector(plain.unknowns.size(), random);
  Vector v(plain.unknowns.size());
  ASSERT_TRUE(plain.system.update(terms));
  ASSERT_TRUE(spike.system.update(terms));
  EXPECT_LE(spike.solve(terms, right_side, v), 5);
  EXPECT_GE(plain.solve(terms, right_side, v), 20);
}

TEST(PdipSystem, AResidualAtTheFloorIsSmallEnough) {
  Random random(4);
  Sample sample(cone_cases::packing(12, 0.3), PdipDirection::krylov);
  const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
  const DenseMatrix matrix = cone_cases::newton_matrix(sample.problem.A, sample.unknowns, terms);
  const Vector right_side = random_vector(sample.unknowns.size(), random);
  Vector v(sample.unknowns.size());
  ASSERT_TRUE(sample.system.update(terms));
  const Index accurate = sample.solve(terms, right_side, v);
  const Index rough = sample.solve(terms, right_side, v, 1e-2);
  EXPECT_LT(rough, accurate);
  EXPECT_LE((matrix * v - right_side).norm(), 1e-2);
  EXPECT_GT((matrix * v - right_side).norm(), 1e-10);
  // The floor is that of one call.
  EXPECT_EQ(sample.solve(terms, right_side, v), accurate);
  // A right side below it needs no product at all, and v does not depend on what it was.
  v.setConstant(nan);
  EXPECT_EQ(sample.solve(terms, right_side, v, 2.0 * right_side.norm()), 0);
  EXPECT_EQ(v.norm(), 0.0);
}

}  // namespace slipstick::internal::pdip_system_test
