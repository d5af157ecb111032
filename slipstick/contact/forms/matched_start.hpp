// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/solve/result.hpp"

namespace slipstick {

/// Warm starts for a time loop in which contacts come, go and change places (Litven 2013, chapter 7; Ho
/// 2022, 5.3). A contact is known by its key, for instance the pair of bodies and the feature that touches,
/// or the cell of a grid: it starts from the impulse that the contact with the same key had a step before,
/// and a contact with a new key from zero. Contacts that share a key are matched in the order in which they
/// appear.
///
/// Impulses belong to the frames of their contacts (normal, then tangents) and to a time step; where either
/// has changed, turn or scale them first. The object is a workspace: a second call with no more contacts
/// allocates nothing.
class MatchedStart {
 public:
  /// start.x <- the impulses of the new contacts, from the r of the previous ones, `rows` per contact: the
  /// dimension of a contact problem, or 1 for normal impulses alone. Impulses that are not finite count as
  /// zero. Returns how many contacts were matched.
  Index fill(Index rows, std::span<const std::uint64_t> previous_keys, const Vector& previous_r,
             std::span<const std::uint64_t> keys, WarmStart& start);

 private:
  using KeyedContact = std::pair<std::uint64_t, Index>;
  std::vector<KeyedContact> previous_, next_;  // by key, then in order of appearance
};

}  // namespace slipstick
