// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/box_cases.hpp"

#include <cmath>

#include "slipstick/base/random.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

SweptBox ball(const Vector3d& centre, double radius, int body) {
  return {
      .low = centre - Vector3d::Constant(radius), .high = centre + Vector3d::Constant(radius), .body = body};
}

std::vector<SweptBox> random_balls(int count, double room, double smallest, double largest,
                                   const Vector3d& about) {
  Random random(static_cast<std::uint64_t>(count));
  std::vector<SweptBox> boxes;
  for (int k = 0; k < count; ++k) {
    Vector3d centre = about;
    for (double& x : centre) x += random.uniform(-room, room);
    boxes.push_back(ball(centre, smallest * std::pow(largest / smallest, random.uniform(0.0, 1.0)), k));
  }
  return boxes;
}

// Cells of a lattice that touch exactly at faces, edges and corners.
std::vector<SweptBox> touching_lattice(double pitch) {
  std::vector<SweptBox> boxes;
  for (int z = -3; z < 4; ++z)
    for (int y = -3; y < 4; ++y)
      for (int x = -3; x < 4; ++x) {
        SweptBox box;
        box.low = pitch * Vector3d(x, y, z);
        box.high = pitch * Vector3d(x + 1, y + 1, z + 1);
        box.body = static_cast<int>(boxes.size());
        boxes.push_back(box);
      }
  return boxes;
}

std::vector<SweptBox> mixed() {
  std::vector<SweptBox> boxes = random_balls(400, 3.0, 0.01, 1.0, Vector3d::Zero());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    boxes[k].body = static_cast<int>(k / 2);  // two shapes each
    boxes[k].movable = k % 3 != 0;
    if (k % 7 == 0) boxes[k].high = boxes[k].low;  // a point
    if (k % 11 == 5) boxes[k] = boxes[k - 1];
    if (k % 13 == 0) boxes[k].high.x() += 20.0;  // one that is fast
  }
  return boxes;
}

}  // namespace

std::vector<BoxCase> box_cases() {
  const Vector3d here = Vector3d::Zero();
  std::vector<BoxCase> cases = {
      {"none", {}},
      {"one", random_balls(1, 1.0, 0.1, 0.1, here)},
      {"two apart", random_balls(2, 100.0, 0.1, 0.1, here)},
      {"two that meet", random_balls(2, 0.01, 0.1, 0.1, here)},
      {"a packing", random_balls(1000, 0.7, 0.05, 0.05, here)},
      {"all in one cell", random_balls(200, 1e-3, 0.1, 0.1, here)},
      {"touching exactly", touching_lattice(0.1)},
      {"touching exactly, powers of two", touching_lattice(0.25)},
      {"radii over eight decades", random_balls(500, 1.0, 1e-8, 1.0, here)},
      {"far from the origin", random_balls(500, 1.0, 0.05, 0.1, {1e9, -1e9, 1e9})},
      {"farther than cells reach", random_balls(300, 1.0, 0.05, 0.1, {1e15, 0.0, -1e300})},
      {"mixed", mixed()},
  };
  // One body that has left, and others where the cells repeat.
  BoxCase left{"one far away", random_balls(500, 0.5, 0.05, 0.05, here)};
  left.boxes[17] = ball({0.0, 0.0, -1e7}, 0.05, 17);
  cases.push_back(left);
  const double cell = left.boxes[0].high.x() - left.boxes[0].low.x();
  for (int k = 100; k < 200; ++k) {
    const Vector3d shift = 524288.0 * cell * Vector3d(k % 2, k % 3 == 0, k % 5 == 0);
    left.boxes[static_cast<std::size_t>(k)].low += shift;
    left.boxes[static_cast<std::size_t>(k)].high += shift;
  }
  left.name = "cells repeat";
  cases.push_back(left);
  return cases;
}

Pairs all_pairs(const std::vector<SweptBox>& boxes) {
  Pairs pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = a + 1; b < boxes.size(); ++b)
      if (boxes[a].meets(boxes[b]) && boxes[a].body != boxes[b].body &&
          (boxes[a].movable || boxes[b].movable))
        pairs.push_back({static_cast<int>(a), static_cast<int>(b)});
  return pairs;
}

}  // namespace slipstick::internal
