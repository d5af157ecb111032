// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/interruption.hpp"
#include "slipstick/contact/coulomb/contact_nodes.hpp"
#include "slipstick/contact/coulomb/island_tasks.hpp"
#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal {

/// W in square blocks of `dimension` rows, one for each pair of nodes, stored column by column. Nodes are in
/// the order of the islands. A node with fewer rows has zeros in the others. Blocks that are not there are
/// zero. The diagonal block is always there. Keeps its storage.
class BlockReader {
 public:
  void read(const CsrMatrix& W, const ContactNodes& nodes, const Islands& islands);
  void read(const DenseMatrix& W, const ContactNodes& nodes, const Islands& islands);
  /// J M^-1 J' + C without assembling it, one island after the other on each thread. It is exactly symmetric.
  void read(const DelassusOperator& W, const ContactNodes& nodes, const Islands& islands,
            const IslandTasks& tasks);
  /// Returns true if read() takes the operator: its constraints are the contacts, and then joints. Its bodies
  /// are rigid.
  static bool takes(const DelassusOperator& W, const ContactNodes& nodes);
  /// Only the diagonals of the diagonal blocks.
  void read(const CondensedOperator& W, const ContactNodes& nodes, const Islands& islands);

  /// Blocks of node i: k in [start()[i], start()[i + 1]), ascending columns()[k].
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  /// One more number may be read after the last block.
  const double* block(int k) const { return values_.data() + static_cast<std::size_t>(k) * entries(); }
  int diagonal(int i) const { return diagonal_[static_cast<std::size_t>(i)]; }

 private:
  std::size_t entries() const { return static_cast<std::size_t>(dimension_) * dimension_; }
  double* mutable_block(int k) { return values_.data() + static_cast<std::size_t>(k) * entries(); }
  void reset(const ContactNodes& nodes);
  void set_block_count(std::size_t count) { resize_with_looks(values_, count * entries() + 1); }
  template <int d>
  void read_rows(const auto& W, const ContactNodes& nodes, const Islands& islands);
  void sort_row(int begin);
  template <int d, int dofs>
  void read_bodies(const DelassusOperator& graph, const ContactNodes& nodes, const Islands& islands,
                   const IslandTasks& tasks);
  template <int d, int dofs>
  class Bodies;

  int dimension_ = 3;
  std::vector<int> start_, columns_, diagonal_;
  std::vector<double> values_;
  // Scratch.
  std::vector<int> place_;        // the last block of each column
  std::vector<double> unsorted_;  // blocks of a row
  std::vector<int> first_node_;   // of each constraint of the bodies
  std::vector<double> moved_;     // M^-1 J' of every node and side
  std::vector<char> moves_;       // it is not zero
  std::vector<int> list_start_;   // room for the columns of each node, duplicates included
  std::vector<int> list_, next_;  // these columns; the next block of each row to be mirrored
};

}  // namespace slipstick::internal
