// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/contact_nodes.hpp"

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

// True if row and row + 1 may share a node: they belong to one constraint of the bodies, or act on one
// component of the mass, or have an entry of W in common.
bool are_coupled(const Operator& W, int row) {
  return W.visit([&](const auto& storage) {
    using Storage = std::decay_t<decltype(storage)>;
    if constexpr (std::is_same_v<Storage, DelassusOperator>) {
      return storage.constraint_of(row) == storage.constraint_of(row + 1);
    } else if constexpr (std::is_same_v<Storage, CondensedOperator>) {
      const CsrMatrix& rows = storage.transposed_h();
      const int* start = rows.outerIndexPtr() + row;
      if (start[0] == start[1] || start[1] == start[2]) return false;
      const auto component = [&](int k) { return storage.inverse().component(rows.innerIndexPtr()[k]); };
      return component(start[0]) == component(start[1]);
    } else {
      return W.entry(row, row + 1) != 0.0;
    }
  });
}

}  // namespace

void ContactNodes::find(const LocalContactProblem& problem) {
  dimension_ = problem.dimension;
  contacts_ = static_cast<int>(problem.contacts());
  const auto first = static_cast<int>(problem.contact_rows());
  const auto rows = first + static_cast<int>(problem.joint_rows());
  joint_first_.assign(1, first);
  joint_of_.resize(static_cast<std::size_t>(rows - first));
  for (int row = first; row < rows; ++row) {
    joint_of_[static_cast<std::size_t>(row - first)] = count();
    const bool full = row + 1 - joint_first_.back() == dimension_;
    if (row + 1 == rows || full || !are_coupled(problem.W, row)) joint_first_.push_back(row + 1);
  }
}

}  // namespace slipstick::internal
