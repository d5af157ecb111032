// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/pdasm.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "tests/solvers/row_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::pdasm_test {

using namespace row_cases;

template <class Method>
class PrimalDual : public testing::Test {};
using Methods = testing::Types<Pdasm, Schurpa>;
TYPED_TEST_SUITE(PrimalDual, Methods);

TYPED_TEST(PrimalDual, FindsTheKnownSolutionsOfBoxes) {
  TypeParam solver;
  expect_known_boxes(solver, 150);
}

TYPED_TEST(PrimalDual, DependentRowsAndSingularMatricesEndHonestly) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const RowQpOptions& options :
         {RowQpOptions{.unknowns = 30, .rows = 15, .dependent = 6, .seed = seed},
          RowQpOptions{.unknowns = 30, .rows = 15, .null_space = 8, .seed = seed},
          RowQpOptions{.unknowns = 15, .rows = 40, .dependent = 5, .null_space = 3, .seed = seed}}) {
      const RowQp qp = random_row_qp(options);
      const Result result = solve_with(TypeParam(), qp.problem);
      EXPECT_EQ(result.solved(), error_of(qp.problem, result) <= 1e-8);
      EXPECT_LE(result.counts.iterations, 2000);
      solved += result.solved();
    }
  }
  EXPECT_GE(solved, 28);
}

TYPED_TEST(PrimalDual, ContradictionsEndHonestly) {
  const Problem identity{.A = DenseMatrix::Identity(2, 2).eval(), .b = vec({1, 1}), .K = ProductSet::free(2)};
  const Problem impossible =
      with_rows(identity, mat({{1, 1}, {1, 1}}), vec({2, -infinity}), vec({infinity, 1}));
  const Result result = solve_with(TypeParam(), impossible);
  EXPECT_FALSE(result.solved());
  EXPECT_TRUE(result.x.allFinite());
}

TYPED_TEST(PrimalDual, RefusesWhatIsNotConvex) {
  TypeParam solver;
  const Problem saddle{
      .A = csr_from_dense(mat({{1, 2}, {2, 1}})), .b = vec({-1, -1}), .K = ProductSet::free(2)};
  const Result result = solve_with(solver, saddle);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message, "the matrix is not positive semidefinite");
  Problem skew = saddle;
  skew.symmetric = false;
  EXPECT_NE(solver.explain_unsupported(skew).find("symmetric"), std::string::npos);
}

// The friction QP over diamonds |x| + |y| <= radius (Litven 2013, F2). Turned by 45 degrees the facets are
// bounds. The null-space method of Alg. 5.2 becomes the reduced Hessian of Alg. 5.1: Z'HZ is a principal
// submatrix of the turned matrix. As linear rows they go to the general part.
TEST(Facets, OfDiamondsAreBoundsOfTurnedUnknownsOrLinearRows) {
  constexpr Index contacts = 12;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const DenseMatrix h = random_spd(random, 2 * contacts, 100.0);
    const Vector b = random_vector(2 * contacts, random);
    const Vector radius = 0.5 * random_vector(contacts, random).cwiseAbs();
    Problem diamonds{.A = csr_from_dense(h), .b = b, .K = {}};
    DenseMatrix turn = DenseMatrix::Zero(2 * contacts, 2 * contacts);
    Vector bound(2 * contacts);
    for (Index c = 0; c < contacts; ++c) {
      diamonds.K.append_diamond(radius[c], 2);
      turn.block(2 * c, 2 * c, 2, 2) = 0.5 * mat({{1, 1}, {1, -1}});
      bound.segment(2 * c, 2).setConstant(radius[c]);
    }
    // x = turn u with |u| <= bound, and u = 2 turn' x.
    const Problem turned{.A = csr_from_dense(turn.transpose() * h * turn),
                         .b = turn.transpose() * b,
                         .K = ProductSet::box(-bound, bound)};
    const Problem rows = with_rows({.A = csr_from_dense(h), .b = b, .K = ProductSet::free(2 * contacts)},
                                   2.0 * turn.transpose(), -bound, bound);
    Schurpa schurpa;
    const Result by_bounds = solve_with(schurpa, turned, 1e-13);
    const Result by_rows = solve_with(schurpa, rows, 1e-13);
    ASSERT_TRUE(by_bounds.solved() && by_rows.solved());
    EXPECT_LE((turn * by_bounds.x - by_rows.x).norm(), 1e-11);
    EXPECT_LE(error_of(diamonds, by_rows.x), 1e-11);
  }
}

// The sets of a solve, as the rows at a bound.
class Sets : public Observer {
 public:
  bool observe(const Iteration& iteration) override {
    std::vector<char> held;
    for (const double value : iteration.x) held.push_back(value == 0.0);
    sets.push_back(std::move(held));
    counts.push_back(iteration.active);
    return true;
  }
  std::vector<std::vector<char>> sets;
  std::vector<Index> counts;
};

WarmStart start_from(const std::vector<int>& active, Index rows) {
  WarmStart start{Vector::Ones(rows)};
  for (const int i : active) start.x[i] = 0.0;
  return start;
}

TEST(Schurpa, VisitsTheSetsOfPdasmWithOneFactorization) {
  for (const Index wrong : {0, 10, 40}) {
    const BandedQpOptions options{
        .rows = 400, .bandwidth = 30, .wrong_indices = wrong, .seed = static_cast<std::uint64_t>(wrong) + 1};
    const BandedQp qp = random_banded_qp(options);
    const WarmStart start = start_from(qp.initial_active_set, options.rows);
    Pdasm direct;
    Schurpa schur;
    Sets direct_sets, schur_sets;
    Result direct_result, schur_result;
    direct.solve(qp.problem, {.tolerance = 1e-13}, direct_result, &start, &direct_sets);
    schur.solve(qp.problem, {.tolerance = 1e-13}, schur_result, &start, &schur_sets);
    ASSERT_TRUE(direct_result.solved() && schur_result.solved());
    EXPECT_EQ(direct_sets.sets, schur_sets.sets);
    EXPECT_LE((direct_result.x - qp.x).norm(), 1e-11 * qp.x.norm());
    EXPECT_LE((schur_result.x - direct_result.x).norm(), 1e-11 * qp.x.norm());
    EXPECT_EQ(direct_result.counts.factorizations, direct_result.counts.iterations);
    EXPECT_EQ(schur_result.counts.factorizations, 1);
    EXPECT_EQ(schur.work().factorizations, 1);
    EXPECT_GE(schur.work().solves, wrong);
    if (wrong == 0) {
      EXPECT_EQ(direct_result.counts.iterations, 1);
    }
    if (wrong > 0) {
      EXPECT_GT(direct_result.counts.iterations, 2);
    }
  }
}

TEST(Schurpa, VisitsTheSetsOfPdasmOnLinearRows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RowQp qp = random_row_qp({.unknowns = 40, .rows = 20, .seed = seed});
    Pdasm direct;
    Schurpa schur;
    Sets direct_sets, schur_sets;
    Result result;
    direct.solve(qp.problem, {.tolerance = 1e-13}, result, nullptr, &direct_sets);
    schur.solve(qp.problem, {.tolerance = 1e-13}, result, nullptr, &schur_sets);
    EXPECT_EQ(direct_sets.sets, schur_sets.sets) << seed;
    EXPECT_EQ(direct_sets.counts, schur_sets.counts) << seed;
    EXPECT_EQ(result.counts.factorizations, 1) << seed;
  }
}

TEST(Schurpa, FactorizesAnewAboveTheThreshold) {
  const BandedQpOptions options{.rows = 300, .bandwidth = 20, .wrong_indices = 60};
  const BandedQp qp = random_banded_qp(options);
  const WarmStart start = start_from(qp.initial_active_set, options.rows);
  const Result result = solve_with(Schurpa(SchurpaSettings{.max_changes = 20}), qp.problem, 1e-13, &start);
  ASSERT_TRUE(result.solved());
  EXPECT_GT(result.counts.factorizations, 1);
  EXPECT_LT(result.counts.factorizations, result.counts.iterations + 1);
  EXPECT_LE((result.x - qp.x).norm(), 1e-11 * qp.x.norm());
}

TEST(Schurpa, ASecondProblemWithTheSameMatrixStartsAnew) {
  BandedQpOptions options{.rows = 100, .bandwidth = 5};
  const BandedQp qp = random_banded_qp(options);
  Problem other = qp.problem;
  other.b *= 2.0;
  Schurpa schur;
  solve_with(schur, qp.problem, 1e-13);
  const Result result = solve_with(schur, other, 1e-13);
  EXPECT_LE((result.x - 2.0 * qp.x).norm(), 1e-11 * qp.x.norm());
  // Another matrix of the same size, too.
  options.seed = 2;
  const BandedQp third = random_banded_qp(options);
  EXPECT_LE((solve_with(schur, third.problem, 1e-13).x - third.x).norm(), 1e-11 * third.x.norm());
}

}  // namespace slipstick::internal::pdasm_test
