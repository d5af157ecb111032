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
  /// `order` lists the contacts of the problem, island by island. W must outlive this object's use.
  void prepare(const CondensedOperator& W, int dimension, const std::vector<int>& order);
  /// H' by rows in that order.
  const CsrMatrix& rows() const { return rows_; }
  /// u = W r + q in the rows of the island.
  void multiply(const Island& island, const Vector& r, const Vector& q, Vector& u);

 private:
  const CondensedOperator* W_ = nullptr;
  int dimension_ = 3;
  CsrMatrix rows_;
  // By contact: the components that no earlier contact acts on.
  std::vector<int> components_start_, components_;
  std::vector<Index> offset_;  // offset of a component in solved_
  Vector velocity_, solved_;
};

/// to <- the rows of contacts in another order.
void reorder_contacts(const CsrMatrix& rows, int dimension, const std::vector<int>& order, CsrMatrix& to);

}  // namespace slipstick::internal
