// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/packed_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick {

void PackedMatrix::load(const Operator& a) {
  loaded_ = false;
  if (!source_.same_storage(a)) source_ = a;
  rows_ = a.rows();
  stride_ = whole_packs(rows_);
  entries_.assign(static_cast<std::size_t>(stride_ * stride_), 0.0);
  a.visit([&](const auto& storage) {
    using Storage = std::decay_t<decltype(storage)>;
    if constexpr (std::is_same_v<Storage, CsrMatrix>) {
      const int* const start = storage.outerIndexPtr();
      for (Index i = 0; i < rows_; ++i) {
        for (int k = start[i]; k < start[i + 1]; ++k)
          entries_[static_cast<std::size_t>(storage.innerIndexPtr()[k] * stride_ + i)] =
              storage.valuePtr()[k];
      }
    } else if constexpr (std::is_same_v<Storage, DenseMatrix>) {
      for (Index j = 0; j < rows_; ++j)
        std::copy_n(storage.data() + j * rows_, rows_, entries_.data() + j * stride_);
    } else {
      for (Index j = 0; j < rows_; ++j) {
        for (Index i = 0; i < rows_; ++i) entries_[static_cast<std::size_t>(i + j * stride_)] = a.entry(i, j);
      }
    }
  });
  loaded_ = true;
}

double PackedMatrix::asymmetry() const {
  double largest = 0.0, difference = 0.0;
  for (Index j = 0; j < rows_; ++j) {
    const double* const by_column = column(j);
    largest = std::max(largest, std::abs(by_column[j]));
    for (Index i = j + 1; i < rows_; ++i) {
      const double below = by_column[i], above = entries_[static_cast<std::size_t>(i * stride_ + j)];
      largest = std::max({largest, std::abs(below), std::abs(above)});
      difference = std::max(difference, std::abs(below - above));
    }
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

}  // namespace slipstick
