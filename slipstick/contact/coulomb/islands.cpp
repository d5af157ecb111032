// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/islands.hpp"

#include <utility>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

void Islands::find(const CsrMatrix& W, const ContactNodes& nodes) {
  find_in_rows(W, nodes);
}

void Islands::find(const DenseMatrix& W, const ContactNodes& nodes) {
  find_in_rows(W, nodes);
}

void Islands::find_in_rows(const auto& W, const ContactNodes& nodes) {
  sets_.reset(static_cast<std::size_t>(nodes.count()));
  for (int node = 0; node < nodes.count(); ++node) {
    int first = nodes.first(node), end = first + nodes.rows(node);  // of the last node that was joined
    for (int row = nodes.first(node); row < nodes.first(node) + nodes.rows(node); ++row) {
      for_row(W, row, [&](int column, double value) {
        if (value == 0.0 || (column >= first && column < end)) return;
        const int other = nodes.node(column);
        first = nodes.first(other);
        end = first + nodes.rows(other);
        sets_.join(node, other);
      });
    }
  }
  set_order(nodes, most_lone_contacts);
}

void Islands::find(const DelassusOperator& W, const ContactNodes& nodes) {
  sets_.reset(static_cast<std::size_t>(nodes.count()));
  first_.assign(static_cast<std::size_t>(W.islands()), -1);
  for (std::size_t k = 0; k < W.constraints().size(); ++k) {
    const Constraint& constraint = W.constraints()[k];
    for (int row = constraint.row; row < constraint.row + constraint.rows; ++row)
      join_at(W.island_of(k), nodes.node(row));
  }
  set_order(nodes, most_lone_contacts);
}

void Islands::find(const CondensedOperator& W, const ContactNodes& nodes) {
  sets_.reset(static_cast<std::size_t>(nodes.count()));
  const ComponentInverse& inverse = W.inverse();
  first_.assign(static_cast<std::size_t>(inverse.components()), -1);
  for (int row = 0; row < W.rows(); ++row) {
    for_row(W.transposed_h(), row, [&](int column, double value) {
      if (value != 0.0) join_at(inverse.component(column), nodes.node(row));
    });
  }
  set_order(nodes, 1);
}

void Islands::join_at(int place, int node) {
  int& first = first_[static_cast<std::size_t>(place)];
  if (first < 0) first = node;
  sets_.join(node, first);
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
