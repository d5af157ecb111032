// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/random_problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::random_problems_test {

// ||x - P(x - A x - b)||, the largest entry.
double natural_map(const Problem& problem, const Vector& x) {
  Vector w(x.size());
  problem.A.multiply(x, w);
  w += problem.b;
  Vector projected = x - w;
  problem.K.project(projected);
  return (x - projected).lpNorm<Eigen::Infinity>();
}

void expect_same_bits(const Operator& a, const Operator& b) {
  const auto left = a.assemble();
  const auto right = b.assemble();
  ASSERT_EQ(left->nonZeros(), right->nonZeros());
  EXPECT_TRUE(std::equal(left->valuePtr(), left->valuePtr() + left->nonZeros(), right->valuePtr()));
  EXPECT_TRUE(
      std::equal(left->innerIndexPtr(), left->innerIndexPtr() + left->nonZeros(), right->innerIndexPtr()));
}

TEST(RandomBox, SpectrumIsTheOneAskedFor) {
  for (const Index rows : {2, 3, 10, 57, 150}) {
    const Problem problem = random_box({.rows = rows, .condition = 1e4}).problem;
    EXPECT_TRUE(problem.symmetric);
    EXPECT_EQ(problem.A.asymmetry(), 0.0);
    const Vector spectrum = eigenvalues(dense(problem.A));
    EXPECT_NEAR(spectrum[rows - 1], 1.0, 1e-12);
    EXPECT_NEAR(spectrum[rows - 1] / spectrum[0], 1e4, 1e-2);
  }
}

TEST(RandomBox, OneRow) {
  RandomBoxOptions options{.rows = 1, .condition = 1e8};
  const KnownProblem known = random_box(options);
  EXPECT_EQ(known.problem.A.entry(0, 0), 1.0);
  EXPECT_LE(natural_map(known.problem, known.x), 1e-15);
  options.rank_deficiency = 1;
  const KnownProblem singular = random_box(options);
  EXPECT_EQ(singular.problem.A.entry(0, 0), 0.0);
  EXPECT_LE(natural_map(singular.problem, singular.x), 1e-15);
}

TEST(RandomBox, RankDeficiencyAndPositiveSemidefinite) {
  const KnownProblem known = random_box({.rows = 80, .condition = 1e3, .rank_deficiency = 13});
  const Vector spectrum = eigenvalues(dense(known.problem.A));
  EXPECT_GE(spectrum[0], -1e-14);
  EXPECT_LE(spectrum[12], 1e-14);
  EXPECT_NEAR(spectrum[13], 1e-3, 1e-12);
  EXPECT_LE(natural_map(known.problem, known.x), 1e-14);
}

TEST(RandomBox, KnownSolutionForEverySizeAndSeed) {
  for (Index rows = 1; rows <= 40; ++rows) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const KnownProblem known = random_box({.rows = rows,
                                             .condition = 1e6,
                                             .rank_deficiency = rows / 5,
                                             .degenerate = 0.3,
                                             .free = 0.2,
                                             .two_sided = 0.3,
                                             .fixed = 0.1,
                                             .skew = seed % 2 == 0 ? 0.5 : 0.0,
                                             .seed = seed});
      EXPECT_LE(natural_map(known.problem, known.x), 1e-14);
      Vector w(rows);
      known.problem.A.multiply(known.x, w);
      w += known.problem.b;
      EXPECT_LE((w - known.w).lpNorm<Eigen::Infinity>(), 1e-14);
      EXPECT_LE(known.x.lpNorm<Eigen::Infinity>(), 3.0);
    }
  }
}

TEST(RandomBox, SharesOfRowKindsAreExact) {
  const RandomBoxOptions options{
      .rows = 200, .active = 0.6, .degenerate = 0.5, .free = 0.1, .two_sided = 0.25, .fixed = 0.05};
  const KnownProblem known = random_box(options);
  int free = 0, fixed = 0, two_sided = 0, upper_only = 0, active = 0, degenerate = 0;
  for (Index i = 0; i < options.rows; ++i) {
    const double lower = known.problem.K.lower()[i];
    const double upper = known.problem.K.upper()[i];
    if (std::isinf(lower) && std::isinf(upper)) {
      ++free;
      EXPECT_EQ(known.w[i], 0.0);
    } else if (lower == upper) {
      ++fixed;
      EXPECT_NE(known.w[i], 0.0);
    } else {
      two_sided += std::isfinite(lower) && std::isfinite(upper);
      upper_only += std::isinf(lower);
      const bool at_bound = known.x[i] == lower || known.x[i] == upper;
      active += at_bound;
      degenerate += at_bound && known.w[i] == 0.0;
      if (!at_bound) {
        EXPECT_GT(std::min(known.x[i] - lower, upper - known.x[i]), 0.04);
        EXPECT_EQ(known.w[i], 0.0);
      }
    }
  }
  EXPECT_EQ(free, 20);
  EXPECT_EQ(fixed, 10);
  EXPECT_EQ(two_sided, 50);
  EXPECT_GT(upper_only, 10);
  EXPECT_EQ(active, 102);
  EXPECT_EQ(degenerate, 51);
}

TEST(RandomBox, FromZeroIsAMixedLcp) {
  const KnownProblem known = random_box({.free = 0.3, .from_zero = true});
  EXPECT_EQ(classify(known.problem), ProblemClass::mlcp);
  EXPECT_LE(natural_map(known.problem, known.x), 1e-14);
}

TEST(RandomBox, LargeProblemStaysSparse) {
  const KnownProblem known = random_box({.rows = 20000});
  const double per_row = static_cast<double>(known.problem.A.nonzeros()) / 20000.0;
  EXPECT_GE(per_row, 10.0);
  EXPECT_LE(per_row, 30.0);
  EXPECT_EQ(known.problem.A.asymmetry(), 0.0);
  EXPECT_LE(natural_map(known.problem, known.x), 1e-14);
}

TEST(RandomBox, SkewPart) {
  RandomBoxOptions options{.rows = 60};
  const DenseMatrix symmetric = dense(random_box(options).problem.A);
  options.skew = 0.25;
  const Problem problem = random_box(options).problem;
  EXPECT_FALSE(problem.symmetric);
  const DenseMatrix a = dense(problem.A);
  EXPECT_LE(((a + a.transpose()) / 2.0 - symmetric).lpNorm<Eigen::Infinity>(), 1e-15);
  const DenseMatrix skew = (a - a.transpose()) / 2.0;
  EXPECT_NEAR(skew.cwiseAbs().rowwise().sum().maxCoeff(), 0.25, 1e-12);
  // Nothing outside of A's pattern.
  EXPECT_EQ((skew.array() != 0.0 && symmetric.array() == 0.0).count(), 0);
}

TEST(RandomBox, SeedsDecideTheBits) {
  RandomBoxOptions options{.two_sided = 0.2, .seed = 11};
  const KnownProblem first = random_box(options);
  const KnownProblem again = random_box(options);
  expect_same_bits(first.problem.A, again.problem.A);
  EXPECT_EQ(first.problem.b, again.problem.b);
  EXPECT_EQ(first.x, again.x);
  options.seed = 12;
  EXPECT_NE(first.problem.b, random_box(options).problem.b);
}

TEST(RandomBox, RefusesNonsense) {
  EXPECT_THROW(random_box({.rows = 0}), Error);
  EXPECT_THROW(random_box({.condition = 0.5}), Error);
  EXPECT_THROW(random_box({.condition = std::nan("")}), Error);
  EXPECT_THROW(random_box({.rank_deficiency = 101}), Error);
  EXPECT_THROW(random_box({.active = 1.5}), Error);
  EXPECT_THROW(random_box({.free = 0.6, .fixed = 0.6}), Error);
  EXPECT_THROW(random_box({.skew = -1.0}), Error);
}

TEST(RandomLcp, OrthantAndActiveShare) {
  RandomBoxOptions options{.rows = 100, .active = 0.3};
  options.free = 0.5;  // ignored
  const KnownProblem known = random_lcp(options);
  EXPECT_TRUE(known.problem.K.is_nonnegative_orthant());
  EXPECT_EQ(classify(known.problem), ProblemClass::lcp);
  EXPECT_EQ((known.x.array() == 0.0).count(), 30);
  EXPECT_EQ((known.w.array() > 0.0).count(), 30);
  EXPECT_LE(natural_map(known.problem, known.x), 1e-14);
}

TEST(RandomBandedQp, StrictlyDominantBandWithKnownSolution) {
  for (const auto& [rows, bandwidth] : {std::pair<Index, Index>{1, 0}, {1, 5}, {2, 1}, {50, 0}, {120, 17}}) {
    const BandedQp qp =
        random_banded_qp({.rows = rows, .bandwidth = bandwidth, .wrong_indices = std::min<Index>(rows, 10)});
    EXPECT_EQ(qp.problem.A.kind(), "banded");
    const DenseMatrix a = dense(qp.problem.A);
    for (Index i = 0; i < rows; ++i) {
      EXPECT_GT(a(i, i), a.row(i).cwiseAbs().sum() - a(i, i));
      for (Index j = 0; j < rows; ++j) {
        if (std::abs(i - j) > bandwidth) {
          EXPECT_EQ(a(i, j), 0.0);
        }
      }
    }
    EXPECT_LE(natural_map(qp.problem, qp.x), 1e-13);
  }
}

TEST(RandomBandedQp, InitialSetIsWrongInTheFirstIndices) {
  for (const Index wrong : {0, 7, 100}) {
    const BandedQp qp =
        random_banded_qp({.rows = 100, .bandwidth = 8, .wrong_indices = wrong, .active = 0.4});
    EXPECT_EQ(qp.active_set.size(), 40u);
    for (const int i : qp.active_set) EXPECT_EQ(qp.x[i], 0.0);
    std::vector<int> difference;
    std::set_symmetric_difference(qp.active_set.begin(), qp.active_set.end(), qp.initial_active_set.begin(),
                                  qp.initial_active_set.end(), std::back_inserter(difference));
    ASSERT_EQ(static_cast<Index>(difference.size()), wrong);
    if (wrong > 0) {
      EXPECT_EQ(difference.back(), wrong - 1);
    }
    // Strict complementarity: the optimal active set is unique.
    Vector w(100);
    qp.problem.A.multiply(qp.x, w);
    w += qp.problem.b;
    for (const int i : qp.active_set) EXPECT_GT(w[i], 0.1);
  }
}

TEST(RandomBandedQp, SeedsDecideTheBitsAndNonsenseIsRefused) {
  BandedQpOptions options{.rows = 64, .bandwidth = 9};
  const BandedQp first = random_banded_qp(options);
  const BandedQp again = random_banded_qp(options);
  expect_same_bits(first.problem.A, again.problem.A);
  EXPECT_EQ(first.problem.b, again.problem.b);
  options.seed = 2;
  EXPECT_NE(first.problem.b, random_banded_qp(options).problem.b);
  EXPECT_THROW(random_banded_qp({.rows = 64, .wrong_indices = 65}), Error);
  EXPECT_THROW(random_banded_qp({.rows = 0, .wrong_indices = 0}), Error);
}

}  // namespace slipstick::internal::random_problems_test
