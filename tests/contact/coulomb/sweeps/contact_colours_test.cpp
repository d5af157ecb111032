// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/contact_colours.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <set>

#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::contact_colours_test {

void expect_apart(const ContactBlocks& blocks) {
  ContactColours colours;
  colours.assign(blocks);
  ASSERT_TRUE(colours.available());
  for (const auto& island : blocks.islands()) {
    int count = 0;
    for (int colour = 0; colour < colours.colours(island); ++colour) {
      const auto list = colours.contacts(island, colour);
      EXPECT_FALSE(list.empty());
      const std::set<int> members(list.begin(), list.end());
      count += static_cast<int>(members.size());
      for (const int i : list) {
        EXPECT_TRUE(i >= island.begin && i < island.end);
        for (int k = blocks.start()[static_cast<std::size_t>(i)];
             k < blocks.start()[static_cast<std::size_t>(i) + 1]; ++k) {
          const int j = blocks.columns()[static_cast<std::size_t>(k)];
          EXPECT_TRUE(j == i || members.count(j) == 0) << i << " and " << j;
        }
      }
    }
    EXPECT_EQ(count, island.contacts());
  }
}

TEST(ContactColours, NoTwoOfAColourAreCoupled) {
  ContactBlocks blocks;
  blocks.prepare(sphere_contacts(100, 0.3));
  expect_apart(blocks);
}

TEST(ContactColours, PatternsNeedNotBeSymmetric) {
  DenseMatrix W = DenseMatrix::Identity(12, 12);
  W(0, 9) = 0.1;
  W(6, 3) = 0.1;
  W(10, 5) = 0.1;
  ContactBlocks blocks;
  blocks.prepare({3, Operator(W), Vector::Zero(12), Vector::Zero(4)});
  expect_apart(blocks);
}

TEST(ContactColours, SaysWhereThereAreTooMany) {
  ContactBlocks blocks;
  blocks.prepare({2, Operator(DenseMatrix::Ones(140, 140)), Vector::Zero(140), Vector::Zero(70)});
  ContactColours colours;
  colours.assign(blocks);
  EXPECT_FALSE(colours.available());
}

// Each contact is coupled to the next one.
LocalContactProblem contacts_in_a_row(int contacts) {
  std::vector<Triplet> triplets;
  LocalContactProblem problem{3, {}, Vector(3 * contacts), Vector::Constant(contacts, 0.3)};
  for (int i = 0; i < 3 * contacts; ++i) {
    triplets.push_back({i, i, 2.0});
    if (i >= 3) triplets.insert(triplets.end(), {{i, i - 3, -0.7}, {i - 3, i, -0.7}});
    problem.q[i] = i % 3 == 0 ? -1.0 : std::sin(i);
  }
  problem.W = Operator(csr_from_triplets(3 * contacts, 3 * contacts, triplets));
  return problem;
}

TEST(ContactColours, ThreadsSweepLargeIslands) {
  const LocalContactProblem problem = contacts_in_a_row(2100);
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 1u);
  ASSERT_GT(problem.contacts(), 2000);
  Nsgs nsgs;
  const auto sweep = [&](int threads) {
    Solution solution;
    Vector r = Vector::Zero(problem.q.size());
    Monitor monitor({.tolerance = 1.0}, 4, nullptr);
    Counts counts;
    nsgs.run({blocks, blocks.islands()[0], {1e-14 * blocks.norm(), 1e300}, monitor, counts, r, threads});
    EXPECT_EQ(monitor.status(), Status::iteration_limit);
    blocks.scatter(r, solution.r);
    return solution;
  };
  Solution one = sweep(1), two = sweep(2);
  EXPECT_EQ(two.r, sweep(3).r) << "the bits do not depend on the threads";
  Measures by_one, by_two;
  measure(problem, FrictionLaw::coulomb, one, by_one);
  measure(problem, FrictionLaw::coulomb, two, by_two);
  EXPECT_LE(by_two.scaled_natural_map, 2.0 * by_one.scaled_natural_map) << "as good as in the given order";
}

}  // namespace slipstick::internal::contact_colours_test
