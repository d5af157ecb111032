// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/packed_matrix.hpp"

namespace slipstick {

void PackedMatrix::load(const Operator& a) {
  source_ = a;
  loaded_ = true;
  rows_ = a.rows();
  stride_ = whole_packs(rows_);
  entries_.assign(static_cast<std::size_t>(stride_ * rows_), 0.0);
  const auto at = [&](Index i, Index j) -> double& {
    return entries_[static_cast<std::size_t>(i + j * stride_)];
  };
  a.visit([&](const auto& storage) {
    if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, CsrMatrix>) {
      for (Index i = 0; i < rows_; ++i) {
        for (CsrMatrix::InnerIterator it(storage, i); it; ++it) at(i, it.col()) = it.value();
      }
    } else {
      for (Index j = 0; j < rows_; ++j) {
        for (Index i = 0; i < rows_; ++i) at(i, j) = a.entry(i, j);
      }
    }
  });
}

void PackedMatrix::clear() {
  if (!loaded_) return;
  source_ = {};
  loaded_ = false;
}

}  // namespace slipstick
