// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/sweep_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::sweep_parts_test {

// Every contact is in one list, lists ascend, and no block couples two parts of a round.
void expect_parts(const ContactBlocks& blocks, const Island& island, const SweepParts& parts) {
  const auto nodes = static_cast<std::size_t>(blocks.nodes());
  std::vector<int> part_of(nodes, -1), round_of(nodes, -1);
  for (int round = 0; round < parts.rounds(); ++round) {
    for (int part = 0; part < parts.parts(); ++part) {
      const auto list = parts.contacts(round, part);
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
      for (const int i : list) {
        ASSERT_TRUE(i >= island.begin && i < island.joints);
        EXPECT_EQ(part_of[static_cast<std::size_t>(i)], -1);
        part_of[static_cast<std::size_t>(i)] = part;
        round_of[static_cast<std::size_t>(i)] = round;
      }
    }
  }
  for (int i = island.begin; i < island.joints; ++i) {
    const auto own = static_cast<std::size_t>(i);
    EXPECT_GE(part_of[own], 0);
    for (int k = blocks.start()[own]; k < blocks.start()[own + 1]; ++k) {
      const int j = blocks.columns()[static_cast<std::size_t>(k)];
      const auto other = static_cast<std::size_t>(j);
      const bool together = j < island.joints && round_of[other] == round_of[own];
      EXPECT_TRUE(!together || part_of[other] == part_of[own]) << i << " and " << j;
    }
  }
}

std::size_t first_round(const SweepParts& parts) {
  std::size_t count = 0;
  for (int part = 0; part < parts.parts(); ++part) count += parts.contacts(0, part).size();
  return count;
}

// Contacts along a line, each coupled to the next, in an order that is given.
LocalContactProblem line(const std::vector<int>& order) {
  const auto contacts = static_cast<Index>(order.size());
  DenseMatrix W = 2.0 * DenseMatrix::Identity(2 * contacts, 2 * contacts);
  for (std::size_t k = 0; k + 1 < order.size(); ++k)
    for (int a = 0; a < 2; ++a)
      W(2 * order[k] + a, 2 * order[k + 1] + a) = W(2 * order[k + 1] + a, 2 * order[k] + a) = -1.0;
  return {2, Operator(W), Vector::Zero(2 * contacts), Vector::Zero(contacts)};
}

TEST(SweepParts, OnePartHasTheOrderOfTheContacts) {
  ContactBlocks blocks;
  blocks.prepare(sphere_contacts(50, 0.3));
  SweepParts parts;
  const Island island = blocks.islands()[0];
  parts.assign(blocks, island, 1);
  EXPECT_EQ(parts.rounds(), 1);
  EXPECT_EQ(parts.contacts(0, 0).size(), static_cast<std::size_t>(island.contacts()));
  expect_parts(blocks, island, parts);
}

TEST(SweepParts, NoTwoPartsOfARoundAreCoupled) {
  ContactBlocks blocks;
  blocks.prepare(sphere_contacts(300, 0.3));
  SweepParts parts;
  for (const Island& island : blocks.islands()) {
    for (const int count : {2, 3, 8}) {
      parts.assign(blocks, island, count);
      EXPECT_EQ(parts.parts(), count);
      expect_parts(blocks, island, parts);
    }
  }
}

TEST(SweepParts, ALineHasOneContactBetweenParts) {
  std::vector<int> order(100);
  for (int k = 0; k < 100; ++k) order[static_cast<std::size_t>(k)] = k;
  ContactBlocks blocks;
  blocks.prepare(line(order));
  SweepParts parts;
  parts.assign(blocks, blocks.islands()[0], 4);
  EXPECT_EQ(parts.rounds(), 2);
  EXPECT_EQ(first_round(parts), 97U);
  for (int part = 0; part < 4; ++part) EXPECT_NEAR(parts.contacts(0, part).size(), 24.25, 1.0);
}

// Even numbers first, then odd ones: every contact is coupled to the other half of the order.
TEST(SweepParts, ABadOrderIsReplaced) {
  std::vector<int> order(100);
  for (int k = 0; k < 100; ++k) order[static_cast<std::size_t>(k)] = k / 2 + 50 * (k % 2);
  ContactBlocks blocks;
  blocks.prepare(line(order));
  SweepParts parts;
  parts.assign(blocks, blocks.islands()[0], 2);
  expect_parts(blocks, blocks.islands()[0], parts);
  EXPECT_EQ(first_round(parts), 99U);
}

// All contacts are coupled: there is nothing to do at the same time.
TEST(SweepParts, ADenseMatrixIsSweptInTurn) {
  ContactBlocks blocks;
  blocks.prepare({2, Operator(DenseMatrix::Ones(160, 160)), Vector::Zero(160), Vector::Zero(80)});
  SweepParts parts;
  parts.assign(blocks, blocks.islands()[0], 70);
  expect_parts(blocks, blocks.islands()[0], parts);
}

TEST(SweepParts, PatternsNeedNotBeSymmetric) {
  DenseMatrix W = DenseMatrix::Identity(12, 12);
  W(0, 9) = 0.1;
  W(6, 3) = 0.1;
  W(10, 0) = 0.1;
  W(3, 0) = 0.1;
  ContactBlocks blocks;
  blocks.prepare({3, Operator(W), Vector::Zero(12), Vector::Zero(4)});
  SweepParts parts;
  for (const Island& island : blocks.islands()) {
    parts.assign(blocks, island, 2);
    expect_parts(blocks, island, parts);
  }
}

}  // namespace slipstick::internal::sweep_parts_test
