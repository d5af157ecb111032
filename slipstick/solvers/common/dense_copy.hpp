// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

/// target <- A(row(i), row(j)). place(c) is the j with row(j) = c, or negative.
template <class Row, class Place>
void copy_entries(const Operator& A, const Row& row, const Place& place, MatrixView target) {
  A.visit([&](const auto& a) {
    if constexpr (std::is_same_v<std::decay_t<decltype(a)>, CsrMatrix>) {
      for (Index j = 0; j < target.cols(); ++j) {
        count_work(static_cast<double>(target.rows()));
        target.col(j).setZero();
      }
      const Index stride = target.outerStride();
      for (Index i = 0; i < target.rows(); ++i) {
        double* const to = target.data() + i;
        count_work(10.0 * static_cast<double>(a.outerIndexPtr()[row(i) + 1] - a.outerIndexPtr()[row(i)]));
        for_row(a, row(i), [&](Index column, double value) {
          const Index j = place(column);
          if (std::is_same_v<Place, std::identity> || j >= 0) to[j * stride] = value;
        });
      }
    } else {
      for (Index j = 0; j < target.cols(); ++j) {
        count_work(50.0 * static_cast<double>(target.rows()));
        for (Index i = 0; i < target.rows(); ++i) {
          if constexpr (requires { a.entry(i, j); }) {
            target(i, j) = a.entry(row(i), row(j));
          } else {
            target(i, j) = a(row(i), row(j));
          }
        }
      }
    }
  });
}

/// A as a dense matrix: its own storage, or `copy`, which is filled. A later call with the same size
/// allocates nothing.
inline const DenseMatrix& dense_form(const Operator& A, DenseMatrix& copy) {
  if (const auto* dense = storage_of<DenseMatrix>(A)) return *dense;
  copy.resize(A.rows(), A.rows());
  copy_entries(A, std::identity(), std::identity(), copy);
  return copy;
}

/// target <- the rows and columns `rows` (unique, any order) of A. `place` is scratch. A later call with the
/// same sizes allocates nothing.
inline void copy_submatrix(const Operator& A, const std::vector<int>& rows, std::vector<int>& place,
                           MatrixView target) {
  place.assign(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) place[rows[k]] = static_cast<int>(k);
  copy_entries(
      A, [&](Index k) { return rows[k]; }, [&](Index column) { return place[column]; }, target);
}

}  // namespace slipstick::internal
