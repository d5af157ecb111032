// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "slipstick/result.hpp"

namespace slipstick {

/// Warm starts for a time loop in which contacts come, go and change places (Litven 2013, chapter 7; Ho 2022,
/// 5.3). A contact is known by its key, for instance its pair of bodies and the feature that touches. The
/// memory keeps the impulses of a step by key, and the velocities if they are given. Together they tell the
/// state of every contact and the active bounds. In the next step a contact with a known key starts from its
/// last impulse. A contact with a new key starts from zero. Contacts that share a key are matched in the
/// order in which they appear.
///
/// Impulses belong to the frames of their contacts (normal, then tangents) and to a time step. If either has
/// changed, turn or scale the impulses first. A second call with no more contacts allocates nothing.
class SLIPSTICK_EXPORT ContactMemory {
 public:
  using Keys = std::span<const std::uint64_t>;

  /// Keeps the answer of a step, and forgets the step before. Rows [first_rows[k], first_rows[k + 1]) of r
  /// and u belong to keys[k]. u may be empty.
  void keep(Keys keys, std::span<const int> first_rows, const Vector& r, const Vector& u = {});
  /// The same if every key has `rows` rows: the dimension of a contact problem, or 1 for normal impulses
  /// only.
  void keep(Keys keys, Index rows, const Vector& r, const Vector& u = {});

  /// start.x, start.u <- the impulses and velocities of the given contacts. Numbers that are not finite count
  /// as zero. Without velocities in the memory, start.u is empty. Returns how many keys are known with as
  /// many rows.
  Index recall(Keys keys, std::span<const int> first_rows, WarmStart& start);
  Index recall(Keys keys, Index rows, WarmStart& start);

  /// The number of keys that are kept.
  Index size() const { return static_cast<Index>(kept_.size()); }

  /// Writes all that is kept, in the byte order of the machine. A memory that reads it gives the same bits.
  void save(std::ostream& to) const;
  /// Reads what save() wrote. Throws Error if it is something else, and then changes nothing.
  void restore(std::istream& from);

 private:
  struct Entry {
    std::uint64_t key;
    Index order, first, rows;  // place among the keys, rows of r
  };
  void list(Keys keys, std::span<const int> first_rows, std::vector<Entry>& entries) const;
  void list(Keys keys, Index rows, std::vector<Entry>& entries) const;
  void keep_listed(const Vector& r, const Vector& u);
  Index recall_listed(WarmStart& start);

  std::vector<Entry> kept_, asked_;  // by key, then in order of appearance
  Vector r_, u_;
};

}  // namespace slipstick
