// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::ruler_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem diagonal_problem(const Vector& diagonal, const Vector& b, const ProductSet& K) {
  return {DenseMatrix(diagonal.asDiagonal()), b, K};
}

double judge(const Problem& problem, const Vector& x, const Vector& w) {
  Ruler ruler;
  ruler.prepare(problem);
  return ruler(x, w);
}

double judge(const Problem& problem, const Vector& x) {
  Vector w(x.size());
  problem.A.multiply(x, w);
  return judge(problem, x, w + problem.b);
}

LinearRows rows_of(const DenseMatrix& G, const Vector& lower, const Vector& upper) {
  return {std::make_shared<const CsrMatrix>(csr_from_dense(G)), lower, upper};
}

TEST(Ruler, ComplementarityRows) {
  // x - w/d = (1, -1) -> (1, 0), so e = (1, 1) and d e = (2, 4); ||b|| = ||(-2, 4)||.
  const Problem problem = diagonal_problem(vec({2, 4}), vec({-2, 4}), ProductSet::nonnegative(2));
  EXPECT_DOUBLE_EQ(judge(problem, vec({2, 1})), std::sqrt(20.0) / std::sqrt(20.0));
  EXPECT_EQ(judge(problem, vec({1, 0})), 0.0);
}

TEST(Ruler, BoxRowsOfEveryKind) {
  // Two-sided with the step inside, fixed and off its value, free, two-sided at its upper bound.
  const Problem problem =
      diagonal_problem(vec({2, 4, 1, 8}), vec({1, 2, 2, 4}),
                       ProductSet::box(vec({-1, 0.5, -infinity, -1}), vec({1, 0.5, infinity, 0})));
  const Vector x = vec({1, 1, 3, 0});
  EXPECT_DOUBLE_EQ(judge(problem, x), std::sqrt(9.0 + 4.0 + 25.0 + 16.0) / 5.0);
  // The other sides: pushed past the upper bound, past the lower one, and outside of the box.
  EXPECT_DOUBLE_EQ(judge(problem, x, vec({-3, 0, 0, -9})), std::sqrt(0.0 + 4.0) / 5.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({-1, 0.5, 3, -1}), vec({3, 9, 0, 9})), 0.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({2, 0.5, 3, -2}), vec({-9, 9, 0, 9})), std::sqrt(4.0 + 64.0) / 5.0);
}

TEST(Ruler, ConeInEachRegime) {
  // d = 2, the mean diagonal; mu = 3/4.
  const Problem problem = diagonal_problem(vec({1, 2, 3}), vec({0, 3, 4}), ProductSet::cones(vec({0.75}), 3));
  // Inside: d e = w.
  EXPECT_DOUBLE_EQ(judge(problem, vec({9, 1, 0}), vec({1, 2, 2})), 3.0 / 5.0);
  // The step lies in the polar cone, and projects to 0: e = x.
  EXPECT_DOUBLE_EQ(judge(problem, vec({1, 0, 0}), vec({10, 0, 0})), 2.0 / 5.0);
  // Outside: x - w/d = (2, 3, 0) projects to (2.72, 2.04, 0).
  EXPECT_DOUBLE_EQ(judge(problem, vec({2, 0, 0}), vec({0, -6, 0})), 2.0 * std::sqrt(4.68) / 5.0);
  // Complementary: x on the boundary, w on the boundary of the dual cone, x'w = 0.
  EXPECT_NEAR(judge(problem, vec({4, 3, 0}), vec({0.75, -1, 0})), 0.0, 4e-16);
}

TEST(Ruler, RayIsTheConeWithoutFriction) {
  const Problem problem = diagonal_problem(vec({2, 2, 2}), vec({0, 3, 4}), ProductSet::cones(vec({0.0}), 3));
  EXPECT_EQ(judge(problem, vec({1, 0, 0}), vec({0, 7, -8})), 0.0);  // tangential velocity is free
  EXPECT_EQ(judge(problem, vec({0, 0, 0}), vec({1, 7, -8})), 0.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({0, 0, 0}), vec({-1, 7, -8})), 1.0 / 5.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({1, 0, 3}), vec({0, 0, 0})), 6.0 / 5.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({-1, 0, 0}), vec({0, 0, 0})), 2.0 / 5.0);
}

TEST(Ruler, DiskAndDiamondOfAnySize) {
  ProductSet disk;
  disk.append_disk(1.0, 2);
  EXPECT_DOUBLE_EQ(judge(diagonal_problem(vec({1, 1}), vec({2, 0}), disk), vec({0, 0}), vec({-3, -4})), 0.5);
  ProductSet diamond;
  diamond.append_diamond(1.0, 2);
  EXPECT_DOUBLE_EQ(judge(diagonal_problem(vec({1, 1}), vec({2, 0}), diamond), vec({0, 0}), vec({-2, -0.5})),
                   0.5);
  // A block of more rows than any contact has, with free and bounded rows around it.
  ProductSet mixture;
  mixture.append_free(1);
  mixture.append_disk(2.0, 20);
  mixture.append_interval(0.0, 1.0);
  const Problem problem = diagonal_problem(Vector::Constant(22, 1.0), Vector::Unit(22, 0) * 2.0, mixture);
  Vector x = Vector::Zero(22), w = Vector::Zero(22);
  w[0] = 3.0;
  w[1] = -5.0;
  w[21] = -9.0;
  EXPECT_DOUBLE_EQ(judge(problem, x, w), std::sqrt(9.0 + 4.0 + 1.0) / 2.0);
}

TEST(Ruler, LinearRowsByHand) {
  // delta = 1/2 + 1/2, weight = sqrt(2) / 1. The row is 1 off its value; K has no say.
  Problem problem = diagonal_problem(vec({2, 2}), vec({3, 4}), ProductSet::free(2));
  problem.rows = rows_of(mat({{1, 1}}), vec({1}), vec({1}));
  Ruler ruler;
  ruler.prepare(problem);
  EXPECT_DOUBLE_EQ(ruler.norm(), std::sqrt(25.0 + 2.0));
  EXPECT_DOUBLE_EQ(ruler(vec({1, 1}), vec({0, 0}), vec({7})), std::sqrt(2.0 / 27.0));
  EXPECT_EQ(ruler(vec({1, 0}), vec({0, 0}), vec({7})), 0.0);
  EXPECT_DOUBLE_EQ(ruler(vec({1, 0}), vec({1, 0}), vec({7})), 1.0 / std::sqrt(27.0));
}

TEST(Ruler, LinearRowsOfTheIdentityAreBounds) {
  Random random(3);
  const Index n = 12;
  DenseMatrix a = DenseMatrix::NullaryExpr(n, n, [&] { return random.normal(); });
  a = (a * a.transpose()).eval();
  const Vector lower = Vector::NullaryExpr(n, [&] { return random.uniform(-2.0, 0.0); });
  const Vector upper = lower + Vector::NullaryExpr(n, [&] { return random.uniform(0.0, 2.0); });
  const Vector b = Vector::NullaryExpr(n, [&] { return random.normal(); });
  const Vector x = Vector::NullaryExpr(n, [&] { return random.normal(); });
  const Vector w = a * x + b;
  const Problem bounds = {a, b, ProductSet::box(lower, upper)};
  const Problem rows = {a, b, ProductSet::free(n), rows_of(DenseMatrix::Identity(n, n), lower, upper)};
  Ruler of_bounds, of_rows;
  of_bounds.prepare(bounds);
  of_rows.prepare(rows);
  EXPECT_NEAR(of_rows(x, Vector::Zero(n), w) * of_rows.norm(), of_bounds(x, w) * of_bounds.norm(), 1e-12);
}

TEST(Ruler, NothingToDivideBy) {
  const Problem homogeneous = diagonal_problem(vec({1, 1}), vec({0, 0}), ProductSet::nonnegative(2));
  EXPECT_EQ(judge(homogeneous, vec({0, 0})), 0.0);
  EXPECT_EQ(judge(homogeneous, vec({1, 0})), infinity);
  const Problem cone = diagonal_problem(vec({1, 1}), vec({0, 0}), ProductSet::cones(vec({1.0}), 2));
  EXPECT_EQ(judge(cone, vec({0, 0})), 0.0);
  EXPECT_EQ(judge(cone, vec({1, 0})), infinity);
  EXPECT_EQ(judge({DenseMatrix(0, 0), Vector(0), ProductSet()}, Vector(0)), 0.0);
}

TEST(Ruler, BoundsThatExcludeTheOriginSetTheScale) {
  const Problem problem = {mat({{2, 1}, {1, 2}}), vec({0, 0}),
                           ProductSet::box(vec({1, -infinity}), vec({infinity, infinity}))};
  Ruler ruler;
  ruler.prepare(problem);
  EXPECT_DOUBLE_EQ(ruler.norm(), std::sqrt(5.0));
  EXPECT_EQ(judge(problem, vec({1, -0.5})), 0.0);
  EXPECT_DOUBLE_EQ(judge(problem, vec({1, 0})), 1.0 / std::sqrt(5.0));
}

TEST(Ruler, ZeroAndNegativeDiagonalsCountAsOne) {
  const Problem problem = diagonal_problem(vec({0, -3}), vec({3, 4}), ProductSet::nonnegative(2));
  EXPECT_DOUBLE_EQ(judge(problem, vec({2, 5}), vec({7, 9})), std::sqrt(4.0 + 25.0) / 5.0);
}

TEST(Ruler, NotFiniteIsNeverSmall) {
  std::vector<ProductSet> sets(6);
  sets[0].append_free(3);
  sets[1].append_nonnegative(3);
  for (int i = 0; i < 3; ++i) sets[2].append_interval(-1.0, 1.0);
  sets[3].append_cone(0.5, 3);
  sets[4].append_diamond(1.0, 3);
  sets[5].append_disk(1.0, 3);
  for (const ProductSet& K : sets) {
    const Problem problem = diagonal_problem(vec({1, 1, 1}), vec({1, 0, 0}), K);
    for (const double bad : {nan, infinity, -infinity}) {
      for (int i = 0; i < 3; ++i) {
        Vector x = Vector::Zero(3), w = Vector::Zero(3);
        x[i] = bad;
        EXPECT_TRUE(std::isnan(judge(problem, x, w))) << name(K.blocks()[0].kind) << " x " << i << " " << bad;
        x[i] = 0.0;
        w[i] = bad;
        EXPECT_TRUE(std::isnan(judge(problem, x, w))) << name(K.blocks()[0].kind) << " w " << i << " " << bad;
      }
    }
  }
  Problem problem = diagonal_problem(vec({1}), vec({1}), ProductSet::free(1));
  problem.rows = rows_of(mat({{1}}), vec({-infinity}), vec({infinity}));
  Ruler ruler;
  ruler.prepare(problem);
  EXPECT_TRUE(std::isnan(ruler(vec({0}), vec({0}), vec({nan}))));
}

TEST(Ruler, HugeImpulsesInTheNullSpaceHideNothing) {
  // A x = 0 for x = t (1, 1), so w = b for every t, and the error is that of x = (1, 1).
  const DenseMatrix a = mat({{1, -1}, {-1, 1}});
  for (const ProductSet& K :
       {ProductSet::nonnegative(2), ProductSet::free(2), ProductSet::cones(vec({2.0}), 2)}) {
    const Problem problem = {a, vec({-3, 4}), K};
    for (const double t : {1e1, 1e8, 1e12, 1e17, 1e100}) {
      const Vector x = t * vec({1, 1});
      EXPECT_GE(judge(problem, x), 0.999) << name(K.blocks()[0].kind) << " " << t;
    }
  }
}

TEST(Ruler, HugeImpulsesOnTheBoundaryOfTheConeHideNothing) {
  // x = t (4, 3, 0) on the boundary of the cone with mu = 3/4, w = b not in its dual cone, or not orthogonal.
  const Problem problem = diagonal_problem(vec({1, 1, 1}), vec({3, 4, 0}), ProductSet::cones(vec({0.75}), 3));
  for (const double t : {1.0, 1e8, 1e12, 1e17}) {
    for (const Vector& w : {vec({0, 0, 1}), vec({4, 3, 0}), vec({-0.75, 1, 0}), vec({-4, -3, 0})}) {
      EXPECT_GE(judge(problem, t * vec({4, 3, 0}), w), 0.1) << t << " " << w.transpose();
    }
  }
}

// A problem with rows of every kind and a point that is no solution.
struct Sample {
  Problem problem;
  Vector x;
};
Sample mixed_sample(double matrix_scale, double unit) {
  Random random(11);
  const Index n = 3 + 4 + 3 + 2;
  DenseMatrix a = DenseMatrix::NullaryExpr(n, n, [&] { return random.normal(); });
  a = (a * a.transpose()).eval();
  ProductSet K;
  K.append_cone(0.5, 3);
  for (int i = 0; i < 4; ++i) K.append_interval(-0.3 * unit, 0.4 * unit);
  K.append_nonnegative(3);
  K.append_disk(0.7 * unit, 2);
  const Vector b = Vector::NullaryExpr(n, [&] { return random.normal(); });
  const Vector x = Vector::NullaryExpr(n, [&] { return random.normal(); });
  return {{DenseMatrix(matrix_scale * a), matrix_scale * unit * b, K}, unit * x};
}

TEST(Ruler, DoesNotDependOnUnits) {
  const Sample sample = mixed_sample(1.0, 1.0);
  const double error = judge(sample.problem, sample.x);
  EXPECT_GT(error, 0.1);
  for (const double matrix_scale : {1e-6, 0.125, 3.0, 1e9}) {
    for (const double unit : {1e-12, 0.5, 7.0, 1e10}) {
      const Sample scaled = mixed_sample(matrix_scale, unit);
      EXPECT_NEAR(judge(scaled.problem, scaled.x), error, 1e-12 * error) << matrix_scale << " " << unit;
    }
  }
}

TEST(Ruler, SquaresDoNotUnderflowOrOverflow) {
  const Sample sample = mixed_sample(1.0, 1.0);
  const auto on_orthant = [&](const Sample& s) {
    return judge({s.problem.A, s.problem.b, ProductSet::nonnegative(s.x.size())}, s.x);
  };
  for (const double unit : {1e-290, 1e-200, 1e200, 1e290})
    EXPECT_NEAR(on_orthant(mixed_sample(1.0, unit)), on_orthant(sample), 1e-12) << unit;
}

// x_1 = 15 has no cost, b = 0, and the row x_1 - x_2 = 0 goes through the origin. Its distance from (15, 0)
// is what errors are relative to. As in the control problem DTOC3.
TEST(Ruler, AFixedStartGivesTheUnit) {
  Problem problem = {mat({{0, 0}, {0, 2}}), vec({0, 0}),
                     ProductSet::box(vec({15, -infinity}), vec({15, infinity}))};
  problem.rows = rows_of(mat({{1, -1}}), vec({0}), vec({0}));
  Ruler ruler;
  ruler.prepare(problem);
  const double weight = std::sqrt(2.0) / 1.5;  // ||G_1|| / (1/1 + 1/2)
  EXPECT_DOUBLE_EQ(ruler.norm(), 15.0 * weight);
  // x_2 = 15 + 1e-6 misses the row and has the multiplier that makes w_2 = 0.
  const double error = ruler(vec({15, 15 + 1e-6}), vec({0, 0}), vec({-30}));
  EXPECT_NEAR(error, 1e-6 / 15.0, 1e-14);
}

TEST(Ruler, RepeatedUseAllocatesNothing) {
  Problem shifted = {mat({{2, 1}, {1, 2}}), vec({0, 0}),
                     ProductSet::box(vec({1, -infinity}), vec({infinity, infinity}))};
  Problem with_rows = shifted;
  with_rows.rows = rows_of(mat({{1, 1}, {1, -1}, {0, 1}}), vec({0, 0, 0}), vec({1, 1, 1}));
  Sample sample = mixed_sample(1.0, 1.0);
  for (const Problem* problem : {&shifted, &with_rows, &sample.problem}) {
    Ruler ruler;
    ruler.prepare(*problem);
    Solution solution;
    solution.x = Vector::Ones(problem->b.size());
    solution.multipliers = Vector::Ones(problem->rows ? problem->rows->G->rows() : 0);
    Measures measures;
    measure(*problem, ruler, solution, 1, measures);
    const std::size_t before = allocations();
    ruler.prepare(*problem);
    measure(*problem, ruler, solution, 1, measures);
    EXPECT_EQ(allocations() - before, 0u);
  }
}

}  // namespace slipstick::internal::ruler_test
