// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/body_band_layout.hpp"

#include <algorithm>

#include "slipstick/linsolve/banded/cuthill_mckee.hpp"

namespace slipstick::internal {
namespace {

bool moves(const DelassusOperator& A, Index body) {
  const std::span<const double> all = A.inverse_mass_values();
  const std::size_t count = all.size() / static_cast<std::size_t>(std::max<Index>(1, A.bodies()));
  const std::span<const double> mass = all.subspan(static_cast<std::size_t>(body) * count, count);
  return std::any_of(mass.begin(), mass.end(), [](double value) { return value != 0.0; });
}

}  // namespace

void BodyBandLayout::set(const DelassusOperator& A) {
  const std::span<const Constraint> all = A.constraints();
  constraints_.assign(all.size(), {});
  pairs_.clear();
  most_rows_ = 0;
  std::vector<Eigen::Triplet<double>> couples;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto number = static_cast<int>(k);
    constraints_[k].rows = all[k].rows;
    most_rows_ = std::max(most_rows_, all[k].rows);
    couples.emplace_back(number, number, 1.0);
  }
  for (Index body = 0; body < A.bodies(); ++body) {
    if (!moves(A, body)) continue;
    const std::span<const int> sides = A.sides(body);
    for (const int a : sides) {
      BodyBand::Constraint& constraint = constraints_[static_cast<std::size_t>(a / 2)];
      (a % 2 == 0 ? constraint.first_body : constraint.second_body) = static_cast<int>(body);
      for (const int b : sides) couples.emplace_back(a / 2, b / 2, 1.0);
    }
  }
  const auto count = static_cast<Index>(all.size());
  CsrMatrix graph(count, count);
  graph.setFromTriplets(couples.begin(), couples.end());
  int row = 0;
  for (const int k : narrow_order(graph)) {
    constraints_[static_cast<std::size_t>(k)].place = row;
    row += all[static_cast<std::size_t>(k)].rows;
  }
  place_.resize(static_cast<std::size_t>(A.rows()));
  bandwidth_ = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const BodyBand::Constraint& own = constraints_[k];
    for (int r = 0; r < own.rows; ++r) place_[static_cast<std::size_t>(all[k].row + r)] = own.place + r;
    for (CsrMatrix::InnerIterator it(graph, static_cast<Index>(k)); it; ++it) {
      const BodyBand::Constraint& other = constraints_[static_cast<std::size_t>(it.col())];
      if (own.rows == 0 || other.rows == 0 || other.place > own.place) continue;
      pairs_.push_back({static_cast<int>(k), static_cast<int>(it.col())});
      bandwidth_ = std::max(bandwidth_, own.place + own.rows - 1 - other.place);
    }
  }
}

BodyBand BodyBandLayout::numbers(const DelassusOperator& A) {
  jacobian_ = A.jacobian_by_constraint();
  std::size_t block = 0;
  for (BodyBand::Constraint& constraint : constraints_) {
    const std::size_t size =
        static_cast<std::size_t>(constraint.rows) * static_cast<std::size_t>(A.dofs_per_body());
    constraint.first_block = block;
    constraint.second_block = block + size;
    block += 2 * size;
  }
  compliance_.resize(place_.size());
  for (std::size_t k = 0; k < place_.size(); ++k)
    compliance_[static_cast<std::size_t>(place_[k])] = A.compliance()[static_cast<Index>(k)];
  return {.dofs = A.dofs_per_body(),
          .diagonal_mass = A.inverse_mass_values().size() == static_cast<std::size_t>(A.dofs()),
          .most_rows = most_rows_,
          .constraints = constraints_,
          .pairs = pairs_,
          .jacobian = jacobian_,
          .inverse_mass = A.inverse_mass_values(),
          .compliance = compliance_};
}

}  // namespace slipstick::internal
