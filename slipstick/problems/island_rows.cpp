// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/island_rows.hpp"

#include <algorithm>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

void find_island_rows(std::span<const int> island_of, int island, std::vector<int>& rows) {
  rows.clear();
  for (std::size_t row = 0; row < island_of.size(); ++row)
    if (island_of[row] == island) rows.push_back(static_cast<int>(row));
}

void copy_island(const LocalContactProblem& whole, std::span<const int> rows, LocalContactProblem& part) {
  const Index d = part.dimension = whole.dimension;
  const auto row = [&](Index k) { return static_cast<Index>(rows[static_cast<std::size_t>(k)]); };
  const auto count = static_cast<Index>(rows.size());
  const Index contact_rows =
      std::lower_bound(rows.begin(), rows.end(), static_cast<int>(whole.contact_rows())) - rows.begin();
  part.q.resize(count);
  for (Index k = 0; k < count; ++k) part.q[k] = whole.q[row(k)];
  part.mu.resize(contact_rows / d);
  for (Index i = 0; i < part.mu.size(); ++i) part.mu[i] = whole.mu[row(d * i) / d];
  part.friction_bounds.resize(whole.friction_bounds.size() > 0 ? part.mu.size() : 0);
  for (Index i = 0; i < part.friction_bounds.size(); ++i)
    part.friction_bounds[i] = whole.friction_bounds[row(d * i) / d];
  part.lower.resize(count - contact_rows);
  part.upper.resize(count - contact_rows);
  for (Index j = 0; j < part.lower.size(); ++j) {
    const Index place = row(contact_rows + j) - whole.contact_rows();
    part.lower[j] = whole.lower[place];
    part.upper[j] = whole.upper[place];
  }
}

LocalContactProblem assembled_island(const BodyProblem& bodies, std::span<const int> rows) {
  LocalContactProblem part;
  copy_island(std::get<LocalContactProblem>(bodies.contact_form()), rows, part);
  part.W = Operator(storage_of<DelassusOperator>(bodies.W())->principal_submatrix(rows).to_csr());
  return part;
}

}  // namespace slipstick::internal
