// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"

namespace slipstick::internal {

/// Contacts sorted by colour, island by island: no block of W couples two of one colour, so that they can be
/// solved at the same time. Greedy, in the order of the contacts.
class ContactColours {
 public:
  /// Nothing is done while blocks.version() stays.
  void assign(const ContactBlocks& blocks);
  /// False where the contacts take too many colours.
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
  std::vector<int> colour_;               // of each contact
  std::vector<std::uint64_t> forbidden_;  // colours that earlier contacts took, by bits
  std::vector<int> order_;                // contacts, those of an island sorted by colour
};

}  // namespace slipstick::internal
