// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

// for_row(a, i, visit) calls visit(column, value) for the stored entries of row i. A matrix-free operator
// stores none.

template <class Visit>
void for_row(const CsrMatrix& a, Index i, const Visit& visit) {
  for (int k = a.outerIndexPtr()[i], end = a.outerIndexPtr()[i + 1]; k < end; ++k)
    visit(a.innerIndexPtr()[k], a.valuePtr()[k]);
}

template <class Visit>
void for_row(const BandedMatrix& a, Index i, const Visit& visit) {
  const Index last = std::min(a.rows() - 1, i + a.bandwidth());
  for (Index j = std::max<Index>(0, i - a.bandwidth()); j < i; ++j)
    visit(static_cast<int>(j), a.lower()(i - j, j));
  for (Index j = i; j <= last; ++j) visit(static_cast<int>(j), a.lower()(j - i, i));
}

template <class Visit>
void for_row(const DenseMatrix& a, Index i, const Visit& visit) {
  for (Index j = 0; j < a.cols(); ++j) visit(static_cast<int>(j), a(i, j));
}

/// Calls visitor with a sparse or dense storage for for_row. Other storages are assembled: a band stores
/// zeros that are not part of the pattern.
template <class Visitor>
void visit_rows(const Operator& a, const Visitor& visitor) {
  a.visit([&](const auto& storage) {
    using Storage = std::remove_cvref_t<decltype(storage)>;
    if constexpr (std::is_same_v<Storage, CsrMatrix> || std::is_same_v<Storage, DenseMatrix>) {
      visitor(storage);
    } else {
      visitor(*a.assemble());
    }
  });
}

}  // namespace slipstick::internal
