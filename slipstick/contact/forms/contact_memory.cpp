// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact_memory.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "slipstick/base/binary_stream.hpp"
#include "slipstick/base/error.hpp"

namespace slipstick {
using namespace internal;
namespace {

constexpr std::array<char, 8> file_mark = {'s', 'l', 'i', 'p', 'm', 'e', 'm', '2'};

void sort_by_key(auto& entries) {
  const auto before = [](const auto& a, const auto& b) {
    return std::tie(a.key, a.order) < std::tie(b.key, b.order);
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before))
    std::sort(entries.begin(), entries.end(), before);
}

Index rows_of(const auto& entries) {
  Index rows = 0;
  for (const auto& entry : entries) rows = std::max(rows, entry.first + entry.rows);
  return rows;
}

}  // namespace

void ContactMemory::list(Keys keys, std::span<const int> first_rows, std::vector<Entry>& entries) const {
  if (first_rows.size() != keys.size() + 1 || first_rows.front() != 0 ||
      !std::is_sorted(first_rows.begin(), first_rows.end()))
    fail("contact memory: {} keys need {} first rows that begin with 0 and do not fall", keys.size(),
         keys.size() + 1);
  entries.clear();
  for (std::size_t k = 0; k < keys.size(); ++k)
    entries.push_back({keys[k], static_cast<Index>(k), first_rows[k], first_rows[k + 1] - first_rows[k]});
}

void ContactMemory::list(Keys keys, Index rows, std::vector<Entry>& entries) const {
  if (rows < 1) fail("contact memory: a contact has at least one row, not {}", rows);
  entries.clear();
  for (Index k = 0; k < static_cast<Index>(keys.size()); ++k)
    entries.push_back({keys[static_cast<std::size_t>(k)], k, rows * k, rows});
}

void ContactMemory::keep_listed(const Vector& r, const Vector& u) {
  if (rows_of(asked_) != r.size())
    fail("contact memory: {} keys have {} rows, but there are {} impulses", asked_.size(), rows_of(asked_),
         r.size());
  if (u.size() != 0 && u.size() != r.size())
    fail("contact memory: there are {} impulses, but {} velocities", r.size(), u.size());
  std::swap(kept_, asked_);
  sort_by_key(kept_);
  r_ = r;
  u_ = u;
}

Index ContactMemory::recall_listed(WarmStart& start) {
  const bool has_velocities = u_.size() > 0;
  start.x.setZero(rows_of(asked_));
  start.u.setZero(has_velocities ? start.x.size() : 0);
  sort_by_key(asked_);
  Index known = 0;
  auto old = kept_.begin();
  for (const Entry& entry : asked_) {
    while (old != kept_.end() && old->key < entry.key) ++old;
    if (old == kept_.end()) break;
    if (old->key != entry.key) continue;
    if (old->rows == entry.rows) {
      const auto copy = [&](const Vector& from, Vector& to) {
        const auto values = from.segment(old->first, old->rows);
        if (values.allFinite()) to.segment(entry.first, entry.rows) = values;
      };
      copy(r_, start.x);
      if (has_velocities) copy(u_, start.u);
      ++known;
    }
    ++old;
  }
  return known;
}

void ContactMemory::keep(Keys keys, std::span<const int> first_rows, const Vector& r, const Vector& u) {
  list(keys, first_rows, asked_);
  keep_listed(r, u);
}

void ContactMemory::keep(Keys keys, Index rows, const Vector& r, const Vector& u) {
  list(keys, rows, asked_);
  keep_listed(r, u);
}

Index ContactMemory::recall(Keys keys, std::span<const int> first_rows, WarmStart& start) {
  list(keys, first_rows, asked_);
  return recall_listed(start);
}

Index ContactMemory::recall(Keys keys, Index rows, WarmStart& start) {
  list(keys, rows, asked_);
  return recall_listed(start);
}

void ContactMemory::save(std::ostream& to) const {
  BinaryWriter out(to);
  out.write(file_mark);
  out.write_count(kept_.size());
  out.write(static_cast<std::uint64_t>(u_.size() > 0));
  for (const Entry& entry : kept_) {
    const auto rows = static_cast<std::size_t>(entry.rows);
    out.write(entry.key);
    out.write_count(rows);
    out.write_numbers({r_.data() + entry.first, rows});
    if (u_.size() > 0) out.write_numbers({u_.data() + entry.first, rows});
  }
}

void ContactMemory::restore(std::istream& from) {
  BinaryReader in(from, "contact memory");
  if (in.read<std::array<char, 8>>() != file_mark) fail("contact memory: the data are no saved memory");
  const std::size_t count = in.read_count(2 * sizeof(std::uint64_t));
  const auto has_velocities = in.read<std::uint64_t>();
  if (has_velocities > 1) fail("contact memory: the data are no saved memory");
  std::vector<Entry> entries;
  std::vector<double> impulses, velocities;
  for (std::size_t k = 0; k < count; ++k) {
    const auto key = in.read<std::uint64_t>();
    const std::size_t rows = in.read_count(sizeof(double));
    if (!entries.empty() && key < entries.back().key) fail("contact memory: the keys do not ascend");
    const auto first = static_cast<Index>(impulses.size());
    in.append(impulses, rows);
    if (has_velocities == 1) in.append(velocities, rows);
    entries.push_back({key, static_cast<Index>(k), first, static_cast<Index>(rows)});
  }
  kept_ = std::move(entries);
  r_ = Eigen::Map<const Vector>(impulses.data(), static_cast<Index>(impulses.size()));
  u_ = Eigen::Map<const Vector>(velocities.data(), static_cast<Index>(velocities.size()));
}

}  // namespace slipstick
