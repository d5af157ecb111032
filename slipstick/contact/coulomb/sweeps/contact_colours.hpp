// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"

namespace slipstick::internal {

/// Contacts sorted by colour, island by island. No block of W couples two contacts of one colour, so they can
/// be solved at the same time. The colouring is greedy, in the order of the contacts.
class ContactColours {
 public:
  /// Does nothing while blocks.version() stays the same.
  void assign(const ContactBlocks& blocks);
  /// False if the contacts need too many colours.
  bool available() const { return available_; }
  /// The colours of an island, each an ascending list of contacts.
  int colours(const Island& island) const;
  std::span<const int> contacts(const Island& island, int colour) const;

 private:
  static constexpr int most_colours = 64;
  bool choose(const ContactBlocks& blocks);
  void sort(const Island& island);

  std::uint64_t version_ = 0;
  bool available_ = false;
  std::vector<int> colour_;               // colour of each contact
  std::vector<std::uint64_t> forbidden_;  // colours of earlier coupled contacts, as bits
  std::vector<int> order_;                // contacts of each island, sorted by colour
};

}  // namespace slipstick::internal
