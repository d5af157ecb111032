// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

/// target <- A.
inline void copy_matrix(const Operator& A, MatrixView target) {
  A.visit([&](const auto& a) {
    using Storage = std::decay_t<decltype(a)>;
    if constexpr (std::is_same_v<Storage, CsrMatrix>) {
      target.setZero();
      const Index stride = target.outerStride();
      for (Index i = 0; i < a.rows(); ++i) {
        double* const row = target.data() + i;
        for (CsrMatrix::InnerIterator it(a, i); it; ++it) row[it.col() * stride] = it.value();
      }
    } else if constexpr (std::is_same_v<Storage, DenseMatrix>) {
      target = a;
    } else {
      for (Index j = 0; j < target.cols(); ++j) {
        for (Index i = 0; i < target.rows(); ++i) target(i, j) = A.entry(i, j);
      }
    }
  });
}

/// target <- the rows and columns `rows` (unique, any order) of A. `place` is scratch. A later call with the
/// same sizes allocates nothing.
inline void copy_submatrix(const Operator& A, const std::vector<int>& rows, std::vector<int>& place,
                           MatrixView target) {
  const auto count = static_cast<Index>(rows.size());
  place.assign(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    place[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  A.visit([&](const auto& a) {
    if constexpr (std::is_same_v<std::decay_t<decltype(a)>, CsrMatrix>) {
      target.setZero();
      for (Index i = 0; i < count; ++i) {
        for (CsrMatrix::InnerIterator it(a, rows[static_cast<std::size_t>(i)]); it; ++it) {
          const int j = place[static_cast<std::size_t>(it.col())];
          if (j >= 0) target(i, j) = it.value();
        }
      }
    } else {
      for (Index j = 0; j < count; ++j) {
        for (Index i = 0; i < count; ++i) {
          const int row = rows[static_cast<std::size_t>(i)], column = rows[static_cast<std::size_t>(j)];
          if constexpr (requires { a.entry(row, column); }) {
            target(i, j) = a.entry(row, column);
          } else {
            target(i, j) = a(row, column);
          }
        }
      }
    }
  });
}

}  // namespace slipstick::internal
