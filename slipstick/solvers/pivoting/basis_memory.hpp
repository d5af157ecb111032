// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The bases that a run of pivots has met, by hashes of 64 bits. The hash of a set is the exclusive or of the
/// keys of its members, so that an exchange changes it in two operations. Equal hashes of different sets are
/// possible, with a probability of 1e-12 in a thousand pivots.
class BasisMemory {
 public:
  /// The first bases are not kept. A run that ends after few pivots pays nothing.
  static constexpr std::size_t unkept = 32;

  /// Half of the memory holds 16 bases per row, but no more than 4096.
  void clear(Index rows) {
    const auto wanted = static_cast<std::size_t>(std::clamp<Index>(32 * rows, 256, 8192));
    slots_.resize(std::bit_ceil(wanted));
    met_ = 0;
  }

  static std::uint64_t key(std::size_t variable) { return Random(variable).bits(); }

  /// Returns false if the basis was met before.
  bool insert(std::uint64_t hash) {
    if (met_++ < unkept) return true;
    const std::size_t capacity = slots_.size();
    // The memory begins again if it is half full. A cycle is then found in its next round.
    if ((met_ - unkept - 1) % (capacity / 2) == 0) std::fill(slots_.begin(), slots_.end(), 0);
    if (hash == 0) hash = 1;  // 0 marks an empty slot
    for (std::size_t slot = hash % capacity;; slot = (slot + 1) % capacity) {
      if (slots_[slot] == hash) return false;
      if (slots_[slot] != 0) continue;
      slots_[slot] = hash;
      return true;
    }
  }

 private:
  std::vector<std::uint64_t> slots_;
  std::size_t met_ = 0;
};

}  // namespace slipstick::internal
