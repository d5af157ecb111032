// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/packed_ruler.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::packed_ruler_test {

// All measures of measure(), of points inside and outside K.
void expect_same_measures(const Problem& problem, const Vector& x) {
  Ruler ruler;
  ruler.prepare(problem);
  Solution solution;
  solution.x = x;
  Measures expected;
  measure(problem, ruler, solution, 1, expected);

  PackedProblem packed;
  packed.load(problem.A, problem.K.lower().data(), problem.K.upper().data());
  PackedRuler packed_ruler;
  packed_ruler.prepare(packed, problem.symmetric);
  const Index n = x.size();
  EXPECT_EQ(Vector::Map(packed_ruler.scale(), n), ruler.scale());
  Vector padded_x = Vector::Zero(packed.stride()), padded_b = padded_x, w(packed.stride());
  padded_x.head(n) = x;
  padded_b.head(n) = problem.b;
  Measures found;
  packed_ruler.measure(packed, padded_x.data(), padded_b.data(), problem.b.norm(), w.data(), found);
  if (x.allFinite()) {
    EXPECT_LE((w.head(n) - solution.w).norm(), 1e-12 * (1.0 + solution.w.norm()));
  }
  Vector other_w(packed.stride());
  const double judged =
      packed_ruler.judge(packed, padded_x.data(), padded_b.data(), problem.b.norm(), other_w.data());
  EXPECT_EQ(std::isnan(judged), std::isnan(found.scaled_natural_map));
  if (!std::isnan(judged)) {
    EXPECT_NEAR(judged, found.scaled_natural_map, 1e-14 * judged);
    EXPECT_EQ(other_w, w);
  }
  for (const MeasureName& row : measure_names()) {
    const double is = found.*row.value, should = expected.*row.value;
    EXPECT_EQ(std::isnan(is), std::isnan(should)) << row.name;
    if (!std::isnan(should)) {
      EXPECT_NEAR(is, should, 1e-12 * (1.0 + std::abs(should))) << row.name;
    }
  }
}

TEST(PackedRuler, MeasuresAsTheOtherDoes) {
  std::srand(1);
  for (Index rows = 1; rows <= 13; ++rows) {
    RandomBoxOptions options;
    options.rows = rows;
    options.seed = static_cast<std::uint64_t>(rows);
    options.free = 0.2;
    options.two_sided = 0.3;
    options.fixed = 0.1;
    for (int kind = 0; kind < 3; ++kind) {
      if (kind == 1) options.skew = 0.5;
      const KnownProblem known = kind == 2 ? random_lcp(options) : random_box(options);
      for (const double distance : {0.0, 1e-6, 1.0, 100.0})
        expect_same_measures(known.problem, known.x + distance * Vector::Random(rows));
    }
    options.from_zero = true;
    options.two_sided = options.fixed = 0.0;
    const KnownProblem mixed = random_box(options);
    expect_same_measures(mixed.problem, mixed.x + Vector::Random(rows));
  }
}

TEST(PackedRuler, WhatIsNotFiniteIsNotMeasured) {
  const Problem problem{DenseMatrix(DenseMatrix::Identity(2, 2)), vec({-2, 2}), ProductSet::nonnegative(2)};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    expect_same_measures(problem, vec({bad, 0}));
}

}  // namespace slipstick::packed_ruler_test
