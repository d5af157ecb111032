// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "slipstick/pair_finder.hpp"

namespace slipstick::internal {

/// Finds the boxes that meet, by binary trees of boxes. Boxes of about one size share a tree, so that a large
/// one does not cover the others'. Takes O(n log n) and what it finds. A second call with no more boxes and
/// pairs allocates nothing.
class BroadPhase : public PairFinder {
 public:
  void find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) override;

 private:
  struct Node {
    SweptBox box;    // movable if any of its items is
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
  std::span<const SweptBox> boxes_;
  std::vector<std::array<int, 2>>* pairs_ = nullptr;

  std::vector<Item> items_;
  std::vector<Node> nodes_;
  std::vector<int> roots_;
  std::vector<std::array<int, 2>> stack_;
};

}  // namespace slipstick::internal
