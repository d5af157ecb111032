// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace slipstick::internal {

/// Disjoint sets of the numbers 0, 1, ..., count - 1 (union-find, Tarjan 1975, with path halving). The root
/// of a set is its lowest member. Keeps its storage.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) { reset(count); }
  /// Puts every number into its own set.
  void reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::size_t size() const { return parent_.size(); }

  void join(int a, int b) {
    const int first = lowest(a), second = lowest(b);
    parent(std::max(first, second)) = std::min(first, second);
  }
  /// The lowest member of the set of `a`.
  int lowest(int a) {
    while (parent(a) != a) a = parent(a) = parent(parent(a));
    return a;
  }

 private:
  int& parent(int a) { return parent_[static_cast<std::size_t>(a)]; }

  std::vector<int> parent_;
};

}  // namespace slipstick::internal
