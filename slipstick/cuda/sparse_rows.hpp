// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/cuda/sparse_arrays.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// Puts a matrix into slices, unless these would be more than twice as large: a few long rows.
class SparseRows {
 public:
  void set(const CsrView& matrix);
  SparseArrays arrays() const { return {rows_, sliced_, start_, columns_, values_}; }

 private:
  int rows_ = 0;
  bool sliced_ = true;
  std::vector<int> start_, columns_;
  std::vector<double> values_;
};

}  // namespace slipstick::internal
