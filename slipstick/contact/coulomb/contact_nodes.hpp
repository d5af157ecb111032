// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// The nodes of a contact problem: the contacts with `dimension` rows each, then joints with up to as many
/// rows. Rows of joints, limits and motors that are neighbours and coupled with each other share a node.
class ContactNodes {
 public:
  void find(const LocalContactProblem& problem);

  int count() const { return contacts_ + static_cast<int>(joint_first_.size()) - 1; }
  int contacts() const { return contacts_; }
  int dimension() const { return dimension_; }
  /// The first row of a node of the problem, and their number.
  int first(int node) const {
    return node < contacts_ ? dimension_ * node : joint_first_[static_cast<std::size_t>(node - contacts_)];
  }
  int rows(int node) const {
    if (node < contacts_) return dimension_;
    const auto joint = static_cast<std::size_t>(node - contacts_);
    return joint_first_[joint + 1] - joint_first_[joint];
  }
  /// The number of rows of the problem.
  int rows() const { return joint_first_.back(); }
  /// The node of a row.
  int node(int row) const {
    const int contact_rows = dimension_ * contacts_;
    return row < contact_rows ? row / dimension_ : joint_of_[static_cast<std::size_t>(row - contact_rows)];
  }

 private:
  int dimension_ = 3, contacts_ = 0;
  std::vector<int> joint_first_{0};  // first row of each joint, then the number of rows
  std::vector<int> joint_of_;        // node of each row after the contacts
};

}  // namespace slipstick::internal
