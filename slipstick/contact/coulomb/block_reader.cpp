// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/block_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/multiply_add.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {
namespace {

// True if constraint i is exactly contact i, with d rows, and bodies have this many degrees of freedom.
bool has_contacts(const DelassusOperator& graph, const ContactNodes& nodes, int dofs) {
  if (graph.dofs_per_body() != dofs) return false;
  int row = 0;
  for (int i = 0; i < nodes.contacts(); ++i, row += nodes.dimension()) {
    const Constraint& constraint = graph.constraints()[static_cast<std::size_t>(graph.constraint_of(row))];
    if (constraint.row != row || constraint.rows != nodes.dimension()) return false;
  }
  return true;
}

}  // namespace

void BlockReader::read(const Operator& W, const ContactNodes& nodes) {
  dimension_ = nodes.dimension();
  if (const auto* condensed = storage_of<CondensedOperator>(W)) return read_diagonal(*condensed, nodes);
  start_.assign(1, 0);
  columns_.clear();
  values_.clear();
  place_.assign(static_cast<std::size_t>(nodes.count()), -1);
  const auto* graph = storage_of<DelassusOperator>(W);
  if (graph != nullptr && has_contacts(*graph, nodes, dimension_ == 3 ? 6 : 3)) {
    dimension_ == 3 ? read_bodies<3, 6>(*graph, nodes) : read_bodies<2, 3>(*graph, nodes);
  } else {
    visit_rows(W, [&](const auto& rows) {
      dimension_ == 3 ? read_rows<3>(rows, nodes) : read_rows<2>(rows, nodes);
    });
  }
}

// The block of a node in the row that begins there. A new block is zero.
double* BlockReader::block_at(int column, std::size_t row_begin) {
  int& place = place_[static_cast<std::size_t>(column)];
  if (place < static_cast<int>(row_begin)) {
    place = static_cast<int>(columns_.size());
    columns_.push_back(column);
    values_.resize(values_.size() + entries(), 0.0);
  }
  return values_.data() + static_cast<std::size_t>(place) * entries();
}

template <int d, class Rows>
void BlockReader::read_rows(const Rows& rows, const ContactNodes& nodes) {
  for (int i = 0; i < nodes.count(); ++i) {
    const std::size_t row_begin = columns_.size();
    block_at(i, row_begin);
    for (int a = 0; a < nodes.rows(i); ++a) {
      int last = -1, first = 0;  // neighbouring entries often belong to one block
      double* block = nullptr;
      for_row(rows, static_cast<Index>(nodes.first(i)) + a, [&](int column, double value) {
        if (value == 0.0) return;
        if (const int node = nodes.node(column); node != last) {
          last = node;
          first = nodes.first(node);
          block = block_at(node, row_begin);
        }
        block[d * (column - first) + a] = value;
      });
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

// J M^-1 J' + C, body by body, without assembling it.
template <int d, int dofs>
void BlockReader::read_bodies(const DelassusOperator& graph, const ContactNodes& nodes) {
  constexpr auto side_entries = static_cast<std::size_t>(d) * dofs;
  const auto count = static_cast<std::size_t>(nodes.count());
  first_node_.clear();
  for (const Constraint& constraint : graph.constraints()) first_node_.push_back(nodes.node(constraint.row));
  first_node_.push_back(nodes.count());
  const auto constraint_of = [&](int node) { return graph.constraint_of(nodes.first(node)); };
  // The rows of J of a node.
  const auto rows_of = [&](int node, int side) {
    const int constraint = constraint_of(node);
    return graph.block(static_cast<std::size_t>(constraint), side) +
           static_cast<std::size_t>(nodes.first(node) - graph.constraints()[constraint].row) * dofs;
  };
  moved_.assign(2 * count * side_entries, 0.0);
  const auto moved = [&](int node, int side) {
    return moved_.data() + static_cast<std::size_t>(2 * node + side) * side_entries;
  };
  // A body that no row moves leaves no block.
  const auto moves = [&](int node, int side) {
    const double* const velocities = moved(node, side);
    return std::any_of(velocities, velocities + side_entries, [](double v) { return v != 0.0; });
  };
  // All nodes of a body.
  const auto for_nodes = [&](Index body, const auto& visit) {
    for (const int side : graph.sides(body))
      for (int node = first_node_[side / 2]; node < first_node_[side / 2 + 1]; ++node) visit(node, side % 2);
  };
  std::size_t most_blocks = count;
  for (Index body = 0; body < graph.bodies(); ++body) {
    for_nodes(body, [&](int node, int side) {
      for (Index a = 0; a < nodes.rows(node); ++a)
        graph.multiply_inverse_mass(body, rows_of(node, side) + a * dofs, moved(node, side) + a * dofs);
      if (moves(node, side)) for_nodes(body, [&](int, int) { ++most_blocks; });
    });
  }
  columns_.reserve(most_blocks);
  values_.reserve(most_blocks * entries());
  for (int i = 0; i < nodes.count(); ++i) {
    const std::size_t row_begin = columns_.size();
    double* const own = block_at(i, row_begin);
    const Constraint& constraint = graph.constraints()[static_cast<std::size_t>(constraint_of(i))];
    const int count_a = nodes.rows(i);
    for (Index a = 0; a < count_a; ++a) own[(d + 1) * a] = graph.compliance()[nodes.first(i) + a];
    for (int side = 0; side < 2; ++side) {
      const int body = constraint.body[static_cast<std::size_t>(side)];
      if (body < 0 || !moves(i, side)) continue;
      const double* const rows = rows_of(i, side);
      for_nodes(body, [&](int other, int other_side) {
        const double* const columns = moved(other, other_side);
        double product[d * d] = {}, size = 0.0;
        const auto multiply = [&](int rows_a) __attribute__((always_inline)) {
          for (int a = 0; a < rows_a; ++a) {
            for (int c = 0; c < d; ++c) {
              double sum = 0.0;
              for (int k = 0; k < dofs; ++k)
                sum = multiply_add(rows[a * dofs + k], columns[c * dofs + k], sum);
              product[d * c + a] = sum;
              size += std::abs(sum);
            }
          }
        };
        count_a == d ? multiply(d) : multiply(count_a);
        if (size == 0.0) return;
        double* const block = block_at(other, row_begin);
        for (int e = 0; e < d * d; ++e) block[e] += product[e];
      });
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

void BlockReader::read_diagonal(const CondensedOperator& W, const ContactNodes& nodes) {
  const Vector& diagonal = W.diagonal();
  start_.resize(static_cast<std::size_t>(nodes.count()) + 1);
  std::iota(start_.begin(), start_.end(), 0);
  columns_.assign(start_.begin(), start_.end() - 1);
  values_.assign(static_cast<std::size_t>(nodes.count()) * entries(), 0.0);
  for (int i = 0; i < nodes.count(); ++i) {
    double* own = values_.data() + static_cast<std::size_t>(i) * entries();
    for (Index a = 0; a < nodes.rows(i); ++a) own[(dimension_ + 1) * a] = diagonal[nodes.first(i) + a];
  }
}

}  // namespace slipstick::internal
