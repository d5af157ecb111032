// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/packed_matrix.hpp"

#include <algorithm>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

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

// Four by four: a block, and the transpose of its counterpart.
double PackedMatrix::asymmetry() const {
  Pack largest = {}, difference = {};
  for (Index j = 0; j < stride_; j += pack_size) {
    for (Index i = j; i < stride_; i += pack_size) {
      Pack below[pack_size], above[pack_size];
      for (Index k = 0; k < pack_size; ++k) {
        below[k] = load_pack(column(j + k) + i);
        above[k] = load_pack(column(i + k) + j);
      }
      transpose(above);
      for (Index k = 0; k < pack_size; ++k) {
        const Pack apart = below[k] - above[k];
        largest = larger(largest, larger(larger(below[k], -below[k]), larger(above[k], -above[k])));
        difference = larger(difference, larger(apart, -apart));
      }
    }
  }
  return largest_of(largest) > 0.0 ? largest_of(difference) / largest_of(largest) : 0.0;
}

}  // namespace slipstick

#pragma GCC diagnostic pop
