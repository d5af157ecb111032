// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/newton_cost.hpp"

#include <gtest/gtest.h>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/box_piles.hpp"

namespace slipstick::internal::newton_cost_test {

// Contacts each of which touches the `width` ones before and after it.
LocalContactProblem chain(Index contacts, Index width) {
  std::vector<Triplet> triplets;
  for (Index i = 0; i < contacts; ++i) {
    for (Index j = std::max<Index>(0, i - width); j <= std::min(contacts - 1, i + width); ++j) {
      for (int a = 0; a < 3; ++a)
        triplets.push_back({static_cast<int>(3 * i + a), static_cast<int>(3 * j + a), i == j ? 2.0 : 0.1});
    }
  }
  return {.dimension = 3,
          .W = Operator(csr_from_triplets(3 * contacts, 3 * contacts, triplets)),
          .q = Vector::Constant(3 * contacts, -1.0),
          .mu = Vector::Constant(contacts, 0.5)};
}

double cost(Index contacts, Index width) {
  const LocalContactProblem problem = chain(contacts, width);
  ContactBlocks blocks;
  blocks.prepare(problem);
  EXPECT_EQ(blocks.islands().size(), 1U);
  NewtonCost newton;
  const double sweeps = newton.in_sweeps(blocks, blocks.islands().front());
  EXPECT_EQ(newton.in_sweeps(blocks, blocks.islands().front()), sweeps) << "kept";
  return sweeps;
}

TEST(NewtonCost, AStepOnAChainIsWorthTheSameSweepsAtAnyLength) {
  EXPECT_NEAR(cost(1000, 1) / cost(100, 1), 1.0, 0.05);
  EXPECT_GT(cost(100, 1), 1.0);
}

// n^3 operations against n^2 of a sweep.
TEST(NewtonCost, GrowsWithTheSizeWhereAllTouchEachOther) {
  EXPECT_NEAR(cost(400, 400) / cost(200, 200), 2.0, 0.3);
}

// The corners of faces are eliminated before: much less than what the pattern of contacts alone would cost.
TEST(NewtonCost, CountsGroupsOfContacts) {
  const LocalContactProblem tower =
      CondensedProblem(brick_tower({.pattern = BrickPattern::ring, .courses = 5, .bricks = 5})).local();
  ContactBlocks blocks;
  NewtonCost newton;
  blocks.prepare(tower);
  const double in_groups = newton.in_sweeps(blocks, blocks.islands().front());
  // The same pattern with a full rank.
  LocalContactProblem regular = tower;
  CsrMatrix shifted = *tower.W.assemble();
  for (Index row = 0; row < shifted.rows(); ++row) shifted.coeffRef(row, row) *= 1.5;
  regular.W = Operator(shifted);
  blocks.prepare(regular);
  EXPECT_LT(in_groups, 0.6 * newton.in_sweeps(blocks, blocks.islands().front()));
}

TEST(NewtonCost, KnowsTheMatrixThatItKeeps) {
  const LocalContactProblem first = chain(60, 1), second = chain(60, 60);
  ContactBlocks blocks;
  NewtonCost newton;
  blocks.prepare(first);
  const double narrow = newton.in_sweeps(blocks, blocks.islands().front());
  blocks.prepare(second);
  EXPECT_GT(newton.in_sweeps(blocks, blocks.islands().front()), 2.0 * narrow);
}

}  // namespace slipstick::internal::newton_cost_test
