// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/disk_pyramid.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal::disk_pyramid_test {

TEST(DiskPyramid, HasItsContacts) {
  const GlobalContactProblem heap = disk_pyramid({.width = 4, .layers = 3});
  EXPECT_TRUE(validate(heap).ok());
  EXPECT_EQ(heap.M.rows(), 3 * (4 + 3 + 2));
  // 4 on the floor, 3 + 2 + 1 beside each other, 2 (3 + 2) below.
  EXPECT_EQ(heap.contacts(), 4 + 6 + 10);
}

// A rigid motion of all disks moves only the contacts with the floor. The weight does not depend on the slope
// of the floor.
TEST(DiskPyramid, TouchesInPairs) {
  const GlobalContactProblem heap = disk_pyramid({.width = 3, .layers = 2, .slope = 0.3});
  Vector v = Vector::Zero(heap.f.size());
  for (Index body = 0; body < v.size(); body += 3) v.segment(body, 2) << 2.0, -1.0;
  const Vector u = heap.H.transpose() * v;
  int moved = 0;
  for (Index i = 0; i < heap.contacts(); ++i) moved += u.segment(2 * i, 2).norm() > 1e-12;
  EXPECT_EQ(moved, 3);
  EXPECT_NEAR(heap.f.head(2).norm(), disk_pyramid({.width = 3, .layers = 2}).f.head(2).norm(), 1e-12);
}

// Disks that roll on each other without slipping: opposite spins, no velocity at the contact.
TEST(DiskPyramid, RollsWithoutSlip) {
  const GlobalContactProblem heap = disk_pyramid({.width = 2, .layers = 1});
  Vector v = Vector::Zero(6);
  v[2] = 1.0;
  v[5] = -1.0;
  const Vector u = heap.H.transpose() * v;
  EXPECT_NEAR(u.tail(2).norm(), 0.0, 1e-15);
  EXPECT_GT(u.head(2).norm(), 0.0);
}

TEST(DiskPyramid, RefusesNonsense) {
  EXPECT_THROW(disk_pyramid({.width = 3, .layers = 4}), Error);
  EXPECT_THROW(disk_pyramid({.width = 3, .layers = 0}), Error);
  EXPECT_THROW(disk_pyramid({.friction = -1.0}), Error);
  EXPECT_THROW(disk_pyramid({.time_step = 0.0}), Error);
}

}  // namespace slipstick::internal::disk_pyramid_test
