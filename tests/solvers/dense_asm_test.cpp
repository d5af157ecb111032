// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// primal-asm and dual-asm, and what all active-set methods have in common.
#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/solvers/active_set/dual_asm.hpp"
#include "slipstick/solvers/active_set/pdasm.hpp"
#include "slipstick/solvers/active_set/primal_asm.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "tests/solvers/row_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::dense_asm_test {

using namespace row_cases;

template <class Method>
class EveryActiveSet : public testing::Test {};
using AllMethods = testing::Types<DualAsm, PrimalAsm, Pdasm, Schurpa>;
TYPED_TEST_SUITE(EveryActiveSet, AllMethods);

TYPED_TEST(EveryActiveSet, ProjectsOnTheSimplex) {
  TypeParam solver;
  expect_projection_on_the_simplex(solver);
}

TYPED_TEST(EveryActiveSet, RowsHoldAtEitherBound) {
  TypeParam solver;
  expect_rows_to_hold_at_either_bound(solver);
}

TYPED_TEST(EveryActiveSet, FindsTheKnownSolutionsOfRows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RowQp qp = random_row_qp({.unknowns = 40, .rows = 20, .condition = 1e4, .seed = seed});
    const Result result = solve_with(TypeParam(), qp.problem, 1e-13);
    EXPECT_LE((result.x - qp.x).norm(), 1e-9 * qp.x.norm()) << seed << ": " << result.message;
    EXPECT_LE((result.multipliers - qp.y).norm(), 1e-7 * qp.y.norm()) << seed;
  }
}

template <class Method>
class Classical : public testing::Test {};
using Methods = testing::Types<DualAsm, PrimalAsm>;
TYPED_TEST_SUITE(Classical, Methods);

TYPED_TEST(Classical, FindsTheKnownSolutionsOfBoxes) {
  TypeParam solver;
  EXPECT_EQ(expect_known_boxes(solver, 80), 0);
}

TYPED_TEST(Classical, DependentAndManyRowsAreNoTrouble) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const RowQpOptions& options :
         {RowQpOptions{.unknowns = 30, .rows = 15, .dependent = 6, .seed = seed},
          RowQpOptions{.unknowns = 10, .rows = 60, .dependent = 5, .seed = seed}}) {
      const RowQp qp = random_row_qp(options);
      const Result result = solve_with(TypeParam(), qp.problem);
      EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
      EXPECT_LE((result.x - qp.x).norm(), 1e-7 * qp.x.norm()) << seed;
    }
  }
}

TYPED_TEST(Classical, ProvesThatThereIsNoFeasiblePoint) {
  const Problem free = identity(vec({1, 1}), ProductSet::free(2));
  for (const Problem& impossible :
       {with_rows(free, mat({{1, 1}, {1, 1}}), vec({2, -infinity}), vec({infinity, 1})),
        with_rows(free, mat({{1, 1}, {2, 2}}), vec({2, 5}), vec({2, 5})),
        with_rows(identity(vec({1, 1}), ProductSet::nonnegative(2)), mat({{1, 1}}), vec({-infinity}),
                  vec({-1}))}) {
    const Result result = solve_with(TypeParam(), impossible);
    EXPECT_EQ(result.status, Status::infeasible) << result.message;
    EXPECT_TRUE(result.x.allFinite());
  }
}

TYPED_TEST(Classical, StartsFromTheWarmSet) {
  const RowQp qp = random_row_qp({.unknowns = 60, .rows = 40, .seed = 4});
  TypeParam solver;
  const Result cold = solve_with(solver, qp.problem, 1e-12);
  ASSERT_GT(cold.counts.iterations, 5);
  // A neighbouring problem.
  Problem moved = qp.problem;
  moved.b *= 1.001;
  const WarmStart start{cold.x};
  const Result warm = solve_with(solver, moved, 1e-12, &start);
  const Result without = solve_with(solver, moved, 1e-12);
  ASSERT_TRUE(warm.solved() && without.solved());
  EXPECT_LT(warm.counts.iterations, without.counts.iterations / 2);
  EXPECT_LE((warm.x - without.x).norm(), 1e-10 * warm.x.norm());
}

TYPED_TEST(Classical, RefusesLargeProblems) {
  TypeParam solver({.max_unknowns = 2});
  EXPECT_NE(
      solver.explain_unsupported(identity(vec({1, 1, 1}), ProductSet::free(3))).find("up to 2 unknowns"),
      std::string::npos);
}

TEST(DualAsmTest, RefusesWhatIsNotPositiveDefinite) {
  DualAsm solver;
  const Problem zero{.A = csr_from_dense(mat({{1, 0}, {0, 0}})),
                     .b = vec({-1, -1}),
                     .K = ProductSet::box(vec({0, 0}), vec({1, 1}))};
  EXPECT_NE(solver.explain_unsupported(zero).find("diagonal entry 1 is 0"), std::string::npos);
  const Problem singular{.A = csr_from_dense(mat({{1, 1}, {1, 1}})),
                         .b = vec({-1, -1}),
                         .K = ProductSet::box(vec({0, 0}), vec({1, 1}))};
  const Result result = solve_with(solver, singular);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_NE(result.message.find("positive definite"), std::string::npos);
}

TEST(PrimalAsmTest, TakesSingularMatrices) {
  PrimalAsm solver;
  // A linear program: -x - 2 y over x + y <= 1, x, y >= 0.
  const Problem linear = with_rows(
      {.A = csr_from_dense(DenseMatrix::Zero(2, 2)), .b = vec({-1, -2}), .K = ProductSet::nonnegative(2)},
      mat({{1, 1}}), vec({-infinity}), vec({1}));
  const Result result = solve_with(solver, linear, 1e-12);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.x - vec({0, 1})).norm(), 1e-12);
  EXPECT_NEAR(result.multipliers[0], -2.0, 1e-12);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RowQp qp = random_row_qp({.unknowns = 30, .rows = 15, .null_space = 8, .seed = seed});
    EXPECT_TRUE(solve_with(solver, qp.problem).solved()) << seed;
  }
  const Problem saddle{
      .A = csr_from_dense(mat({{1, 2}, {2, 1}})), .b = vec({-1, -1}), .K = ProductSet::nonnegative(2)};
  EXPECT_EQ(solve_with(solver, saddle).status, Status::unsupported);
}

TEST(ActiveSets, AllMethodsAgree) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RowQp qp = random_row_qp({.unknowns = 50, .rows = 25, .condition = 5e4, .seed = seed});
    Schurpa schurpa;
    DualAsm dual;
    PrimalAsm primal;
    const Vector reference = solve_with(Pdasm(), qp.problem, 1e-14).x;
    for (Solver* solver : std::initializer_list<Solver*>{&schurpa, &dual, &primal}) {
      const Result result = solve_with(*solver, qp.problem, 1e-14);
      EXPECT_LE((result.x - reference).norm(), 1e-9 * reference.norm()) << seed;
    }
  }
}

}  // namespace slipstick::internal::dense_asm_test
