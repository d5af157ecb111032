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
bool is_contact_graph(const DelassusOperator& graph, int d, int dofs) {
  if (graph.dofs_per_body() != dofs) return false;
  int row = 0;
  for (const Constraint& constraint : graph.constraints()) {
    if (constraint.row != row || constraint.rows != d) return false;
    row += d;
  }
  return true;
}

}  // namespace

void BlockReader::read(const Operator& W, int dimension, int contacts) {
  dimension_ = dimension;
  if (const auto* condensed = storage_of<CondensedOperator>(W)) return read_diagonal(*condensed, contacts);
  start_.assign(1, 0);
  columns_.clear();
  values_.clear();
  place_.assign(static_cast<std::size_t>(contacts), -1);
  const auto* graph = storage_of<DelassusOperator>(W);
  if (graph != nullptr && is_contact_graph(*graph, dimension, dimension == 3 ? 6 : 3)) {
    dimension == 3 ? read_bodies<3, 6>(*graph) : read_bodies<2, 3>(*graph);
  } else {
    visit_rows(W, [&](const auto& rows) {
      dimension == 3 ? read_rows<3>(rows, contacts) : read_rows<2>(rows, contacts);
    });
  }
}

// The block of a contact in the row that begins there. A new block is zero.
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
void BlockReader::read_rows(const Rows& rows, int contacts) {
  for (int i = 0; i < contacts; ++i) {
    const std::size_t row_begin = columns_.size();
    block_at(i, row_begin);
    for (int a = 0; a < d; ++a) {
      int last = -1;  // neighbouring entries often belong to one block
      double* block = nullptr;
      for_row(rows, static_cast<Index>(d) * i + a, [&](int column, double value) {
        if (value == 0.0) return;
        if (const int contact = column / d; contact != last) {
          last = contact;
          block = block_at(contact, row_begin);
        }
        block[d * (column - d * last) + a] = value;
      });
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

// J M^-1 J' + C, body by body, without assembling it.
template <int d, int dofs>
void BlockReader::read_bodies(const DelassusOperator& graph) {
  constexpr auto side_entries = static_cast<std::size_t>(d) * dofs;
  const auto contacts = graph.constraints().size();
  moved_.resize(2 * contacts * side_entries);
  const auto moved = [&](int side_of_contact) {
    return moved_.data() + static_cast<std::size_t>(side_of_contact) * side_entries;
  };
  // A body that no contact moves leaves no block.
  const auto moves = [&](int side_of_contact) {
    const double* const velocities = moved(side_of_contact);
    return std::any_of(velocities, velocities + side_entries, [](double v) { return v != 0.0; });
  };
  std::size_t most_blocks = contacts;
  for (Index body = 0; body < graph.bodies(); ++body) {
    for (const int side : graph.sides(body)) {
      const double* const rows = graph.block(static_cast<std::size_t>(side / 2), side % 2);
      for (Index a = 0; a < d; ++a)
        graph.multiply_inverse_mass(body, rows + a * dofs, moved(side) + a * dofs);
      if (moves(side)) most_blocks += graph.sides(body).size();
    }
  }
  columns_.reserve(most_blocks);
  values_.reserve(most_blocks * entries());
  for (std::size_t i = 0; i < contacts; ++i) {
    const std::size_t row_begin = columns_.size();
    double* const own = block_at(static_cast<int>(i), row_begin);
    for (Index a = 0; a < d; ++a) own[(d + 1) * a] = graph.compliance()[d * static_cast<Index>(i) + a];
    for (int side = 0; side < 2; ++side) {
      const int body = graph.constraints()[i].body[static_cast<std::size_t>(side)];
      if (body < 0 || !moves(static_cast<int>(2 * i) + side)) continue;
      const double* const rows = graph.block(i, side);
      for (const int other : graph.sides(body)) {
        const double* const columns = moved(other);
        double product[d * d], size = 0.0;
        for (int a = 0; a < d; ++a) {
          for (int c = 0; c < d; ++c) {
            double sum = 0.0;
            for (int k = 0; k < dofs; ++k) sum = multiply_add(rows[a * dofs + k], columns[c * dofs + k], sum);
            product[d * c + a] = sum;
            size += std::abs(sum);
          }
        }
        if (size == 0.0) continue;
        double* const block = block_at(other / 2, row_begin);
        for (int e = 0; e < d * d; ++e) block[e] += product[e];
      }
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

void BlockReader::read_diagonal(const CondensedOperator& W, int contacts) {
  const Vector& diagonal = W.diagonal();
  start_.resize(static_cast<std::size_t>(contacts) + 1);
  std::iota(start_.begin(), start_.end(), 0);
  columns_.assign(start_.begin(), start_.end() - 1);
  values_.assign(static_cast<std::size_t>(contacts) * entries(), 0.0);
  for (Index i = 0; i < diagonal.size(); ++i) {
    const auto first = static_cast<std::size_t>(i / dimension_) * entries();
    values_[first + static_cast<std::size_t>(i % dimension_) * (dimension_ + 1)] = diagonal[i];
  }
}

}  // namespace slipstick::internal
