// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"

namespace slipstick::internal {

/// The contacts of an island in parts of about the same size, one for each thread. Most contacts of a part
/// are coupled only within it. The others are in later rounds. In one round, no block of W couples contacts
/// of different parts. Threads can therefore sweep all parts of a round at the same time, and rounds one
/// after the other.
///
/// Unlike colours, parts keep the order of the contacts almost everywhere. Sweeps along the load converge in
/// far fewer iterations than sweeps by colour.
///
/// Parts are ranges of the order of the contacts if few contacts lie between two of them. Otherwise parts
/// are ranges of a breadth-first order of the contacts.
class SweepParts {
 public:
  /// Does nothing if neither blocks.version(), nor the island, nor `parts` has changed.
  void assign(const ContactBlocks& blocks, const Island& island, int parts);

  int parts() const { return parts_; }
  int rounds() const { return rounds_; }
  /// The contacts of a part in a round, ascending.
  std::span<const int> contacts(int round, int part) const {
    const auto list = static_cast<std::size_t>(round) * parts_ + part;
    return {order_.data() + start_[list], order_.data() + start_[list + 1]};
  }

 private:
  void cut(const ContactBlocks& blocks, const Island& island);
  void cut_evenly(const Island& island);
  void find_rounds(const ContactBlocks& blocks, const Island& island);
  void visit_breadth_first(const ContactBlocks& blocks, const Island& island);
  void sort(const Island& island);
  int first_round(int part) const { return in_first_round_[static_cast<std::size_t>(part)]; }

  std::uint64_t version_ = 0;
  int begin_ = -1;
  int parts_ = 0, rounds_ = 0;
  std::vector<int> place_;            // contacts in the order that is cut
  std::vector<int> sizes_;            // of the parts
  std::vector<int> in_first_round_;   // contacts, by part
  std::vector<int> part_, round_;     // of a contact
  std::vector<std::uint64_t> taken_;  // rounds of coupled contacts in other parts, as bits
  std::vector<int> order_;            // contacts by round and part
  std::vector<int> start_;            // of a round and part in order_
};

}  // namespace slipstick::internal
