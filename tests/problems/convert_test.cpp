// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/convert.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::convert_test {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Every pattern of (at the lower bound, at the upper bound, between), in a small mixed LCP.
std::optional<Vector> enumerate(const MixedLcp& mixed) {
  const DenseMatrix m = dense(mixed.M);
  const Index n = mixed.q.size();
  const double tolerance = 1e-9;
  std::vector<int> pattern(static_cast<std::size_t>(n), 0);
  for (;;) {
    bool possible = true;
    std::vector<int> between;
    Vector z = Vector::Zero(n);
    for (Index i = 0; i < n; ++i) {
      if (pattern[i] == 0) z[i] = mixed.lower[i];
      if (pattern[i] == 1) z[i] = mixed.upper[i];
      if (pattern[i] == 2) between.push_back(static_cast<int>(i));
      possible = possible && std::isfinite(z[i]) && !(pattern[i] == 2 && mixed.lower[i] == mixed.upper[i]);
    }
    if (possible) {
      bool solved = true;
      if (!between.empty()) {
        const Vector rest = -(mixed.q + m * z)(between);
        const std::optional<Vector> inner = solve_linear(m(between, between), rest);
        solved = inner.has_value();
        if (solved) z(between) = *inner;
      }
      const Vector w = m * z + mixed.q;
      for (Index i = 0; i < n && solved; ++i) {
        if (pattern[i] == 0 && mixed.lower[i] < mixed.upper[i]) solved = w[i] >= -tolerance;
        if (pattern[i] == 1 && mixed.lower[i] < mixed.upper[i]) solved = w[i] <= tolerance;
        if (pattern[i] == 2)
          solved = z[i] >= mixed.lower[i] - tolerance && z[i] <= mixed.upper[i] + tolerance;
      }
      if (solved) return z;
    }
    Index i = 0;
    while (i < n && ++pattern[i] == 3) pattern[i++] = 0;
    if (i == n) return std::nullopt;
  }
}

DenseMatrix random_definite(Random& random, Index n, double skew) {
  DenseMatrix g(n, n), s(n, n);
  for (double& value : g.reshaped()) value = random.normal();
  for (double& value : s.reshaped()) value = random.normal();
  return g * g.transpose() + 0.3 * DenseMatrix::Identity(n, n) + skew * (s - s.transpose());
}

TEST(ToProblem, MeasuresSymmetry) {
  const Problem symmetric = to_problem(LcpProblem{mat({{2, 1}, {1, 2}}), vec({-1, 1})});
  EXPECT_TRUE(symmetric.symmetric);
  EXPECT_TRUE(symmetric.K.is_nonnegative_orthant());
  EXPECT_EQ(symmetric.b, vec({-1, 1}));
  EXPECT_TRUE(to_problem(LcpProblem{mat({{2, 1 + 1e-15}, {1, 2}}), vec({-1, 1})}).symmetric);
  EXPECT_FALSE(to_problem(LcpProblem{mat({{2, 1 + 1e-12}, {1, 2}}), vec({-1, 1})}).symmetric);
  const MixedLcp mixed{mat({{2, 1}, {0, 2}}), vec({-1, 1}), vec({-inf, 0}), vec({inf, 3})};
  const Problem boxed = to_problem(mixed);
  EXPECT_FALSE(boxed.symmetric);
  EXPECT_EQ(boxed.K.blocks()[0].kind, SetKind::free);
  EXPECT_EQ(boxed.K.upper()[1], 3.0);
  EXPECT_TRUE(boxed.A.same_storage(mixed.M));
}

TEST(ToProblem, RefusesSizesAndBoundsThatDoNotFit) {
  EXPECT_THROW(to_problem(LcpProblem{mat({{2, 1}, {1, 2}}), vec({1})}), Error);
  EXPECT_THROW(to_problem(MixedLcp{mat({{1}}), vec({1}), vec({0, 0}), vec({1})}), Error);
  EXPECT_THROW(to_problem(MixedLcp{mat({{1}}), vec({1}), vec({0}), vec({})}), Error);
  EXPECT_THROW(to_problem(MixedLcp{mat({{1}}), vec({1}), vec({2}), vec({1})}), Error);
  EXPECT_THROW(to_lcp(MixedLcp{mat({{1}}), vec({1}), vec({nan}), vec({1})}), Error);
  EXPECT_THROW(to_lcp(MixedLcp{mat({{1}}), vec({1}), vec({inf}), vec({inf})}), Error);
  EXPECT_THROW(to_kkt(Problem{.A = mat({{1}}), .b = vec({1}), .K = ProductSet::free(2)}), Error);
}

TEST(ToLcp, TakesTheOrthantAlone) {
  const Problem problem{.A = mat({{2, 1}, {0, 2}}), .b = vec({-1, 1}), .K = ProductSet::nonnegative(2)};
  EXPECT_EQ(to_lcp(problem).q, problem.b);
  EXPECT_EQ(to_mixed_lcp(to_lcp(problem)).upper, vec({inf, inf}));
  Problem cone = problem;
  cone.K = ProductSet::cones(vec({0.5}), 2);
  EXPECT_EQ(message_of([&] { to_lcp(cone); }),
            "K must be the nonnegative orthant, but the 2 rows from row 0 on are of kind cone");
  EXPECT_EQ(message_of([&] { to_mixed_lcp(cone); }),
            "K must be a box, but the 2 rows from row 0 on are of kind cone");
  Problem with_rows = problem;
  with_rows.rows = LinearRows{std::make_shared<CsrMatrix>(csr_from_dense(mat({{1, 1}}))), vec({0}), vec({1})};
  EXPECT_EQ(message_of([&] { to_lcp(with_rows); }), "an LCP has no linear rows, this problem has 1");
}

TEST(ToQp, FailsWithAFigureWhereNonsymmetric) {
  const LcpProblem lcp{mat({{4, 1}, {0.5, 2}}), vec({-1, 1})};
  const std::string message = message_of([&] { to_qp(lcp); });
  EXPECT_NE(message.find("asymmetric by 1.2e-01"), std::string::npos) << message;
  EXPECT_TRUE(to_qp(LcpProblem{mat({{4, 1}, {1, 2}}), vec({-1, 1})}).symmetric);
  EXPECT_THROW(to_qp(MixedLcp{lcp.M, lcp.q, vec({0, 0}), vec({1, 1})}), Error);
}

TEST(LcpForm, ShiftsFlipsAndBounds) {
  // Rows: from below, from above, two-sided, fixed.
  const MixedLcp mixed{mat({{4, 1, 0, 2}, {-1, 5, 1, 0}, {0, 3, 6, 1}, {1, 1, 1, 1}}), vec({1, 2, 3, 4}),
                       vec({-1, -inf, 2, 7}), vec({inf, 3, 5, 7})};
  const LcpForm form = to_lcp(mixed);
  EXPECT_EQ(dense(form.lcp.M), mat({{4, -1, 0, 0}, {1, 5, -1, 0}, {0, -3, 6, 1}, {0, 0, -1, 0}}));
  // w at z = (-1, 3, 2, 7): 4(-1) + 3 + 2*7 + 1; 1 + 15 + 2 + 2; 9 + 12 + 7 + 3.
  EXPECT_EQ(form.lcp.q, vec({14, -20, 31, 3}));
  EXPECT_EQ(form.offset, vec({-1, 3, 2, 7}));
  EXPECT_EQ(form.recover(vec({1, 2, 3, 100})), vec({0, 1, 5, 7}));
  EXPECT_THROW(form.recover(vec({1})), Error);
}

TEST(LcpForm, EliminatesFreeRows) {
  // 2 u + v + 4 = 0, w = -u + 3 v + 1: u = -2 - v/2, w = 3.5 v + 3.
  const MixedLcp mixed{mat({{2, 1}, {-1, 3}}), vec({4, 1}), vec({-inf, 0}), vec({inf, inf})};
  const LcpForm form = to_lcp(mixed);
  EXPECT_EQ(dense(form.lcp.M), mat({{3.5}}));
  EXPECT_EQ(form.lcp.q, vec({3}));
  EXPECT_EQ(form.recover(vec({2})), vec({-3, 2}));
  // Nothing but free rows: an empty LCP.
  const LcpForm linear = to_lcp(MixedLcp{mixed.M, mixed.q, vec({-inf, -inf}), vec({inf, inf})});
  EXPECT_EQ(linear.lcp.q.size(), 0);
  const Vector z = linear.recover(Vector());
  EXPECT_LE((dense(mixed.M) * z + mixed.q).norm(), 1e-14);
}

TEST(LcpForm, NamesTheSingularPivot) {
  const Vector none = Vector::Constant(4, -inf);
  Vector lower = none;
  lower[1] = 0.0;
  const MixedLcp mixed{mat({{1, 9, 2, 3}, {9, 9, 9, 9}, {2, 9, 4, 1}, {3, 9, 6, 5}}), vec({0, 0, 0, 0}),
                       lower, -none};
  const std::string message = message_of([&] { to_lcp(mixed); });
  EXPECT_NE(message.find("3 free rows is singular: pivot "), std::string::npos) << message;
  EXPECT_NE(message.find("of the largest"), std::string::npos) << message;
  const MixedLcp zero{mat({{0}}), vec({1}), vec({-inf}), vec({inf})};
  EXPECT_EQ(message_of([&] { to_lcp(zero); }),
            "the block of the 1 free rows is singular: pivot 0 (column 0 of M) is 0.0e+00 of the largest");
}

// Rows in units that differ by 1e12 are not singular.
TEST(LcpForm, ScaleDoesNotMakeSingular) {
  const MixedLcp mixed{mat({{1e-12, 1e-13, 0}, {1e3, 1e12, 1}, {0, 1, 1}}), vec({1e-12, 1, -1}),
                       vec({-inf, -inf, 0}), vec({inf, inf, inf})};
  const LcpForm form = to_lcp(mixed);
  const Vector z = form.recover(vec({0.5}));
  EXPECT_NEAR(1e-12 * z[0] + 1e-13 * z[1], -1e-12, 1e-26);
}

TEST(LcpForm, SameSolutionAsTheMixedProblem) {
  Random random(1);
  int solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 5;
    MixedLcp mixed{random_definite(random, n, trial % 2), Vector(n), Vector(n), Vector(n)};
    for (Index i = 0; i < n; ++i) {
      mixed.q[i] = 3.0 * random.normal();
      const double start = random.normal();
      const auto type = random.below(5);
      mixed.lower[i] = type == 0 || type == 1 ? -inf : start;
      mixed.upper[i] = type == 0 || type == 2 ? inf : start + (type == 3 ? 1.0 : 0.0);
    }
    const std::optional<Vector> expected = enumerate(mixed);
    ASSERT_TRUE(expected);
    const LcpForm form = to_lcp(mixed);
    const std::optional<Vector> lcp_solution = enumerate(to_mixed_lcp(form.lcp));
    ASSERT_TRUE(lcp_solution) << trial;
    EXPECT_LE((form.recover(*lcp_solution) - *expected).norm(), 1e-9 * (1.0 + expected->norm())) << trial;
    ++solved;
  }
  EXPECT_EQ(solved, 300);
}

// Symmetric positive definite, without two-sided rows: the LCP stays symmetric.
TEST(LcpForm, KeepsSymmetry) {
  Random random(2);
  const Index n = 6;
  const MixedLcp mixed{random_definite(random, n, 0.0), Vector::Ones(n), vec({-inf, 0, -inf, 1, -inf, 2}),
                       vec({inf, inf, 1, inf, inf, 2})};
  EXPECT_TRUE(to_problem(mixed).symmetric);
  const LcpForm form = to_lcp(mixed);
  EXPECT_EQ(form.lcp.q.size(), 3);
  EXPECT_LE(form.lcp.M.asymmetry(), 1e-14);
}

Problem random_qp(Random& random, Index n, Index rows, bool bounds) {
  Problem problem;
  problem.A = Operator(random_definite(random, n, 0.0));
  problem.b.resize(n);
  for (double& value : problem.b) value = 3.0 * random.normal();
  Vector lower = Vector::Constant(n, -inf), upper = Vector::Constant(n, inf), inside(n);
  for (Index i = 0; i < n; ++i) {
    inside[i] = random.normal();
    if (!bounds) continue;
    const auto type = random.below(4);
    if (type & 1) lower[i] = inside[i] - random.uniform();
    if (type & 2) upper[i] = inside[i] + random.uniform();
  }
  problem.K = ProductSet::box(lower, upper);
  DenseMatrix g(rows, n);
  for (double& value : g.reshaped()) value = random.normal();
  // Around the activity of a point inside, so that the problem is feasible.
  const Vector activity = g * inside;
  LinearRows linear{std::make_shared<CsrMatrix>(csr_from_dense(g)), activity, activity};
  for (Index i = 0; i < rows; ++i) {
    const auto type = random.below(5);  // equality, above, below, two-sided, none
    if (type == 1 || type == 3) linear.lower[i] -= 0.1 * random.uniform();
    if (type == 2 || type == 3) linear.upper[i] += 0.1 * random.uniform();
    if (type == 2 || type == 4) linear.lower[i] = -inf;
    if (type == 1 || type == 4) linear.upper[i] = inf;
  }
  problem.rows = std::move(linear);
  return problem;
}

// The minimizer of a strictly convex QP: the best feasible point among those of all active sets of at most n
// constraints.
Vector minimize_by_enumeration(const Problem& problem) {
  const DenseMatrix a = dense(problem.A);
  const DenseMatrix g = DenseMatrix(*problem.rows->G);
  const Index n = a.rows();
  const Index m = g.rows();
  DenseMatrix rows(n + m, n);
  rows << DenseMatrix::Identity(n, n), g;
  Vector lower(n + m), upper(n + m);
  lower << problem.K.lower(), problem.rows->lower;
  upper << problem.K.upper(), problem.rows->upper;

  std::vector<int> pattern(static_cast<std::size_t>(n + m), 0);
  Vector best = Vector::Constant(n, nan);
  double best_value = inf;
  for (;;) {
    std::vector<int> active;
    Vector target = Vector::Zero(n + m);
    bool possible = true;
    for (Index i = 0; i < n + m; ++i) {
      if (pattern[i] == 0) continue;
      active.push_back(static_cast<int>(i));
      target[i] = pattern[i] == 1 ? lower[i] : upper[i];
      possible = possible && std::isfinite(target[i]);
    }
    const Index k = static_cast<Index>(active.size());
    if (possible && k <= n) {
      DenseMatrix kkt = DenseMatrix::Zero(n + k, n + k);
      kkt.topLeftCorner(n, n) = a;
      kkt.bottomLeftCorner(k, n) = rows(active, Eigen::all);
      kkt.topRightCorner(n, k) = kkt.bottomLeftCorner(k, n).transpose();
      Vector rhs(n + k);
      rhs << -problem.b, target(active);
      if (const std::optional<Vector> point = solve_linear(kkt, rhs)) {
        const Vector x = point->head(n);
        const Vector activity = rows * x;
        const double value = 0.5 * x.dot(a * x) + problem.b.dot(x);
        if ((activity.array() >= lower.array() - 1e-9).all() &&
            (activity.array() <= upper.array() + 1e-9).all() && value < best_value) {
          best_value = value;
          best = x;
        }
      }
    }
    Index i = 0;
    while (i < n + m && ++pattern[i] == 3) pattern[i++] = 0;
    if (i == n + m) return best;
  }
}

TEST(KktForm, ByHand) {
  // minimize x^2 + y^2 - 2x with x + y = 4, -1 <= x - y <= 1, y >= 1, x <= 9 (row 3), row 4 without bounds.
  Problem problem{
      .A = mat({{2, 0}, {0, 2}}), .b = vec({-2, 0}), .K = ProductSet::box(vec({-inf, 1}), vec({inf, inf}))};
  problem.rows =
      LinearRows{std::make_shared<CsrMatrix>(csr_from_dense(mat({{1, 1}, {1, -1}, {0, 1}, {1, 0}, {5, 5}}))),
                 vec({4, -1, 0.5, -inf, -inf}), vec({4, 1, inf, 9, inf})};
  const KktForm form = to_kkt(problem);
  EXPECT_EQ(form.unknowns, 2);
  EXPECT_EQ(form.activities, std::vector<int>{1});
  EXPECT_EQ(form.bounded, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(dense(form.mixed.M), mat({{2, 0, 0, -1, -1, 0, -1},
                                      {0, 2, 0, -1, 1, -1, 0},
                                      {0, 0, 0, 0, 1, 0, 0},
                                      {1, 1, 0, 0, 0, 0, 0},
                                      {1, -1, -1, 0, 0, 0, 0},
                                      {0, 1, 0, 0, 0, 0, 0},
                                      {1, 0, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(form.mixed.q, vec({-2, 0, 0, -4, 0, -0.5, -9}));
  EXPECT_EQ(form.mixed.lower, vec({-inf, 1, -1, -inf, -inf, 0, -inf}));
  EXPECT_EQ(form.mixed.upper, vec({inf, inf, 1, inf, inf, inf, 0}));
  // x = 2.5, y = 1.5: 2x - 2 = y_0 + y_1, 2y = y_0 - y_1: y_0 = 3, y_1 = 0.
  Solution solution;
  form.recover(problem, vec({2.5, 1.5, 1, 3, 0, 0, 0}), solution);
  EXPECT_EQ(solution.x, vec({2.5, 1.5}));
  EXPECT_EQ(solution.w, vec({0, 0}));
  EXPECT_EQ(solution.multipliers, vec({3, 0, 0, 0, 0}));
}

TEST(KktForm, WithoutLinearRowsIsTheBox) {
  const Problem problem{
      .A = mat({{2, 1}, {1, 2}}), .b = vec({-2, 5}), .K = ProductSet::box(vec({-inf, 1}), vec({2, 3}))};
  const MixedLcp mixed = to_mixed_lcp(problem);
  EXPECT_TRUE(mixed.M.same_storage(problem.A));
  EXPECT_EQ(mixed.lower, vec({-inf, 1}));
  EXPECT_EQ(mixed.upper, vec({2, 3}));
  Solution solution;
  to_kkt(problem).recover(problem, vec({1, 1}), solution);
  EXPECT_EQ(solution.w, vec({1, 8}));
  EXPECT_EQ(solution.multipliers.size(), 0);
}

TEST(KktForm, SolutionMinimizesTheQuadraticProgram) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Problem problem = random_qp(random, 2 + trial % 2, 1 + trial % 2, true);
    const KktForm form = to_kkt(problem);
    const std::optional<Vector> z = enumerate(form.mixed);
    ASSERT_TRUE(z) << trial;
    Solution solution;
    form.recover(problem, *z, solution);
    EXPECT_LE((solution.x - minimize_by_enumeration(problem)).norm(), 1e-8) << trial;
    // The signs of the multipliers.
    const Vector activity = *problem.rows->G * solution.x;
    for (Index i = 0; i < activity.size(); ++i) {
      const double y = solution.multipliers[i];
      EXPECT_LE(std::max(y, 0.0) * std::min(activity[i] - problem.rows->lower[i], 1.0), 1e-8);
      EXPECT_LE(std::max(-y, 0.0) * std::min(problem.rows->upper[i] - activity[i], 1.0), 1e-8);
    }
  }
}

// Free unknowns with any kind of linear rows go all the way to an LCP.
TEST(KktForm, ChainsToAnLcp) {
  Random random(4);
  for (int trial = 0; trial < 60; ++trial) {
    const Problem problem = random_qp(random, 3, 1 + trial % 3, false);
    const KktForm kkt = to_kkt(problem);
    const LcpForm form = to_lcp(kkt.mixed);
    const std::optional<Vector> lcp_solution = enumerate(to_mixed_lcp(form.lcp));
    ASSERT_TRUE(lcp_solution) << trial;
    Solution solution;
    kkt.recover(problem, form.recover(*lcp_solution), solution);
    EXPECT_LE((solution.x - minimize_by_enumeration(problem)).norm(), 1e-8) << trial;
    EXPECT_LE(solution.w.norm(), 1e-8);
  }
}

}  // namespace slipstick::internal::convert_test
