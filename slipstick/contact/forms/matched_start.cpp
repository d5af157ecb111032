// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve.hpp"

#include <algorithm>

#include "slipstick/base/error.hpp"

namespace slipstick {
using namespace internal;
namespace {

template <class KeyedContacts>
void sort_by_key(std::span<const std::uint64_t> keys, KeyedContacts& contacts) {
  contacts.clear();
  contacts.reserve(keys.size());
  for (const std::uint64_t key : keys) contacts.emplace_back(key, static_cast<Index>(contacts.size()));
  std::sort(contacts.begin(), contacts.end());
}

}  // namespace

Index MatchedStart::fill(Index rows, std::span<const std::uint64_t> previous_keys, const Vector& previous_r,
                         std::span<const std::uint64_t> keys, WarmStart& start) {
  if (rows < 1) fail("matched start: a contact has at least one row, not {}", rows);
  if (previous_r.size() != rows * static_cast<Index>(previous_keys.size())) {
    fail("matched start: {} keys of {} rows each, but {} impulses", previous_keys.size(), rows,
         previous_r.size());
  }
  sort_by_key(previous_keys, previous_);
  sort_by_key(keys, next_);
  start.x.setZero(rows * static_cast<Index>(keys.size()));
  Index matched = 0;
  auto old = previous_.begin();
  for (const auto& [key, contact] : next_) {
    while (old != previous_.end() && old->first < key) ++old;
    if (old == previous_.end()) break;
    if (old->first != key) continue;
    const auto impulse = previous_r.segment(rows * old->second, rows);
    if (impulse.allFinite()) start.x.segment(rows * contact, rows) = impulse;
    ++matched;
    ++old;
  }
  return matched;
}

}  // namespace slipstick
