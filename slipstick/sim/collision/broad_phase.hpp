// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

namespace slipstick::internal {

/// A box that something does not leave during a step.
struct Bounds {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
  int body = -1;
  bool movable = true;

  bool meets(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// Finds the boxes that meet, by binary trees of boxes. Boxes of about one size share a tree, so that a large
/// one does not cover the others'. Takes O(n log n) and what it finds. A second call with no more boxes and
/// pairs allocates nothing.
class BroadPhase {
 public:
  /// pairs <- those of different bodies that meet and are not both immovable. The smaller number comes first,
  /// the order of the pairs is not defined.
  void find(const std::vector<Bounds>& boxes, std::vector<std::array<int, 2>>& pairs);

 private:
  struct Node {
    Bounds box;      // movable if any of its items is
    int begin, end;  // of its items
    int right;       // the left one follows the node; -1: leaf
  };
  struct Item {
    int size_class, box;
  };
  int build(int begin, int end);
  void visit(int first, int second);
  void test_items(const Node& first, const Node& second);

  // Those of the call.
  const std::vector<Bounds>* boxes_ = nullptr;
  std::vector<std::array<int, 2>>* pairs_ = nullptr;

  std::vector<Item> items_;
  std::vector<Node> nodes_;
  std::vector<int> roots_;
  std::vector<std::array<int, 2>> stack_;
};

}  // namespace slipstick::internal
