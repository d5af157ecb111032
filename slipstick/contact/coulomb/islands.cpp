// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/islands.hpp"

#include <utility>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

void Islands::find(const Operator& W, const ContactNodes& nodes, std::span<const int> start,
                   std::span<const int> columns) {
  sets_.reset(static_cast<std::size_t>(nodes.count()));
  for (int i = 0; i < nodes.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto first = static_cast<std::size_t>(start[at]), last = static_cast<std::size_t>(start[at + 1]);
    for (const int column : columns.subspan(first, last - first)) sets_.join(i, column);
  }
  const auto* condensed = storage_of<CondensedOperator>(W);
  if (condensed != nullptr) join_components(*condensed, nodes);
  set_order(nodes, condensed == nullptr ? most_lone_contacts : 1);
}

void Islands::join_components(const CondensedOperator& W, const ContactNodes& nodes) {
  const ComponentInverse& inverse = W.inverse();
  first_.assign(static_cast<std::size_t>(inverse.components()), -1);  // first node on each component
  for (int i = 0; i < W.rows(); ++i) {
    const int node = nodes.node(i);
    for_row(W.transposed_h(), i, [&](int column, double value) {
      if (value == 0.0) return;
      int& other = first_[static_cast<std::size_t>(inverse.component(column))];
      if (other < 0) other = node;
      sets_.join(node, other);
    });
  }
}

// Islands are numbered in the order of their first members. Up to `group` lone contacts make one island.
void Islands::set_order(const ContactNodes& nodes, int group) {
  const auto island_of = [&](int node) -> int& { return island_of_[static_cast<std::size_t>(node)]; };
  list_.clear();
  // At first, the entry of an island's first member is the number of its members.
  island_of_.assign(sets_.size(), 0);
  for (int node = 0; node < nodes.count(); ++node) ++island_of(sets_.lowest(node));
  int lone = -1;  // island of lone contacts
  for (int node = 0; node < nodes.count(); ++node) {
    const int first = sets_.lowest(node);
    if (first == node) {
      const bool alone = island_of(node) == 1 && node < nodes.contacts();
      if (alone && lone >= 0 && list_[static_cast<std::size_t>(lone)].end < group) {
        island_of(node) = lone;
      } else {
        island_of(node) = static_cast<int>(list_.size());
        if (alone) lone = island_of(node);
        list_.push_back({0, 0, 0});
      }
    }
    Island& island = list_[static_cast<std::size_t>(island_of(node) = island_of(first))];
    if (node < nodes.contacts()) ++island.joints;
    ++island.end;
  }
  int begin = 0;
  for (Island& island : list_) {
    island.begin = std::exchange(begin, begin + island.end);
    island.joints += island.begin;
    island.end = island.begin;  // grows again below
  }
  order_.resize(static_cast<std::size_t>(nodes.count()));
  number_.resize(order_.size());
  for (int node = 0; node < nodes.count(); ++node) {
    Island& island = list_[static_cast<std::size_t>(island_of(node))];
    number_[static_cast<std::size_t>(node)] = island.end;
    order_[static_cast<std::size_t>(island.end++)] = node;
  }
}

}  // namespace slipstick::internal
