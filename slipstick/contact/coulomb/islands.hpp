// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/contact/coulomb/contact_nodes.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A connected component of a contact problem, or several contacts without coupling. It has the nodes [begin,
/// end). Contacts come first: [begin, joints).
struct Island {
  int begin, joints, end;
  int contacts() const { return joints - begin; }
  int nodes() const { return end - begin; }
  bool has_joints() const { return joints < end; }
};

/// The islands of a problem, in the order of their first members. Also an order of the nodes in which the
/// members of an island are neighbours. Keeps its storage.
class Islands {
 public:
  /// Up to this many lone contacts share an island, because the overhead of an island costs more than such a
  /// contact. This does not hold if W is a CondensedOperator.
  static constexpr int most_lone_contacts = 16;

  /// Blocks of node i of W are in columns[start[i]] to columns[start[i + 1]]. Nodes on one component of the
  /// mass of a CondensedOperator are coupled.
  void find(const Operator& W, const ContactNodes& nodes, std::span<const int> start,
            std::span<const int> columns);

  const std::vector<Island>& list() const { return list_; }
  /// The number in the problem, by the number in this order.
  const std::vector<int>& order() const { return order_; }
  /// The inverse map.
  int number(int node) const { return number_[static_cast<std::size_t>(node)]; }

 private:
  void join_components(const CondensedOperator& W, const ContactNodes& nodes);
  void set_order(const ContactNodes& nodes, int group);

  std::vector<Island> list_;
  std::vector<int> order_, number_;
  DisjointSets sets_;
  std::vector<int> island_of_, first_;
};

}  // namespace slipstick::internal
