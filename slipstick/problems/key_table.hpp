// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slipstick::internal {

/// A number for each key. While keys ascend, as those of contacts mostly do, they are a list. From the first
/// one that does not, they are a hash table with open addressing, also after a clear(). clear() keeps the
/// storage and takes no time: slots of earlier generations count as empty.
class KeyTable {
 public:
  static constexpr int none = -1;

  void clear() {
    list_.clear();
    ++generation_;
    size_ = 0;
  }

  /// none if the key is not there.
  int find(std::uint64_t key) const {
    if (hashes_) {
      const Slot& slot = slots_[position(key)];
      return slot.generation == generation_ ? slot.value : none;
    }
    if (comes_last(key)) return none;
    const auto place = std::lower_bound(list_.begin(), list_.end(), key,
                                        [](const Entry& entry, std::uint64_t k) { return entry.key < k; });
    return place->key == key ? place->value : none;
  }

  /// Inserts a key that is not there.
  void insert(std::uint64_t key, int value) {
    if (!hashes_ && comes_last(key)) {
      list_.push_back({key, value});
      return;
    }
    if (!hashes_) begin_to_hash();
    hash(key, value);
  }

 private:
  struct Entry {
    std::uint64_t key;
    int value;
  };
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t generation = 0;
    int value = none;
  };

  // In the list.
  bool comes_last(std::uint64_t key) const { return list_.empty() || list_.back().key < key; }

  void begin_to_hash() {
    hashes_ = true;
    for (const Entry& entry : list_) hash(entry.key, entry.value);
    list_ = {};
  }

  void hash(std::uint64_t key, int value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    slots_[position(key)] = {key, generation_, value};
    ++size_;
  }

  // The slot of a key, or the empty one where it belongs. At least half of the slots are empty.
  std::size_t position(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t k = mix(key) & mask;
    while (slots_[k].generation == generation_ && slots_[k].key != key) k = (k + 1) & mask;
    return k;
  }

  // The finalizer of splitmix64: keys that differ in a few bits go to distant slots.
  static std::uint64_t mix(std::uint64_t key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return key ^ (key >> 31);
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old)
      if (slot.generation == generation_) slots_[position(slot.key)] = slot;
  }

  std::vector<Entry> list_;
  bool hashes_ = false;
  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
  std::uint64_t generation_ = 1;
};

}  // namespace slipstick::internal
