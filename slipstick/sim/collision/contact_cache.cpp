// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/contact_cache.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "slipstick/base/binary_stream.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/sim/collision/keys.hpp"

namespace slipstick::internal {
namespace {

constexpr std::array<char, 8> cache_mark = {'s', 'l', 'i', 'p', 't', 'c', 'h', '1'};
constexpr std::size_t contact_bytes = 5 * sizeof(int) + 6 * sizeof(double);

auto order_of(const KnownContact& contact) {
  return std::tie(contact.bodies, contact.shapes);
}

}  // namespace

void ContactCache::number(std::vector<KnownContact>& contacts) {
  // Shape by shape: the numbers of those that are known.
  old_taken_.assign(known_.size(), 0);
  std::size_t old = 0;
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && order_of(contacts[end]) == order_of(contacts[begin])) ++end;
    while (old < known_.size() && order_of(known_[old]) < order_of(contacts[begin])) ++old;
    std::size_t old_end = old;
    while (old_end < known_.size() && order_of(known_[old_end]) == order_of(contacts[begin])) ++old_end;
    match(contacts, begin, end, old, old_end);
    old = old_end;
  }
  // Two bodies at a time: free numbers for the others.
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && contacts[end].bodies == contacts[begin].bodies) ++end;
    if (end - begin > most_features)
      fail("bodies {} and {} have {} contacts, expected at most {}", contacts[begin].bodies[0],
           contacts[begin].bodies[1], end - begin, most_features);
    used_.assign(end - begin, 0);
    for (std::size_t k = begin; k < end; ++k) {
      const int feature = contacts[k].feature;
      if (feature >= 0 && static_cast<std::size_t>(feature) < used_.size())
        used_[static_cast<std::size_t>(feature)] = 1;
    }
    std::size_t free = 0;
    for (std::size_t k = begin; k < end; ++k) {
      if (contacts[k].feature >= 0) continue;
      while (free < used_.size() && used_[free] != 0) ++free;
      contacts[k].feature = static_cast<int>(free++);
    }
  }
  known_ = contacts;
}

// The nearest two first. The only contact of two shapes stays the same wherever it is.
void ContactCache::match(std::vector<KnownContact>& contacts, std::size_t begin, std::size_t end,
                         std::size_t old_begin, std::size_t old_end) {
  for (std::size_t k = begin; k < end; ++k) contacts[k].feature = -1;
  const bool alone = end - begin == 1 && old_end - old_begin == 1;
  for (;;) {
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t best = end, best_old = old_end;
    for (std::size_t k = begin; k < end; ++k) {
      if (contacts[k].feature >= 0) continue;
      for (std::size_t j = old_begin; j < old_end; ++j) {
        if (old_taken_[j] != 0) continue;
        const double distance = std::min((contacts[k].places[0] - known_[j].places[0]).norm(),
                                         (contacts[k].places[1] - known_[j].places[1]).norm());
        if (distance >= nearest || (distance > contacts[k].reach && !alone)) continue;
        nearest = distance, best = k, best_old = j;
      }
    }
    if (best == end) return;
    contacts[best].feature = known_[best_old].feature;
    old_taken_[best_old] = 1;
  }
}

void ContactCache::save(std::ostream& to) const {
  BinaryWriter out(to);
  out.write(cache_mark);
  out.write_count(known_.size());
  for (const KnownContact& contact : known_) {
    out.write(contact.bodies);
    out.write(contact.shapes);
    out.write(contact.feature);
    for (const Eigen::Vector3d& place : contact.places) out.write_numbers({place.data(), 3});
  }
}

void ContactCache::restore(std::istream& from, int bodies, int shapes) {
  BinaryReader in(from, "contacts");
  if (in.read<std::array<char, 8>>() != cache_mark) fail("contacts: the data are no saved contacts");
  const std::size_t count = in.read_count(contact_bytes);
  std::vector<KnownContact> known;
  for (std::size_t k = 0; k < count; ++k) {
    KnownContact contact;
    in.read(contact.bodies);
    in.read(contact.shapes);
    in.read(contact.feature);
    for (Eigen::Vector3d& place : contact.places) in.read_finite({place.data(), 3});
    for (const int body : contact.bodies)
      if (body < 0 || body >= bodies) fail("contacts: body {} of {} is saved", body, bodies);
    for (const int shape : contact.shapes)
      if (shape < 0 || shape >= shapes) fail("contacts: shape {} of {} is saved", shape, shapes);
    if (contact.feature < 0 || contact.feature >= most_features)
      fail("contacts: number {} of a contact is saved", contact.feature);
    if (!known.empty() && order_of(contact) < order_of(known.back()))
      fail("contacts: they are saved in no order");
    known.push_back(contact);
  }
  known_ = std::move(known);
}

}  // namespace slipstick::internal
