// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "slipstick/cuda/world_contacts.hpp"

namespace slipstick::internal {

/// Numbers of the bodies that move and take part, such that bodies in contact have near numbers: breadth
/// first over the graph of contacts, from the first body on, unless the given order is as near. Both keep
/// what a contact reads in the cache; numbers along a curve through space are best, and are kept.
class BodyOrder {
 public:
  void set(const WorldContacts& world, int threads);

  int bodies() const { return static_cast<int>(list_.size()); }
  /// Of a body of the problem, or -1; bodies() if it does not move.
  int number(int body) const {
    return number_[body < 0 ? number_.size() - 1 : static_cast<std::size_t>(body)];
  }
  /// The bodies of the problem, by number.
  std::span<const int> list() const { return list_; }
  /// The bodies of each contact, then of each row, -1 if they do not move.
  std::span<const std::array<int, 2>> moving() const { return moving_; }

 private:
  void find_neighbours(std::size_t bodies);
  double renumber(const std::vector<int>& order);

  std::vector<std::array<int, 2>> moving_;
  std::vector<int> number_, list_;
  // Scratch.
  std::vector<char> movable_, unseen_;
  std::vector<int> neighbour_start_, neighbours_, next_, breadth_first_;
};

/// True if no impulse moves the body.
bool is_resting(const WorldBody& body);

}  // namespace slipstick::internal
