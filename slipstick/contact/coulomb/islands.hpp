// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/contact/coulomb/contact_nodes.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
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

  /// Nodes are coupled by entries of W that are not zero.
  void find(const CsrMatrix& W, const ContactNodes& nodes);
  void find(const DenseMatrix& W, const ContactNodes& nodes);
  /// Nodes are coupled by the bodies.
  void find(const DelassusOperator& W, const ContactNodes& nodes);
  /// Nodes are coupled by the components of the mass.
  void find(const CondensedOperator& W, const ContactNodes& nodes);

  const std::vector<Island>& list() const { return list_; }
  /// The number in the problem, by the number in this order.
  const std::vector<int>& order() const { return order_; }
  /// The inverse map.
  int number(int node) const { return number_[static_cast<std::size_t>(node)]; }

 private:
  void find_in_rows(const auto& W, const ContactNodes& nodes);
  void join_at(int place, int node);
  void set_order(const ContactNodes& nodes, int group);

  std::vector<Island> list_;
  std::vector<int> order_, number_;
  DisjointSets sets_;
  std::vector<int> island_of_;
  std::vector<int> first_;  // the first node at a place: an island of bodies, or a component of the mass
};

}  // namespace slipstick::internal
