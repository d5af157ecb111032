// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/linalg/condensed_operator.hpp"

namespace slipstick::internal {

/// Products of islands with W = H' M^-1 H, through the components of M that an island acts on. No two islands
/// share a component, so threads may multiply different islands at the same time.
class CondensedProducts {
 public:
  /// `order` lists the nodes of the problem, island by island. W must outlive this object's use.
  void prepare(const CondensedOperator& W, const ContactNodes& nodes, const std::vector<int>& order);
  /// H' by rows in that order.
  const CsrMatrix& rows() const { return rows_; }
  /// u = W r + q in the rows of the island.
  void multiply(const Island& island, const Vector& r, const Vector& q, Vector& u);

 private:
  const CondensedOperator* W_ = nullptr;
  int dimension_ = 3;
  CsrMatrix rows_;
  // By node: the components that no earlier node acts on.
  std::vector<int> components_start_, components_;
  std::vector<Index> offset_;  // offset of a component in solved_
  Vector velocity_, solved_;
  Vector compliance_;
};

/// to <- the rows of nodes in another order, `dimension` for each. Rows that a node does not have are empty.
void reorder_nodes(const CsrMatrix& rows, const ContactNodes& nodes, const std::vector<int>& order,
                   CsrMatrix& to);

}  // namespace slipstick::internal
