// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/sweep_parts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace slipstick::internal {
namespace {

// Later rounds are bits of a word. The last one has all contacts that do not fit elsewhere, in one part.
constexpr int most_rounds = 62;
// If fewer contacts than this share are in the first round, the parts are too much intertwined.
constexpr double least_first_round = 0.8;

// Calls visit(j) for every contact j != i of the island that a stored block couples to contact i.
void for_coupled(const ContactBlocks& blocks, const Island& island, int i, const auto& visit) {
  for (int k = blocks.start()[static_cast<std::size_t>(i)];
       k < blocks.start()[static_cast<std::size_t>(i) + 1]; ++k) {
    const int j = blocks.columns()[static_cast<std::size_t>(k)];
    if (j != i && j < island.joints) visit(j);
  }
}

}  // namespace

void SweepParts::assign(const ContactBlocks& blocks, const Island& island, int parts) {
  if (version_ == blocks.version() && begin_ == island.begin && parts_ == parts) return;
  version_ = blocks.version();
  begin_ = island.begin;
  parts_ = parts;
  const auto nodes = static_cast<std::size_t>(blocks.nodes());
  for (std::vector<int>* list : {&part_, &round_}) list->resize(nodes);
  taken_.resize(nodes);
  place_.resize(static_cast<std::size_t>(island.contacts()));
  std::iota(place_.begin(), place_.end(), island.begin);
  cut(blocks, island);
  int first = 0;
  for (int p = 0; p < parts_; ++p) first += first_round(p);
  if (first < least_first_round * island.contacts()) {
    visit_breadth_first(blocks, island);
    cut(blocks, island);
  }
  sort(island);
}

// Cuts the order into parts whose first rounds have about the same size.
void SweepParts::cut(const ContactBlocks& blocks, const Island& island) {
  sizes_.resize(static_cast<std::size_t>(parts_));
  cut_evenly(island);
  find_rounds(blocks, island);
  if (parts_ == 1) return;
  int later = 0;
  for (int p = 0; p < parts_; ++p) later += sizes_[static_cast<std::size_t>(p)] - first_round(p);
  const int share = (island.contacts() - later) / parts_;
  int left = island.contacts();
  for (int p = 0; p < parts_; ++p) {
    int& size = sizes_[static_cast<std::size_t>(p)];
    const int wanted = share + size - first_round(p);
    size = p + 1 < parts_ ? std::min(wanted, left) : left;
    left -= size;
  }
  find_rounds(blocks, island);
}

void SweepParts::cut_evenly(const Island& island) {
  const auto bound = [&](int p) {
    return static_cast<int>(static_cast<std::int64_t>(island.contacts()) * p / parts_);
  };
  for (int p = 0; p < parts_; ++p) sizes_[static_cast<std::size_t>(p)] = bound(p + 1) - bound(p);
}

// A contact gets the first round in which no coupled contact of an earlier part is. The pattern of W need
// not be symmetric: a block in either triangle is a coupling.
void SweepParts::find_rounds(const ContactBlocks& blocks, const Island& island) {
  in_first_round_.assign(static_cast<std::size_t>(parts_), 0);
  std::size_t next = 0;
  for (int p = 0; p < parts_; ++p)
    for (int k = 0; k < sizes_[static_cast<std::size_t>(p)]; ++k)
      part_[static_cast<std::size_t>(place_[next++])] = p;
  for (const int i : place_) taken_[static_cast<std::size_t>(i)] = 0;
  rounds_ = 1;
  for (const int i : place_) {
    const auto own = static_cast<std::size_t>(i);
    for_coupled(blocks, island, i, [&](int j) {
      const auto other = static_cast<std::size_t>(j);
      if (part_[other] < part_[own]) taken_[own] |= std::uint64_t{1} << round_[other];
    });
    const int round = std::countr_one(taken_[own]);
    round_[own] = round < most_rounds ? round : most_rounds;
    rounds_ = std::max(rounds_, round_[own] + 1);
    in_first_round_[static_cast<std::size_t>(part_[own])] += round_[own] == 0;
    if (round_[own] == most_rounds) continue;
    for_coupled(blocks, island, i, [&](int j) {
      const auto other = static_cast<std::size_t>(j);
      if (part_[other] > part_[own]) taken_[other] |= std::uint64_t{1} << round_[own];
    });
  }
  // These are swept one after the other.
  for (const int i : place_)
    if (round_[static_cast<std::size_t>(i)] == most_rounds) part_[static_cast<std::size_t>(i)] = 0;
}

// Neighbours follow each other, whatever the order of the contacts in the problem is.
void SweepParts::visit_breadth_first(const ContactBlocks& blocks, const Island& island) {
  for (const int i : place_) round_[static_cast<std::size_t>(i)] = 0;  // 1: visited
  std::size_t count = 0;
  const auto visit = [&](int i) {
    if (round_[static_cast<std::size_t>(i)] == 1) return;
    round_[static_cast<std::size_t>(i)] = 1;
    place_[count++] = i;
  };
  std::size_t done = 0;
  for (int first = island.begin; first < island.joints; ++first) {
    visit(first);
    while (done < count) for_coupled(blocks, island, place_[done++], visit);
  }
}

void SweepParts::sort(const Island& island) {
  const auto list_of = [&](int i) {
    return static_cast<std::size_t>(round_[static_cast<std::size_t>(i)]) * parts_ +
           part_[static_cast<std::size_t>(i)];
  };
  start_.assign(static_cast<std::size_t>(rounds_) * parts_ + 1, 0);
  order_.resize(place_.size());
  for (int i = island.begin; i < island.joints; ++i) ++start_[list_of(i)];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  for (int i = island.joints; i-- > island.begin;) order_[static_cast<std::size_t>(--start_[list_of(i)])] = i;
}

}  // namespace slipstick::internal
