// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A connected component of a contact problem, or several contacts without coupling. It has contacts [begin,
/// end) and bilateral rows [first_row, last_row).
struct Island {
  int begin, end;
  int first_row, last_row;
  int contacts() const { return end - begin; }
  int rows() const { return last_row - first_row; }
  int nodes() const { return contacts() + rows(); }
};

/// The islands of a problem, in the order of their first members. Also an order of contacts and bilateral
/// rows in which the members of an island are neighbours. Keeps its storage.
class Islands {
 public:
  /// Up to this many lone contacts share an island, because the overhead of an island costs more than such a
  /// contact. This does not hold if W is a CondensedOperator.
  static constexpr int most_lone_contacts = 16;

  /// Blocks of contact i of W are in columns[start[i]] to columns[start[i + 1]]. Contacts on one component of
  /// the mass of a CondensedOperator are coupled.
  void find(const LocalContactProblem& problem, std::span<const int> start, std::span<const int> columns);

  const std::vector<Island>& list() const { return list_; }
  /// The number in the problem, by the number in this order.
  const std::vector<int>& order() const { return order_; }
  const std::vector<int>& row_order() const { return row_order_; }
  /// The inverse maps.
  int number(int contact) const { return number_[static_cast<std::size_t>(contact)]; }
  int row_number(int row) const { return row_number_[static_cast<std::size_t>(row)]; }

 private:
  void join_components(const CondensedOperator& W, int dimension);
  void join_rows(const LocalBilateral& bilateral, int dimension, int contacts);
  void set_order(int contacts, int rows, int group);

  std::vector<Island> list_;
  std::vector<int> order_, row_order_, number_, row_number_;
  DisjointSets sets_;
  std::vector<int> island_of_, first_;
};

}  // namespace slipstick::internal
