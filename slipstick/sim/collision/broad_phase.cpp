// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr int leaf_items = 4;
constexpr int most_classes = 64;  // each is four times as wide as the one before

}  // namespace

void BroadPhase::find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) {
  boxes_ = boxes;
  pairs_ = &pairs;
  pairs.clear();
  items_.clear();
  nodes_.clear();
  roots_.clear();
  double narrowest = std::numeric_limits<double>::infinity();
  const auto width = [](const SweptBox& box) { return (box.high - box.low).maxCoeff(); };
  for (const SweptBox& box : boxes) narrowest = std::min(narrowest, width(box));
  narrowest = std::max(narrowest, std::numeric_limits<double>::min());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const double size_class = 0.5 * std::log2(width(boxes[k]) / narrowest);
    items_.push_back(
        {static_cast<int>(std::clamp(size_class, 0.0, most_classes - 1.0)), static_cast<int>(k)});
  }
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    return a.size_class != b.size_class ? a.size_class < b.size_class : a.box < b.box;
  });
  const int count = static_cast<int>(items_.size());
  for (int begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && items_[end].size_class == items_[begin].size_class) ++end;
    roots_.push_back(build(begin, end));
  }
  for (std::size_t a = 0; a < roots_.size(); ++a)
    for (std::size_t b = a; b < roots_.size(); ++b) visit(roots_[a], roots_[b]);
}

// Halves the items along the longest side of the box of their centres. Returns the node.
int BroadPhase::build(int begin, int end) {
  const int node = static_cast<int>(nodes_.size());
  const auto box_of = [&](const Item& item) -> const SweptBox& { return boxes_[item.box]; };
  SweptBox all = box_of(items_[begin]);
  Vector3d low = all.low + all.high, high = low;  // of twice the centres
  for (int k = begin + 1; k < end; ++k) {
    const SweptBox& box = box_of(items_[k]);
    all.low = all.low.cwiseMin(box.low);
    all.high = all.high.cwiseMax(box.high);
    all.movable = all.movable || box.movable;
    low = low.cwiseMin(box.low + box.high);
    high = high.cwiseMax(box.low + box.high);
  }
  nodes_.push_back({all, begin, end, -1});
  if (end - begin <= leaf_items) return node;
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                   [&](const Item& a, const Item& b) {
                     const double centre_a = box_of(a).low[axis] + box_of(a).high[axis];
                     const double centre_b = box_of(b).low[axis] + box_of(b).high[axis];
                     return centre_a != centre_b ? centre_a < centre_b : a.box < b.box;
                   });
  build(begin, middle);
  const int right = build(middle, end);
  nodes_[node].right = right;
  return node;
}

void BroadPhase::visit(int first, int second) {
  stack_.clear();
  stack_.push_back({first, second});
  while (!stack_.empty()) {
    const auto [a, b] = stack_.back();
    stack_.pop_back();
    const Node &node_a = nodes_[a], &node_b = nodes_[b];
    if (!node_a.box.movable && !node_b.box.movable) continue;
    if (a != b && !node_a.box.meets(node_b.box)) continue;
    const bool leaf_a = node_a.right < 0, leaf_b = node_b.right < 0;
    if (leaf_a && leaf_b) {
      test_items(node_a, node_b);
    } else if (a == b) {
      stack_.push_back({node_a.right, node_a.right});
      stack_.push_back({a + 1, node_a.right});
      stack_.push_back({a + 1, a + 1});
    } else if (leaf_b || (!leaf_a && node_a.end - node_a.begin >= node_b.end - node_b.begin)) {
      stack_.push_back({node_a.right, b});
      stack_.push_back({a + 1, b});
    } else {
      stack_.push_back({a, node_b.right});
      stack_.push_back({a, b + 1});
    }
  }
}

void BroadPhase::test_items(const Node& first, const Node& second) {
  const bool same = &first == &second;
  for (int i = first.begin; i < first.end; ++i) {
    const int a = items_[i].box;
    const SweptBox& box = boxes_[a];
    for (int j = same ? i + 1 : second.begin; j < second.end; ++j) {
      const int b = items_[j].box;
      const SweptBox& other = boxes_[b];
      if (box.body == other.body || !(box.movable || other.movable) || !box.meets(other)) continue;
      pairs_->push_back({std::min(a, b), std::max(a, b)});
    }
  }
}

}  // namespace slipstick::internal
