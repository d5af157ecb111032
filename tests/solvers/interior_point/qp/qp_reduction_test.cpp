// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_reduction.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/row_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_reduction_test {

using row_cases::with_rows;

struct Reduced {
  explicit Reduced(const Problem& problem, bool all = true)
      : a(problem.A.assemble()), possible(reduction.reduce(problem, *a, all, qp)) {}
  std::shared_ptr<const CsrMatrix> a;
  QpReduction reduction;
  StandardQp qp;
  bool possible;
};

Problem free_problem(Index n) {
  return {
      .A = DenseMatrix::Identity(n, n).eval(), .b = Vector::LinSpaced(n, 1.0, 2.0), .K = ProductSet::free(n)};
}

TEST(QpReduction, FixedUnknownsMoveIntoTheConstants) {
  Problem problem{
      .A = mat({{2, 1}, {1, 3}}), .b = vec({5, 7}), .K = ProductSet::box(vec({-1, 4}), vec({1, 4}))};
  problem = with_rows(problem, mat({{1, 2}, {3, 1}}), vec({0, 1}), vec({10, 1}));
  const Reduced reduced(problem, false);
  ASSERT_TRUE(reduced.possible);
  EXPECT_EQ(reduced.reduction.columns(), std::vector<int>{0});
  EXPECT_EQ(reduced.qp.c, vec({9}));
  EXPECT_EQ(reduced.qp.row_lower, vec({-8, -3}));
  EXPECT_EQ(reduced.qp.row_upper, vec({2, -3}));
  Vector x(2);
  reduced.reduction.restore(vec({0.5}), x);
  EXPECT_EQ(x, vec({0.5, 4}));
}

TEST(QpReduction, RowsOfOneUnknownBecomeBounds) {
  const Problem problem =
      with_rows(free_problem(2), mat({{-2, 0}, {1, 1}}), vec({-infinity, 0}), vec({-6, 0}));
  const Reduced reduced(problem);
  EXPECT_EQ(reduced.reduction.rows(), std::vector<int>{1});
  EXPECT_EQ(reduced.qp.lower, vec({3, -infinity}));
  // x = (3, -3), b = (1, 2): w = (4, -1) - y (1, 1) with y = -1 leaves 5 = -2 y_0.
  Vector w = vec({4, -1}), y(2);
  reduced.reduction.restore_multipliers(vec({-1}), vec({3, -3}), w, y);
  EXPECT_EQ(y, vec({-2.5, -1}));
  EXPECT_EQ(w, vec({0, 0}));
}

TEST(QpReduction, ImpliedRowsAndSidesGo) {
  Problem problem = free_problem(2);
  problem.K = ProductSet::box(vec({0, 0}), vec({1, infinity}));
  problem = with_rows(problem, mat({{1, 1}, {1, -1}}), vec({-1, -2}), vec({5, 2}));
  const Reduced reduced(problem);
  EXPECT_EQ(reduced.reduction.rows(), (std::vector<int>{0, 1}));
  EXPECT_EQ(reduced.qp.row_lower, vec({-infinity, -2}));
  EXPECT_EQ(reduced.qp.row_upper, vec({5, infinity}));
}

TEST(QpReduction, MultiplesBecomeOneRow) {
  const Problem problem =
      with_rows(free_problem(2), mat({{1, 2}, {-3, -6}, {1, 1}}), vec({0, -9, 0}), vec({5, 3, 1}));
  const Reduced reduced(problem);
  ASSERT_EQ(reduced.reduction.rows().size(), 2U);
  EXPECT_EQ(reduced.qp.row_lower, vec({0, 0}));  // -3 <= -1 <= of the second
  EXPECT_EQ(reduced.qp.row_upper, vec({3, 1}));
  Vector w = Vector::Zero(2), y(3);
  reduced.reduction.restore_multipliers(vec({-6, 0}), vec({3, 0}), w, y);
  EXPECT_EQ(y, vec({0, 2, 0})) << "the stricter bound is that of the second row";
  EXPECT_EQ(w, vec({6, 12}));
}

TEST(QpReduction, BoundsThatDifferByRoundingAreEqual) {
  const double above = std::nextafter(0.3, 1.0);
  const Reduced reduced(
      with_rows(free_problem(2), mat({{1, 1}, {2, 2}}), vec({0.3, 0.6}), vec({infinity, 2 * above})));
  ASSERT_TRUE(reduced.possible);
  EXPECT_EQ(reduced.qp.row_lower, reduced.qp.row_upper);
}

TEST(QpReduction, ContradictionsAreSeen) {
  EXPECT_FALSE(Reduced(with_rows(free_problem(2), mat({{1, 1}, {2, 2}}), vec({2, 5}), vec({2, 5}))).possible);
  EXPECT_FALSE(Reduced(with_rows(free_problem(2), mat({{1, 0}, {2, 0}}), vec({2, 5}), vec({2, 5}))).possible);
  EXPECT_FALSE(Reduced(with_rows(free_problem(1), mat({{0}}), vec({1}), vec({2}))).possible);
}

TEST(QpReduction, UnknownsThatNothingSeesGoToTheirBounds) {
  Problem problem{.A = DenseMatrix::Zero(3, 3).eval(),
                  .b = vec({1, -1, 0}),
                  .K = ProductSet::box(vec({-2, -2, 3}), vec({5, 5, 4}))};
  const Reduced reduced(problem);
  EXPECT_TRUE(reduced.reduction.columns().empty());
  Vector x(3);
  reduced.reduction.restore(Vector(), x);
  EXPECT_EQ(x, vec({-2, 5, 3}));
}

}  // namespace slipstick::internal::qp_reduction_test
