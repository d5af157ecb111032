// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/body_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {
namespace {

bool is_between(const std::array<int, 2>& bodies) {
  return bodies[0] >= 0 && bodies[1] >= 0 && bodies[0] != bodies[1];
}

}  // namespace

bool is_resting(const WorldBody& body) {
  return body.inverse_mass == 0.0 && std::all_of(body.inverse_inertia.begin(), body.inverse_inertia.end(),
                                                 [](double entry) { return entry == 0.0; });
}

void BodyOrder::set(const WorldContacts& world, int threads) {
  const std::size_t bodies = world.bodies.size(), contacts = world.contacts.size();
  movable_.resize(bodies);
  for (std::size_t body = 0; body < bodies; ++body) movable_[body] = is_resting(world.bodies[body]) ? 0 : 1;
  const auto moving = [&](std::array<int, 2> pair) {
    for (int& body : pair)
      if (body >= 0 && movable_[static_cast<std::size_t>(body)] == 0) body = -1;
    return pair;
  };
  moving_.resize(contacts + world.rows.size());
  parallel_for(static_cast<Index>(contacts), threads, [&](Index first, Index last) {
    for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(last); ++k)
      moving_[k] = moving(world.contacts[k].body);
  });
  for (std::size_t k = 0; k < world.rows.size(); ++k) moving_[contacts + k] = moving(world.rows[k].body);

  find_neighbours(bodies);
  list_.clear();
  for (std::size_t body = 0; body < bodies; ++body)
    if (unseen_[body] != 0) list_.push_back(static_cast<int>(body));
  breadth_first_.clear();
  for (const int root : list_) {
    if (unseen_[static_cast<std::size_t>(root)] == 0) continue;
    unseen_[static_cast<std::size_t>(root)] = 0;
    breadth_first_.push_back(root);
    for (std::size_t head = breadth_first_.size() - 1; head < breadth_first_.size(); ++head) {
      const auto body = static_cast<std::size_t>(breadth_first_[head]);
      for (int k = neighbour_start_[body]; k < neighbour_start_[body + 1]; ++k) {
        const int other = neighbours_[static_cast<std::size_t>(k)];
        if (unseen_[static_cast<std::size_t>(other)] == 0) continue;
        unseen_[static_cast<std::size_t>(other)] = 0;
        breadth_first_.push_back(other);
      }
    }
  }
  const double nearer = renumber(breadth_first_);
  if (renumber(list_) <= 1.1 * nearer) return;
  list_.swap(breadth_first_);
  renumber(list_);
}

// Marks the bodies that take part as unseen.
void BodyOrder::find_neighbours(std::size_t bodies) {
  unseen_.assign(bodies, 0);
  neighbour_start_.assign(bodies + 1, 0);
  for (const std::array<int, 2>& pair : moving_) {
    for (const int body : pair)
      if (body >= 0) unseen_[static_cast<std::size_t>(body)] = 1;
    if (!is_between(pair)) continue;
    for (const int body : pair) ++neighbour_start_[static_cast<std::size_t>(body) + 1];
  }
  std::partial_sum(neighbour_start_.begin(), neighbour_start_.end(), neighbour_start_.begin());
  neighbours_.resize(static_cast<std::size_t>(neighbour_start_.back()));
  next_.assign(neighbour_start_.begin(), neighbour_start_.end() - 1);
  for (const std::array<int, 2>& pair : moving_) {
    if (!is_between(pair)) continue;
    for (const std::size_t side : {0U, 1U})
      neighbours_[static_cast<std::size_t>(next_[static_cast<std::size_t>(pair[side])]++)] = pair[1 - side];
  }
}

// Numbers the bodies in this order. Returns how far neighbours are from each other: the lengths of the
// differences of their numbers in bits, summed up.
double BodyOrder::renumber(const std::vector<int>& order) {
  number_.assign(unseen_.size() + 1, static_cast<int>(order.size()));
  for (std::size_t k = 0; k < order.size(); ++k)
    number_[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  std::int64_t bits = 0;
  for (const auto& [first, second] : moving_)
    if (first >= 0 && second >= 0)
      bits += std::bit_width(static_cast<unsigned>(std::abs(number(first) - number(second))));
  return static_cast<double>(bits);
}

}  // namespace slipstick::internal
