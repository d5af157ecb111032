// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/contact_cache.hpp"

#include <gtest/gtest.h>

#include "slipstick/model/check.hpp"
#include "slipstick/sim/collision/keys.hpp"

namespace slipstick::internal::contact_cache_test {

using Eigen::Vector3d;

KnownContact contact(std::array<int, 2> bodies, std::array<int, 2> shapes, double x, double other_x) {
  return {.bodies = bodies,
          .shapes = shapes,
          .feature = 99,  // not read
          .places = {Vector3d(x, 0, 0), Vector3d(other_x, 0, 0)},
          .reach = 0.1};
}

std::vector<int> numbered(ContactCache& cache, std::vector<KnownContact> contacts) {
  cache.number(contacts);
  std::vector<int> features;
  for (const KnownContact& known : contacts) features.push_back(known.feature);
  return features;
}

TEST(ContactCache, NewContactsHaveTheLowestNumbers) {
  ContactCache cache;
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 1}, 0, 0), contact({0, 1}, {0, 1}, 1, 1),
                             contact({0, 1}, {0, 2}, 1, 1), contact({0, 2}, {0, 3}, 0, 0)}),
            (std::vector{0, 1, 2, 0}));
}

TEST(ContactCache, NearestOnEitherBody) {
  ContactCache cache;
  numbered(cache,
           {contact({0, 1}, {0, 1}, 0, 0), contact({0, 1}, {0, 1}, 1, 1), contact({0, 1}, {0, 1}, 2, 2)});
  // In other order; the first has moved on the first body, the last on the second; a fourth is new.
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 1}, 2.05, 7), contact({0, 1}, {0, 1}, 5, 5),
                             contact({0, 1}, {0, 1}, 1, 1), contact({0, 1}, {0, 1}, 9, 0.05)}),
            (std::vector{2, 3, 1, 0}));
  // One is gone, and its number is free.
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 1}, 5, 5), contact({0, 1}, {0, 1}, 1, 1)}),
            (std::vector{3, 1}));
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 1}, 5, 5), contact({0, 1}, {0, 1}, -3, -3)}),
            (std::vector{3, 0}));
}

TEST(ContactCache, TheOnlyContactOfTwoShapesStays) {
  ContactCache cache;
  numbered(cache, {contact({0, 1}, {0, 1}, 0, 0), contact({0, 1}, {0, 2}, 0, 0)});
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 2}, 50, 50)}), (std::vector{1}));
  // Not if there are two.
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 2}, 0, 0), contact({0, 1}, {0, 2}, 90, 90)}),
            (std::vector{0, 1}));
}

TEST(ContactCache, ShapesDoNotTakeNumbersOfOthers) {
  ContactCache cache;
  numbered(cache, {contact({0, 1}, {0, 1}, 0, 0), contact({0, 1}, {0, 2}, 0, 0)});
  EXPECT_EQ(numbered(cache, {contact({0, 1}, {0, 1}, 0, 0), contact({0, 1}, {0, 3}, 0, 0)}),
            (std::vector{0, 1}));
}

// A compound of many shapes that lies on a mesh.
TEST(ContactCache, NoneOfManyIsDropped) {
  constexpr int count = 10'000;
  ContactCache cache;
  std::vector<KnownContact> contacts;
  std::vector<int> expected;
  for (int k = 0; k < count; ++k) {
    contacts.push_back(contact({0, 1}, {k, count}, k, k));
    expected.push_back(k);
  }
  EXPECT_EQ(numbered(cache, contacts), expected);
  EXPECT_EQ(numbered(cache, contacts), expected) << "and they keep their numbers";
}

TEST(ContactCache, KeysOfTheLargestSceneDiffer) {
  constexpr int body = most_bodies - 1, feature = most_features - 1;
  EXPECT_GE(static_cast<std::size_t>(most_bodies), SceneLimits::bodies);
  EXPECT_LT(contact_key(body, body, feature), joint_key(0));
  EXPECT_GT(contact_key(0, 1), contact_key(0, 0, feature));
  EXPECT_GT(contact_key(1, 0), contact_key(0, body, feature));
}

}  // namespace slipstick::internal::contact_cache_test
