// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/ordering.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"
#include "slipstick/linsolve/sparse/metis_ordering.hpp"

namespace slipstick::internal {
namespace {

// METIS last, so that the others come first.
constexpr Ordering all_orderings[] = {Ordering::natural, Ordering::cm, Ordering::rcm, Ordering::amd,
                                      Ordering::metis};

std::vector<int> minimum_degree(const CsrMatrix& a) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double, Eigen::ColMajor, int>(a), permutation);
  const auto& indices = permutation.indices();
  return {indices.data(), indices.data() + indices.size()};
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
      order = minimum_degree(a);
      break;
    case Ordering::metis:
      order = nested_dissection(a);
      break;
  }
  count_work(100.0 * static_cast<double>(a.nonZeros()));
  return order;
}

}  // namespace slipstick::internal
