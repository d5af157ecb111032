// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "slipstick/linalg/operator.hpp"

namespace slipstick {

// Rows of the matrix of a contact problem, private to this room.

/// Calls visit(column, value) for what is stored in a row.
template <class Visit>
void for_row(const CsrMatrix& a, Index row, const Visit& visit) {
  for (int k = a.outerIndexPtr()[row], end = a.outerIndexPtr()[row + 1]; k < end; ++k)
    visit(a.innerIndexPtr()[k], a.valuePtr()[k]);
}
template <class Visit>
void for_row(const DenseMatrix& a, Index row, const Visit& visit) {
  for (Index j = 0; j < a.cols(); ++j) visit(static_cast<int>(j), a(row, j));
}
template <class Visit>
void for_row(const BlockCsrMatrix& a, Index row, const Visit& visit) {
  const auto block_row = static_cast<std::size_t>(row / 3);
  for (int k = a.row_start()[block_row]; k < a.row_start()[block_row + 1]; ++k) {
    const double* values = a.values().data() + 9 * static_cast<std::size_t>(k) + 3 * (row % 3);
    for (int c = 0; c < 3; ++c) visit(3 * a.columns()[static_cast<std::size_t>(k)] + c, values[c]);
  }
}

/// Calls visitor with a storage that for_row takes; others are assembled for it.
template <class Visitor>
void visit_rows(const Operator& W, const Visitor& visitor) {
  W.visit([&](const auto& storage) {
    using Storage = std::remove_cvref_t<decltype(storage)>;
    if constexpr (requires { for_row(storage, Index{}, [](int, double) {}); }) {
      visitor(storage);
    } else {
      static_assert(std::is_same_v<Storage, BandedMatrix> || ThroughBodies<Storage>);
      visitor(*W.assemble());
    }
  });
}

}  // namespace slipstick
