// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::lemke_test {

using namespace box_cases;

Result solve(const Problem& problem, double tolerance = 1e-12, const LemkeSettings& method = {}) {
  return solve_with(Lemke(method), problem, tolerance);
}

TEST(Lemke, TwoBoundsStayOneRow) {
  Lemke lemke;
  expect_two_bounds(lemke);
}

TEST(Lemke, LinearSystems) {
  Lemke lemke;
  expect_linear_solve(lemke, 40, 1e4, 1e-10);
}

TEST(Lemke, MurtysExponentialExampleTakesFewPivots) {
  for (const Index n : {1, 2, 6, 25, 64}) {
    const Case murty = murtys_example(n);
    const Result result = solve(murty.problem);
    EXPECT_TRUE(result.solved());
    EXPECT_LE(result.counts.iterations, 4 * n);
    EXPECT_EQ(result.x, murty.x);
  }
}

TEST(Lemke, DegenerateProblemsDoNotCycle) {
  const Case kostreva = kostrevas_example();
  const Result cycling = solve(kostreva.problem);
  EXPECT_TRUE(cycling.solved());
  EXPECT_LE(cycling.counts.iterations, 10);
  EXPECT_LE((cycling.x - kostreva.x).norm(), 1e-15);

  // Every ratio a tie: equal rows, constants and blocks, with one bound and with two.
  for (const Index n : {4, 9, 16, 40}) {
    for (const double upper : {infinity, 1.0, 1.0 / static_cast<double>(n)}) {
      const Result flat = solve(make(DenseMatrix::Ones(n, n), Vector::Constant(n, -1.0), 0.0, upper));
      EXPECT_TRUE(flat.solved()) << n << " " << upper;
      EXPECT_NEAR(flat.x.sum(), 1.0, 1e-13);
    }
    // Zero constants in half the rows of an assignment-like matrix.
    DenseMatrix skew = DenseMatrix::Zero(n, n);
    for (Index i = 0; i < n / 2; ++i) {
      for (Index j = n / 2; j < n; ++j) {
        skew(i, j) = -1.0;
        skew(j, i) = 1.0;
      }
    }
    Vector q = Vector::Zero(n);
    q.tail(n - n / 2).setConstant(-1.0);
    q.head(n / 2).setConstant(1.0);
    EXPECT_TRUE(solve(lcp(skew, q)).solved()) << n;
  }
}

TEST(Lemke, BimatrixGameNeedsAnotherStart) {
  const Problem game = bimatrix_game();
  EXPECT_TRUE(solve(game).solved());
  const Result given_up = solve(game, 1e-12, {.attempts = 1});
  EXPECT_EQ(given_up.status, Status::stalled);
  EXPECT_NE(given_up.message.find("ray termination"), std::string::npos);
}

TEST(Lemke, RayOfAMonotoneProblemIsAProof) {
  // w = (-x2 - 1, x1 + 1): the first row is negative for every x >= 0.
  const Result skew = solve(lcp((DenseMatrix(2, 2) << 0, -1, 1, 0).finished(), vec({-1, 1})));
  EXPECT_EQ(skew.status, Status::infeasible) << skew.message;
  // A semidefinite matrix with b outside its range.
  const Result flat = solve(lcp(DenseMatrix::Ones(2, 2) * 0.0, vec({1, -1})));
  EXPECT_EQ(flat.status, Status::infeasible);
  // Equalities that contradict each other.
  const Result rows =
      solve(make((DenseMatrix(2, 2) << 1, 1, 1, 1).finished(), vec({1, 2}), -infinity, infinity));
  EXPECT_EQ(rows.status, Status::infeasible);
  EXPECT_NE(rows.message.find("contradict"), std::string::npos);
}

TEST(Lemke, NoSolutionWithoutAProofIsStalled) {
  // Feasible, but complementary nowhere: x2 >= 1 for the first row makes w2 = x2 + 1 > 0.
  const Result result = solve(lcp((DenseMatrix(2, 2) << 0, 1, 0, 1).finished(), vec({-1, 1})));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(result.message.find("ray termination"), std::string::npos);
}

TEST(Lemke, SingularEqualityBlocks) {
  // The free block is zero: x0 is the multiplier of x1 = 2.
  const DenseMatrix saddle = mat({{0, 1}, {-1, 3}});
  const Result kkt = solve(make(saddle, vec({-2, 1}), vec({-infinity, 0}), vec({infinity, infinity})));
  EXPECT_TRUE(kkt.solved());
  EXPECT_NEAR(kkt.x[1], 2.0, 1e-15);
  EXPECT_NEAR(kkt.x[0], 7.0, 1e-14);
  // A repeated equality, one unknown more than needed, and an empty free row and column.
  DenseMatrix M = DenseMatrix::Zero(5, 5);
  M.topLeftCorner(2, 2).setOnes();
  M(3, 3) = 2.0;
  M(4, 4) = 1.0;
  M(3, 0) = 1.0;
  M(3, 1) = 1.0;
  const Result repeated = solve(make(M, vec({-1, -1, 0, -5, 1}), vec({-infinity, -infinity, -infinity, 0, 0}),
                                     Vector::Constant(5, infinity)));
  EXPECT_TRUE(repeated.solved()) << repeated.message;
  EXPECT_NEAR(repeated.x[0] + repeated.x[1], 1.0, 1e-14);
  EXPECT_NEAR(repeated.x[3], 2.0, 1e-14);
  EXPECT_EQ(repeated.x[4], 0.0);
  // The same with both bounds on the rows that are exchanged.
  const Result boxed = solve(make(saddle, vec({-2, 1}), vec({-infinity, 0}), vec({infinity, 10})));
  EXPECT_TRUE(boxed.solved());
  EXPECT_NEAR(boxed.x[1], 2.0, 1e-15);
  // x1 = 2 is out of reach of its bound: no solution.
  const Result unreachable = solve(make(saddle, vec({-2, 1}), vec({-infinity, 0}), vec({infinity, 1})));
  EXPECT_FALSE(unreachable.solved());
  EXPECT_TRUE(unreachable.status == Status::infeasible || unreachable.status == Status::stalled);
}

TEST(Lemke, KnownSolutionsOfRandomNonsymmetricBoxes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomBoxOptions options{.rows = 4 + 4 * static_cast<Index>(seed),
                             .condition = 1e4,
                             .degenerate = seed % 2 == 0 ? 0.5 : 0.0,
                             .free = 0.2,
                             .two_sided = seed % 3 == 0 ? 0.0 : 0.4,
                             .fixed = 0.1,
                             .skew = 0.5,
                             .seed = seed};
    const KnownProblem known = random_box(options);
    const Result result = solve(known.problem);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << seed;
    options.rank_deficiency = options.rows / 5;
    options.skew = 0.0;
    const Result singular = solve(random_box(options).problem);
    EXPECT_TRUE(singular.solved()) << singular.message;
  }
}

TEST(Lemke, PMatricesFarFromDefinite) {
  Lemke lemke;
  expect_p_matrices(lemke);
}

TEST(Lemke, EntriesOverEighteenMagnitudes) {
  const Problem scaled = entries_over_eighteen_magnitudes().scaled;
  const Result result = solve(scaled, 1e-12);
  EXPECT_TRUE(result.solved()) << result.message;
  const DenseMatrix A = dense(scaled.A);
  EXPECT_GT(A.maxCoeff() / A.cwiseAbs().minCoeff(), 1e15);
}

TEST(Lemke, RefusesWithASentence) {
  const LemkeSettings small{.max_rows = 5};
  const Result large = solve(chain(6), 1e-8, small);
  EXPECT_EQ(large.status, Status::unsupported);
  EXPECT_NE(large.message.find("max_rows = 5"), std::string::npos);
  EXPECT_TRUE(solve(chain(5), 1e-8, small).solved());
  Problem cone{Operator(DenseMatrix::Identity(3, 3).eval()), Vector::Ones(3),
               ProductSet::cones(vec({0.5}), 3)};
  EXPECT_EQ(solve(cone).status, Status::unsupported);
}

}  // namespace slipstick::internal::lemke_test
