// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/islands.hpp"

#include <utility>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

void Islands::find(const LocalContactProblem& problem, std::span<const int> start,
                   std::span<const int> columns) {
  const auto contacts = static_cast<int>(start.size()) - 1;
  const int rows = problem.bilateral ? static_cast<int>(problem.bilateral->s.size()) : 0;
  sets_.reset(static_cast<std::size_t>(contacts) + static_cast<std::size_t>(rows));
  for (int i = 0; i < contacts; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto first = static_cast<std::size_t>(start[at]), last = static_cast<std::size_t>(start[at + 1]);
    for (const int column : columns.subspan(first, last - first)) sets_.join(i, column);
  }
  const auto* condensed = storage_of<CondensedOperator>(problem.W);
  if (condensed != nullptr) join_components(*condensed, problem.dimension);
  if (problem.bilateral) join_rows(*problem.bilateral, problem.dimension, contacts);
  set_order(contacts, rows, condensed == nullptr ? most_lone_contacts : 1);
}

void Islands::join_components(const CondensedOperator& W, int dimension) {
  const ComponentInverse& inverse = W.inverse();
  first_.assign(static_cast<std::size_t>(inverse.components()), -1);  // first contact on each component
  for (Index i = 0; i < W.rows(); ++i) {
    for_row(W.transposed_h(), i, [&](int column, double value) {
      if (value == 0.0) return;
      int& other = first_[static_cast<std::size_t>(inverse.component(column))];
      if (other < 0) other = static_cast<int>(i) / dimension;
      sets_.join(static_cast<int>(i) / dimension, other);
    });
  }
}

void Islands::join_rows(const LocalBilateral& bilateral, int dimension, int contacts) {
  const auto& [V, R, s] = bilateral;
  for (Index i = 0; i < V.rows(); ++i)
    for_row(V, i,
            [&](int column, double) { sets_.join(static_cast<int>(i) / dimension, contacts + column); });
  for (Index i = 0; i < R.rows(); ++i)
    for_row(R, i, [&](int column, double) { sets_.join(contacts + static_cast<int>(i), contacts + column); });
}

// Islands are numbered in the order of their first members. Up to `group` lone contacts make one island.
void Islands::set_order(int contacts, int rows, int group) {
  const int nodes = contacts + rows;
  const auto island_of = [&](int node) -> int& { return island_of_[static_cast<std::size_t>(node)]; };
  list_.clear();
  // At first, the entry of an island's first member is the number of its members.
  island_of_.assign(sets_.size(), 0);
  for (int node = 0; node < nodes; ++node) ++island_of(sets_.lowest(node));
  int lone = -1;  // island of lone contacts
  for (int node = 0; node < nodes; ++node) {
    const int first = sets_.lowest(node);
    if (first == node) {
      const bool alone = island_of(node) == 1 && node < contacts;
      if (alone && lone >= 0 && list_[static_cast<std::size_t>(lone)].end < group) {
        island_of(node) = lone;
      } else {
        island_of(node) = static_cast<int>(list_.size());
        if (alone) lone = island_of(node);
        list_.push_back({0, 0, 0, 0});
      }
    }
    Island& island = list_[static_cast<std::size_t>(island_of(node) = island_of(first))];
    ++(node < contacts ? island.end : island.last_row);
  }
  int begin = 0, first_row = 0;
  for (Island& island : list_) {
    island.begin = std::exchange(begin, begin + island.end);
    island.first_row = std::exchange(first_row, first_row + island.last_row);
    island.end = island.begin;  // grows again below
    island.last_row = island.first_row;
  }
  order_.resize(static_cast<std::size_t>(contacts));
  number_.resize(order_.size());
  row_order_.resize(static_cast<std::size_t>(rows));
  row_number_.resize(row_order_.size());
  for (int node = 0; node < nodes; ++node) {
    Island& island = list_[static_cast<std::size_t>(island_of(node))];
    if (node < contacts) {
      number_[static_cast<std::size_t>(node)] = island.end;
      order_[static_cast<std::size_t>(island.end++)] = node;
    } else {
      row_number_[static_cast<std::size_t>(node - contacts)] = island.last_row;
      row_order_[static_cast<std::size_t>(island.last_row++)] = node - contacts;
    }
  }
}

}  // namespace slipstick::internal
