// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/contact_colours.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace slipstick::internal {

void ContactColours::assign(const ContactBlocks& blocks) {
  if (version_ == blocks.version()) return;
  version_ = blocks.version();
  available_ = choose(blocks);
  if (!available_) return;
  order_.resize(colour_.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (const Island& island : blocks.islands()) sort(island);
}

// The pattern of W need not be symmetric. A block in either triangle is a coupling.
bool ContactColours::choose(const ContactBlocks& blocks) {
  const auto contacts = static_cast<std::size_t>(blocks.nodes());
  colour_.resize(contacts);
  forbidden_.assign(contacts, 0);
  for (std::size_t i = 0; i < contacts; ++i) {
    const int first = blocks.start()[i], last = blocks.start()[i + 1];
    std::uint64_t taken = forbidden_[i];
    for (int k = first; k < last; ++k) {
      const auto j = static_cast<std::size_t>(blocks.columns()[static_cast<std::size_t>(k)]);
      if (j < i) taken |= std::uint64_t{1} << colour_[j];
    }
    const int colour = std::countr_one(taken);
    if (colour == most_colours) return false;
    colour_[i] = colour;
    for (int k = first; k < last; ++k) {
      const auto j = static_cast<std::size_t>(blocks.columns()[static_cast<std::size_t>(k)]);
      if (j > i) forbidden_[j] |= std::uint64_t{1} << colour;
    }
  }
  return true;
}

void ContactColours::sort(const Island& island) {
  std::sort(order_.begin() + island.begin, order_.begin() + island.joints, [&](int a, int b) {
    const int left = colour_[static_cast<std::size_t>(a)], right = colour_[static_cast<std::size_t>(b)];
    return left != right ? left < right : a < b;
  });
}

int ContactColours::colours(const Island& island) const {
  if (island.contacts() == 0) return 0;
  return 1 + colour_[static_cast<std::size_t>(order_[static_cast<std::size_t>(island.joints) - 1])];
}

std::span<const int> ContactColours::contacts(const Island& island, int colour) const {
  const auto begin = order_.begin() + island.begin, end = order_.begin() + island.joints;
  const auto by_colour = [&](int contact, int value) {
    return colour_[static_cast<std::size_t>(contact)] < value;
  };
  return {std::lower_bound(begin, end, colour, by_colour),
          std::lower_bound(begin, end, colour + 1, by_colour)};
}

}  // namespace slipstick::internal
