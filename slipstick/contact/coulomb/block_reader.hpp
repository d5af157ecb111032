// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/contact_nodes.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

/// Reads W in square blocks of `dimension` rows, one for each pair of nodes, stored column by column, in the
/// order of the problem. A node with fewer rows has zeros in the others. Zero blocks are left out. The
/// diagonal block comes first in its row. Keeps its storage.
class BlockReader {
 public:
  /// For a CondensedOperator, reads only the diagonals of the diagonal blocks.
  void read(const Operator& W, const ContactNodes& nodes);

  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  const double* block(int k) const { return values_.data() + static_cast<std::size_t>(k) * entries(); }

 private:
  std::size_t entries() const { return static_cast<std::size_t>(dimension_) * dimension_; }
  double* block_at(int column, std::size_t row_begin);
  template <int d, class Rows>
  void read_rows(const Rows& rows, const ContactNodes& nodes);
  template <int d, int dofs>
  void read_bodies(const DelassusOperator& graph, const ContactNodes& nodes);
  void read_diagonal(const CondensedOperator& W, const ContactNodes& nodes);

  int dimension_ = 3;
  std::vector<int> start_, columns_;
  std::vector<double> values_;
  std::vector<int> place_;       // block of each column in the current row
  std::vector<double> moved_;    // M^-1 J' of every node and side
  std::vector<int> first_node_;  // of every constraint of the bodies
};

}  // namespace slipstick::internal
