// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/body_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::body_order_test {

// A chain of bodies whose numbers are `numbers`, each in contact with the next one.
WorldContacts chain(const std::vector<int>& numbers) {
  WorldContacts world;
  world.bodies.assign(numbers.size(), {1.0, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (std::size_t k = 0; k + 1 < numbers.size(); ++k)
    world.contacts.push_back({.body = {numbers[k], numbers[k + 1]}});
  return world;
}

int farthest(const WorldContacts& world, const BodyOrder& order) {
  int most = 0;
  for (const WorldContact& contact : world.contacts)
    most = std::max(most, std::abs(order.number(contact.body[0]) - order.number(contact.body[1])));
  return most;
}

TEST(BodyOrder, KeepsNumbersThatAreNear) {
  const WorldContacts world = chain({0, 1, 2, 3, 4, 5});
  BodyOrder order;
  order.set(world, 1);
  EXPECT_EQ(order.bodies(), 6);
  for (int body = 0; body < 6; ++body) EXPECT_EQ(order.number(body), body);
  EXPECT_EQ(order.number(-1), 6);
}

TEST(BodyOrder, BringsNeighboursTogether) {
  std::vector<int> numbers(500);
  for (int k = 0; k < 500; ++k) numbers[static_cast<std::size_t>(k)] = k;
  Random random(1);
  for (int k = 499; k > 0; --k)
    std::swap(numbers[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(random.below(k + 1))]);
  const WorldContacts world = chain(numbers);
  BodyOrder order;
  order.set(world, 2);
  EXPECT_LE(farthest(world, order), 2);
  std::vector<int> seen(order.list().begin(), order.list().end());
  std::sort(seen.begin(), seen.end());
  for (int body = 0; body < 500; ++body) {
    EXPECT_EQ(seen[static_cast<std::size_t>(body)], body);
    EXPECT_EQ(order.list()[static_cast<std::size_t>(order.number(body))], body);
  }
}

TEST(BodyOrder, LeavesOutWhatDoesNotMoveOrTakePart) {
  WorldContacts world = chain({0, 1, 2, 3});
  world.bodies[1] = {};
  world.bodies.push_back({1.0, {}});
  world.rows.push_back({.body = {2, -1}});
  BodyOrder order;
  order.set(world, 1);
  EXPECT_EQ(order.bodies(), 3);
  EXPECT_EQ(order.number(1), 3);
  EXPECT_EQ(order.number(4), 3);
  EXPECT_LT(order.number(0), 3);
  ASSERT_EQ(order.moving().size(), 4U);
  EXPECT_EQ(order.moving()[0], (std::array<int, 2>{0, -1}));
  EXPECT_EQ(order.moving()[3], (std::array<int, 2>{2, -1}));
}

}  // namespace slipstick::internal::body_order_test
