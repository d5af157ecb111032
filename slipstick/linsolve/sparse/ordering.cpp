// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/ordering.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <limits>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/neighbour_graph.hpp"
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"
#include "slipstick/linsolve/sparse/metis_ordering.hpp"

namespace slipstick::internal {
namespace {

// METIS last, so that the others come first.
constexpr Ordering all_orderings[] = {Ordering::natural, Ordering::cm, Ordering::rcm, Ordering::amd,
                                      Ordering::metis};

// Eigen's AMD asks for a stored diagonal, and for both triangles.
std::vector<int> minimum_degree(const NeighbourGraph& graph) {
  constexpr Index most_entries = std::numeric_limits<int>::max() / 2;  // Eigen's numbers are int
  const Index n = graph.rows();
  if (graph.start.back() + n > most_entries)
    fail("a matrix of {} entries is too large for Eigen's AMD", graph.start.back() + n);
  Eigen::SparseMatrix<char, Eigen::ColMajor, int> pattern(n, n);
  pattern.resizeNonZeros(graph.start.back() + n);
  int* to = pattern.innerIndexPtr();
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const auto neighbours = graph.of(i);
    const auto above = std::ranges::lower_bound(neighbours, i);
    to = std::copy(neighbours.begin(), above, to);
    *to++ = i;
    to = std::copy(above, neighbours.end(), to);
    pattern.outerIndexPtr()[i + 1] = static_cast<int>(to - pattern.innerIndexPtr());
  }
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::internal::minimum_degree_ordering(pattern, permutation);
  const auto& indices = permutation.indices();
  return {indices.data(), indices.data() + indices.size()};
}

// True if the rows are long, and if nearly no zero lies between the first neighbour of a row and the
// diagonal. Then the natural order fills nothing, and others are expensive to find.
bool is_full_band(const NeighbourGraph& graph) {
  constexpr Index long_row = 64;
  constexpr double full_share = 0.95;
  Index entries = 0, envelope = 0;
  for (int i = 0; i < static_cast<int>(graph.rows()); ++i) {
    const auto neighbours = graph.of(i);
    if (neighbours.empty() || neighbours.front() >= i) continue;
    entries += std::ranges::lower_bound(neighbours, i) - neighbours.begin();
    envelope += i - neighbours.front();
  }
  return entries >= long_row * graph.rows() &&
         static_cast<double>(entries) >= full_share * static_cast<double>(envelope);
}

}  // namespace

std::string_view name(Ordering ordering) {
  switch (ordering) {
    case Ordering::natural:
      return "natural";
    case Ordering::cm:
      return "cm";
    case Ordering::rcm:
      return "rcm";
    case Ordering::amd:
      return "amd";
    case Ordering::metis:
      return "metis";
  }
  return "unknown";
}

std::span<const Ordering> available_orderings() {
  return std::span(all_orderings).first(std::size(all_orderings) - (has_metis() ? 0 : 1));
}

bool is_available(Ordering ordering) {
  return ordering != Ordering::metis || has_metis();
}

Ordering least_fill_ordering() {
  return has_metis() ? Ordering::metis : Ordering::amd;
}

void check_available(Ordering ordering) {
  if (!is_available(ordering)) fail("this build has no ordering '{}': METIS is not linked", name(ordering));
}

std::vector<int> order_rows(const CsrMatrix& a, Ordering ordering) {
  if (a.rows() != a.cols()) fail("only a square matrix can be reordered, not {} x {}", a.rows(), a.cols());
  check_available(ordering);
  std::vector<int> order(static_cast<std::size_t>(a.rows()));
  std::iota(order.begin(), order.end(), 0);
  if (order.size() < 2) return order;
  count_work(static_cast<double>(a.nonZeros()));
  switch (ordering) {
    case Ordering::natural:
      break;
    case Ordering::cm:
      order = reverse_cuthill_mckee(a);
      std::reverse(order.begin(), order.end());
      break;
    case Ordering::rcm:
      order = reverse_cuthill_mckee(a);
      break;
    case Ordering::amd:
      if (const NeighbourGraph graph = neighbour_graph(a); !is_full_band(graph))
        order = minimum_degree(graph);
      break;
    case Ordering::metis:
      order = nested_dissection(neighbour_graph(a));
      break;
  }
  count_work(100.0 * static_cast<double>(a.nonZeros()));
  return order;
}

}  // namespace slipstick::internal
