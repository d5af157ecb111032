// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/problems/sets.hpp"
#include "tests/solvers/cone_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::cone_unknowns_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<int> rows_of(const ConeUnknowns& unknowns) {
  return {unknowns.rows().begin(), unknowns.rows().end()};
}

std::vector<ConeUnknowns::Block> blocks_of(std::span<const ConeUnknowns::Block> blocks) {
  return {blocks.begin(), blocks.end()};
}

// 18 rows, of which 0-2, 5-6 and 15-17 are cones, 8 is the normal of a cone without friction, 7 is fixed.
// Neither A nor b is read, nor what stands in d beside the first row of a cone and at rows that are no
// unknowns.
struct Sample {
  Sample() {
    problem.K = cone_cases::every_kind_of_row();
    problem.b = Vector::Constant(18, nan);
    unknowns.prepare(problem,
                     vec({4, nan, nan, 16, 1, 0.25, nan, nan, 1, nan, nan, 0.25, 1, 16, 4, 1, nan, nan}));
  }
  Problem problem;
  ConeUnknowns unknowns;
};

TEST(ConeUnknowns, AreTheRowsThatMove) {
  const Sample sample;
  const ConeUnknowns& unknowns = sample.unknowns;
  EXPECT_EQ(rows_of(unknowns), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 8, 11, 12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(blocks_of(unknowns.blocks()),
            (std::vector<ConeUnknowns::Block>{
                {0, 3}, {3, 1}, {4, 1}, {5, 2}, {7, 1}, {8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 3}}));
  EXPECT_EQ(blocks_of(unknowns.cones()), (std::vector<ConeUnknowns::Block>{{0, 3}, {5, 2}, {12, 3}}));
  const std::vector<std::pair<int, double>> expected = {{3, 1}, {4, 1}, {7, 1}, {10, 1}, {10, -1}, {11, 1}};
  ASSERT_EQ(unknowns.bounds().size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(unknowns.bounds()[k].unknown, expected[k].first);
    EXPECT_EQ(unknowns.bounds()[k].sign, expected[k].second);
  }
}

TEST(ConeUnknowns, ScalesAndWidthsByHand) {
  const Sample sample;
  // d^-1/2 (1, mu, mu) of the cones; the row with an upper bound only is reflected.
  EXPECT_EQ(sample.unknowns.scale().head(15),
            vec({0.5, 0.25, 0.25, 0.25, 1, 2, 4, 1, 2, 1, 0.25, -0.5, 1, 1, 1}));
  for (Index k = 0; k < 15; ++k) EXPECT_EQ(sample.unknowns.width(k), k == 10 ? 16.0 : 0.0);
}

TEST(ConeUnknowns, RowsByHandAndBack) {
  const Sample sample;
  const Vector y = vec({2, 1, -1, 4, 3, 1, 1, 5, 1, -2, 8, 2, 6, 3, 4});
  Vector x = Vector::Constant(18, nan);
  sample.unknowns.to_rows(y, x);
  EXPECT_EQ(x, vec({1, 0.25, -0.25, 1, 3, 2, 4, 7, 5, 0, 0, 2, -2, 1, 1, 6, 3, 4}));
  x[7] = x[9] = x[10] = nan;  // no unknowns
  Vector back = Vector::Constant(15, nan);
  sample.unknowns.to_unknowns(x, back);
  EXPECT_EQ(back, y);
}

TEST(ConeUnknowns, UpperBoundsAreMetExactly) {
  const Sample sample;
  EXPECT_EQ(sample.unknowns.below_upper(10, 0.0), 3.0);
  EXPECT_EQ(sample.unknowns.below_upper(10, 4.0), 2.0);
  EXPECT_EQ(sample.unknowns.below_upper(10, 16.0), -1.0);
}

TEST(ConeUnknowns, GatherIsTheTransposeOfScatter) {
  const Sample sample;
  Random random(1);
  const Vector y = random_vector(15, random);
  Vector w = random_vector(18, random);
  Vector x = Vector::Constant(18, nan);
  Vector g = Vector::Constant(15, nan);
  sample.unknowns.scatter(y, x);
  for (const Index fixed : {7, 9, 10}) {
    EXPECT_EQ(x[fixed], 0.0);
    w[fixed] = nan;
  }
  sample.unknowns.gather(w, g);
  w = w.array().isNaN().select(0.0, w);
  EXPECT_NEAR(g.dot(y), w.dot(x), 1e-13);
  EXPECT_EQ(g[1], 0.25 * w[1]);
  EXPECT_EQ(x[14], -0.5 * y[11]);
}

TEST(ConeUnknowns, FrictionConesBecomeSelfDual) {
  const Sample sample;
  Random random(2);
  Vector x(18);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector y = random_vector(15, random);
    sample.unknowns.to_rows(y, x);
    std::size_t c = 0;
    for (const SetBlock& block : sample.problem.K.blocks()) {
      if (block.kind != SetKind::cone || block.parameter == 0.0) continue;
      const ConePoint point = ConeUnknowns::segment(y, sample.unknowns.cones()[c++]);
      EXPECT_EQ(contains(sample.problem.K, block, x.segment(block.start, block.size)),
                std::hypot(point[1], point[2]) <= point[0]);
    }
  }
}

TEST(ConeUnknowns, MoveInsideByHand) {
  const Sample sample;
  Vector y = Vector::Constant(15, nan);
  const auto moved = [&](Index unknown, double sign, double from, double margin) {
    y[unknown] = from;
    const double slack = sample.unknowns.move_inside(unknown, sign, margin, y);
    return std::pair(y[unknown], slack);
  };
  // One bound: at least the margin.
  EXPECT_EQ(moved(3, 1.0, -5.0, 0.5), std::pair(0.5, 0.5));
  EXPECT_EQ(moved(3, 1.0, 5.0, 0.5), std::pair(5.0, 5.0));
  EXPECT_EQ(moved(11, 1.0, -5.0, 0.5), std::pair(0.5, 0.5));
  // Two bounds 16 apart: the margin from either, or the middle if the margin is too large.
  EXPECT_EQ(moved(10, 1.0, -5.0, 2.0), std::pair(2.0, 2.0));
  EXPECT_EQ(moved(10, -1.0, -5.0, 2.0), std::pair(2.0, 14.0));
  EXPECT_EQ(moved(10, -1.0, 50.0, 2.0), std::pair(14.0, 2.0));
  EXPECT_EQ(moved(10, 1.0, 5.0, 2.0), std::pair(5.0, 5.0));
  EXPECT_EQ(moved(10, 1.0, 5.0, 1e9), std::pair(8.0, 8.0));
}

TEST(ConeUnknowns, PlaneConesHaveNoThirdRow) {
  const Vector v = vec({1, 2, 3});
  EXPECT_EQ(ConeUnknowns::segment(v, {0, 3}), ConePoint(1, 2, 3));
  EXPECT_EQ(ConeUnknowns::segment(v, {1, 2}), ConePoint(2, 3, 0));
  Vector w = v;
  ConeUnknowns::set_segment(w, {0, 2}, ConePoint(7, 8, nan));
  EXPECT_EQ(w, vec({7, 8, 3}));
}

TEST(ConeUnknowns, NothingMoves) {
  Problem problem;
  ConeUnknowns unknowns;
  unknowns.prepare(problem, Vector());
  EXPECT_EQ(unknowns.size(), 0);
  problem.b = vec({nan, nan});
  problem.K = ProductSet::box(vec({3, -2}), vec({3, -2}));
  unknowns.prepare(problem, vec({nan, nan}));
  EXPECT_EQ(unknowns.size(), 0);
  EXPECT_TRUE(unknowns.blocks().empty());
  Vector x(2);
  unknowns.to_rows(Vector(), x);
  EXPECT_EQ(x, vec({3, -2}));
}

TEST(ConeUnknowns, PreparingAgainForgetsTheProblemBefore) {
  Sample sample;
  Problem other;
  other.b = vec({nan, nan, nan});
  other.K = ProductSet::box(vec({3, 0, -1}), vec({3, 9, 1}));
  const Vector d = vec({nan, 1, 4});
  sample.unknowns.prepare(other, d);
  EXPECT_EQ(rows_of(sample.unknowns), (std::vector<int>{1, 2}));
  EXPECT_TRUE(sample.unknowns.cones().empty());
  EXPECT_EQ(sample.unknowns.bounds().size(), 4U);
  EXPECT_EQ(sample.unknowns.width(0), 9.0);
  EXPECT_EQ(sample.unknowns.width(1), 4.0);
  Vector x(3);
  sample.unknowns.to_rows(vec({1, 1}), x);
  EXPECT_EQ(x, vec({3, 1, -0.5}));
  const std::size_t before = allocations();
  sample.unknowns.prepare(other, d);
  EXPECT_EQ(allocations() - before, 0U);
}

TEST(BarrierTerms, FrameByHand) {
  const Sample sample;
  BarrierTerms terms;
  terms.resize(sample.unknowns);
  ASSERT_EQ(terms.frames.size(), 3U);
  ASSERT_EQ(terms.squares.size(), 15);
  // F = 1 has the direction (1, 0): the columns (1, 1, 0) / sqrt 2, (1, -1, 0) / sqrt 2, (0, 0, 1).
  for (Eigen::Matrix3d& frame : terms.frames) frame = NesterovTodd().frame();
  const double root = std::sqrt(2.0);
  Vector v = Vector::Ones(15);
  terms.to_frame(sample.unknowns, v);
  EXPECT_LT((v - vec({root, 0, 1, 1, 1, root, 0, 1, 1, 1, 1, 1, root, 0, 1})).norm(), 1e-15);
  terms.from_frame(sample.unknowns, v);
  EXPECT_LT((v - Vector::Ones(15)).norm(), 1e-15);
}

TEST(BarrierTerms, FramesAreRotations) {
  const Sample sample;
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
    const Vector u = random_vector(15, random);
    const Vector v = random_vector(15, random);
    Vector turned_u = u, turned_v = v;
    terms.to_frame(sample.unknowns, turned_u);
    terms.from_frame(sample.unknowns, turned_v);
    EXPECT_NEAR(turned_u.dot(v), u.dot(turned_v), 1e-13);  // Q' is the transpose of Q
    EXPECT_NEAR(turned_u.norm(), u.norm(), 1e-13);
    terms.from_frame(sample.unknowns, turned_u);
    EXPECT_LT((turned_u - u).norm(), 1e-14);
  }
}

}  // namespace slipstick::internal::cone_unknowns_test
