// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/neighbour_graph.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr double entry_work = 4.0;  // operations of an entry

// The columns of A', by rows.
struct TransposedPattern {
  std::vector<Index> start;
  std::vector<int> columns;

  explicit TransposedPattern(const CsrMatrix& a)
      : start(static_cast<std::size_t>(a.cols()) + 1, 0), columns(static_cast<std::size_t>(a.nonZeros())) {
    for (Index k = 0; k < a.nonZeros(); ++k) ++start[static_cast<std::size_t>(a.innerIndexPtr()[k]) + 1];
    for (std::size_t j = 1; j < start.size(); ++j) start[j] += start[j - 1];
    std::vector<Index> next(start.begin(), start.end() - 1);
    for (Index i = 0; i < a.rows(); ++i) {
      const int begin = a.outerIndexPtr()[i], end = a.outerIndexPtr()[i + 1];
      for (int k = begin; k < end; ++k) columns[next[a.innerIndexPtr()[k]]++] = static_cast<int>(i);
      count_work(entry_work * (end - begin));
    }
  }
};

}  // namespace

NeighbourGraph neighbour_graph(const CsrMatrix& a) {
  assert(a.rows() == a.cols());
  const TransposedPattern transposed(a);
  NeighbourGraph graph;
  graph.start.reserve(static_cast<std::size_t>(a.rows()) + 1);
  graph.start.push_back(0);
  graph.neighbours.reserve(static_cast<std::size_t>(a.nonZeros()));
  for (int i = 0; i < static_cast<int>(a.rows()); ++i) {
    const int* row = a.innerIndexPtr() + a.outerIndexPtr()[i];
    const int* const row_end = a.innerIndexPtr() + a.outerIndexPtr()[i + 1];
    const int* column = transposed.columns.data() + transposed.start[i];
    const int* const column_end = transposed.columns.data() + transposed.start[i + 1];
    while (row != row_end || column != column_end) {
      const int next = column == column_end || (row != row_end && *row < *column) ? *row : *column;
      if (next != i) graph.neighbours.push_back(next);
      row += row != row_end && *row == next;
      column += column != column_end && *column == next;
    }
    graph.start.push_back(static_cast<Index>(graph.neighbours.size()));
    count_work(entry_work * graph.degree(i));
  }
  return graph;
}

}  // namespace slipstick::internal
