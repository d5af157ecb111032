// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/block_reader.hpp"

#include <algorithm>
#include <numeric>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/multiply_add.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

void BlockReader::reset(const ContactNodes& nodes) {
  const auto count = static_cast<std::size_t>(nodes.count());
  dimension_ = nodes.dimension();
  start_.assign(1, 0);
  columns_.clear();
  diagonal_.resize(count);
  place_.assign(count, -1);
}

void BlockReader::read(const CsrMatrix& W, const ContactNodes& nodes, const Islands& islands) {
  nodes.dimension() == 3 ? read_rows<3>(W, nodes, islands) : read_rows<2>(W, nodes, islands);
}

void BlockReader::read(const DenseMatrix& W, const ContactNodes& nodes, const Islands& islands) {
  nodes.dimension() == 3 ? read_rows<3>(W, nodes, islands) : read_rows<2>(W, nodes, islands);
}

template <int d>
void BlockReader::read_rows(const auto& W, const ContactNodes& nodes, const Islands& islands) {
  reset(nodes);
  values_.clear();
  for (int i = 0; i < nodes.count(); ++i) {
    const int node = islands.order()[static_cast<std::size_t>(i)];
    const int begin = start_.back();
    const auto block_at = [&](int column) {
      int& place = place_[static_cast<std::size_t>(column)];
      if (place < begin) {
        place = static_cast<int>(columns_.size());
        columns_.push_back(column);
        values_.resize(values_.size() + entries(), 0.0);
      }
      return mutable_block(place);
    };
    for (int a = 0; a < nodes.rows(node); ++a) {
      int first = 0, end = 0;  // neighbouring entries often belong to one block
      double* block = nullptr;
      for_row(W, static_cast<Index>(nodes.first(node)) + a, [&](int column, double value) {
        if (value == 0.0) return;
        if (column < first || column >= end) {
          const int other = nodes.node(column);
          first = nodes.first(other);
          end = first + nodes.rows(other);
          block = block_at(islands.number(other));
        }
        block[d * (column - first) + a] = value;
      });
    }
    block_at(i);
    sort_row(begin);
    count_work(static_cast<double>(10 * entries()) * (static_cast<int>(columns_.size()) - begin));
    diagonal_[static_cast<std::size_t>(i)] = place_[static_cast<std::size_t>(i)];
    start_.push_back(static_cast<int>(columns_.size()));
  }
  values_.push_back(0.0);
}

// Brings the blocks from `begin` on into the order of their columns.
void BlockReader::sort_row(int begin) {
  const auto first = columns_.begin() + begin;
  if (std::is_sorted(first, columns_.end())) return;
  unsorted_.assign(values_.begin() + begin * static_cast<std::ptrdiff_t>(entries()), values_.end());
  std::sort(first, columns_.end());
  for (int k = begin; k < static_cast<int>(columns_.size()); ++k) {
    int& place = place_[static_cast<std::size_t>(columns_[static_cast<std::size_t>(k)])];
    const auto from = unsorted_.begin() + (place - begin) * static_cast<std::ptrdiff_t>(entries());
    std::copy_n(from, entries(), mutable_block(k));
    place = k;
  }
}

bool BlockReader::takes(const DelassusOperator& W, const ContactNodes& nodes) {
  if (W.dofs_per_body() != (nodes.dimension() == 3 ? 6 : 3)) return false;
  int row = 0;
  for (int i = 0; i < nodes.contacts(); ++i, row += nodes.dimension()) {
    const Constraint& constraint = W.constraints()[static_cast<std::size_t>(W.constraint_of(row))];
    if (constraint.row != row || constraint.rows != nodes.dimension()) return false;
  }
  return true;
}

void BlockReader::read(const DelassusOperator& W, const ContactNodes& nodes, const Islands& islands,
                       const IslandTasks& tasks) {
  nodes.dimension() == 3 ? read_bodies<3, 6>(W, nodes, islands, tasks)
                         : read_bodies<2, 3>(W, nodes, islands, tasks);
}

// The nodes of bodies, and their rows of J.
template <int d, int dofs>
class BlockReader::Bodies {
 public:
  static constexpr auto side_entries = static_cast<std::size_t>(d) * dofs;

  Bodies(BlockReader& reader, const DelassusOperator& graph, const ContactNodes& nodes,
         const Islands& islands)
      : reader_(reader), graph_(graph), nodes_(nodes), islands_(islands) {}

  int node(int i) const { return islands_.order()[static_cast<std::size_t>(i)]; }
  const Constraint& constraint(int node) const {
    return graph_.constraints()[static_cast<std::size_t>(graph_.constraint_of(nodes_.first(node)))];
  }
  int body(int node, int side) const { return constraint(node).body[static_cast<std::size_t>(side)]; }
  const double* rows(int node, int side) const {
    const int k = graph_.constraint_of(nodes_.first(node));
    return graph_.block(static_cast<std::size_t>(k), side) +
           static_cast<std::size_t>(nodes_.first(node) - constraint(node).row) * dofs;
  }
  static std::size_t place(int node, int side) {
    return 2 * static_cast<std::size_t>(node) + static_cast<std::size_t>(side);
  }
  double* moved(int node, int side) const { return reader_.moved_.data() + place(node, side) * side_entries; }
  bool moves(int node, int side) const { return reader_.moves_[place(node, side)] != 0; }
  // All nodes of a body, in the order of the problem.
  void for_nodes(int body, const auto& visit) const {
    const std::vector<int>& first = reader_.first_node_;
    for (const int side : graph_.sides(body))
      for (int node = first[side / 2]; node < first[side / 2 + 1]; ++node) visit(node, side % 2);
  }

  // M^-1 J' of a node.
  void move(int node) const {
    for (int side = 0; side < 2; ++side) {
      if (body(node, side) < 0) continue;
      double* const velocities = moved(node, side);
      std::fill_n(velocities, side_entries, 0.0);
      for (Index a = 0; a < nodes_.rows(node); ++a)
        graph_.multiply_inverse_mass(body(node, side), rows(node, side) + a * dofs, velocities + a * dofs);
      reader_.moves_[place(node, side)] =
          std::any_of(velocities, velocities + side_entries, [](double v) { return v != 0.0; });
    }
  }

  // Lists the columns of node i, and returns their number.
  int list_columns(int i) const {
    const int begin = reader_.list_start_[static_cast<std::size_t>(i)];
    int end = begin;
    const auto add = [&](int column) {
      int& place = reader_.place_[static_cast<std::size_t>(column)];
      if (place >= begin) return;
      place = end;
      reader_.list_[static_cast<std::size_t>(end++)] = column;
    };
    add(i);
    for (int side = 0; side < 2; ++side) {
      if (body(node(i), side) < 0 || !moves(node(i), side)) continue;
      for_nodes(body(node(i), side), [&](int other, int other_side) {
        if (moves(other, other_side)) add(islands_.number(other));
      });
    }
    std::sort(reader_.list_.begin() + begin, reader_.list_.begin() + end);
    count_work(20.0 * (end - begin));
    return end - begin;
  }

  // The blocks of node i from the diagonal on, and those of its column below it.
  void set_blocks(int i) const {
    const int own = node(i), own_rows = nodes_.rows(own);
    const int begin = reader_.start_[static_cast<std::size_t>(i)];
    const int end = reader_.start_[static_cast<std::size_t>(i) + 1];
    for (int k = begin; k < end; ++k) reader_.place_[static_cast<std::size_t>(reader_.columns_[k])] = k;
    const int diagonal = reader_.diagonal_[static_cast<std::size_t>(i)] = reader_.place_[i];
    count_work(static_cast<double>(side_entries) * d * (end - diagonal));
    std::fill_n(reader_.mutable_block(diagonal), static_cast<std::size_t>(end - diagonal) * d * d, 0.0);
    for (int a = 0; a < own_rows; ++a)
      reader_.mutable_block(diagonal)[(d + 1) * a] = graph_.compliance()[nodes_.first(own) + a];
    for (int side = 0; side < 2; ++side) {
      if (body(own, side) < 0 || !moves(own, side)) continue;
      const double* const j = rows(own, side);
      for_nodes(body(own, side), [&](int other, int other_side) {
        const int column = islands_.number(other);
        if (column < i || !moves(other, other_side)) return;
        double* const block = reader_.mutable_block(reader_.place_[static_cast<std::size_t>(column)]);
        own_rows == d ? multiply<d>(j, moved(other, other_side), block)
                      : multiply(j, own_rows, moved(other, other_side), block);
      });
    }
    for (int k = diagonal + 1; k < end; ++k) {
      const int row = reader_.columns_[static_cast<std::size_t>(k)];
      const double* const from = reader_.block(k);
      double* const to = reader_.mutable_block(reader_.next_[static_cast<std::size_t>(row)]++);
      for (int a = 0; a < d; ++a)
        for (int c = 0; c < d; ++c) to[d * a + c] = from[d * c + a];
    }
  }

 private:
  template <int own_rows>
  static void multiply(const double* j, const double* moved, double* block) {
    multiply(j, own_rows, moved, block);
  }
  [[gnu::always_inline]] static void multiply(const double* j, int own_rows, const double* moved,
                                              double* block) {
    for (int a = 0; a < own_rows; ++a) {
      for (int c = 0; c < d; ++c) {
        double sum = 0.0;
        for (int k = 0; k < dofs; ++k) sum = multiply_add(j[a * dofs + k], moved[c * dofs + k], sum);
        block[d * c + a] += sum;
      }
    }
  }

  BlockReader& reader_;
  const DelassusOperator& graph_;
  const ContactNodes& nodes_;
  const Islands& islands_;
};

template <int d, int dofs>
void BlockReader::read_bodies(const DelassusOperator& graph, const ContactNodes& nodes,
                              const Islands& islands, const IslandTasks& tasks) {
  reset(nodes);
  const auto count = static_cast<std::size_t>(nodes.count());
  const Bodies<d, dofs> bodies(*this, graph, nodes, islands);
  first_node_.clear();
  for (const Constraint& constraint : graph.constraints()) first_node_.push_back(nodes.node(constraint.row));
  first_node_.push_back(nodes.count());
  int most_nodes = 1;  // of a constraint
  for (std::size_t k = 1; k < first_node_.size(); ++k)
    most_nodes = std::max(most_nodes, first_node_[k] - first_node_[k - 1]);
  list_start_.assign(1, 0);
  for (int i = 0; i < nodes.count(); ++i) {
    int room = 1;
    for (const int body : bodies.constraint(bodies.node(i)).body)
      if (body >= 0) room += most_nodes * static_cast<int>(graph.sides(body).size());
    list_start_.push_back(list_start_.back() + room);
  }
  resize_with_looks(list_, static_cast<std::size_t>(list_start_.back()));
  moved_.resize(2 * count * Bodies<d, dofs>::side_entries);
  moves_.resize(2 * count);
  start_.resize(count + 1);
  const auto for_nodes = [&](std::size_t island, const auto& visit) {
    for (int i = islands.list()[island].begin; i < islands.list()[island].end; ++i) visit(i);
  };
  tasks.run([&](std::size_t island, int) {
    for_nodes(island, [&](int i) { bodies.move(bodies.node(i)); });
    for_nodes(island, [&](int i) { start_[static_cast<std::size_t>(i) + 1] = bodies.list_columns(i); });
  });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  columns_.resize(static_cast<std::size_t>(start_.back()));
  set_block_count(columns_.size());
  next_.assign(start_.begin(), start_.end());
  tasks.run([&](std::size_t island, int) {
    for_nodes(island, [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      std::copy_n(list_.begin() + list_start_[at], start_[at + 1] - start_[at],
                  columns_.begin() + start_[at]);
    });
    for_nodes(island, [&](int i) { bodies.set_blocks(i); });
  });
  values_.back() = 0.0;
}

void BlockReader::read(const CondensedOperator& W, const ContactNodes& nodes, const Islands& islands) {
  reset(nodes);
  const Vector& diagonal = W.diagonal();
  start_.resize(static_cast<std::size_t>(nodes.count()) + 1);
  std::iota(start_.begin(), start_.end(), 0);
  columns_.assign(start_.begin(), start_.end() - 1);
  diagonal_.assign(columns_.begin(), columns_.end());
  values_.assign(columns_.size() * entries() + 1, 0.0);
  for (int i = 0; i < nodes.count(); ++i) {
    const int node = islands.order()[static_cast<std::size_t>(i)];
    for (Index a = 0; a < nodes.rows(node); ++a)
      mutable_block(i)[(dimension_ + 1) * a] = diagonal[nodes.first(node) + a];
  }
}

}  // namespace slipstick::internal
