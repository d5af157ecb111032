// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace slipstick::internal {

/// The entries of a sparse matrix, as kernels read them. Either slices: `slice_rows` rows lie side by side,
/// so that threads with a row each read together, and short rows are padded. Or rows one after the other,
/// each for a whole warp.
struct SparseArrays {
  static constexpr int slice_rows = 32;
  int rows = 0;
  bool sliced = true;
  std::span<const int> start = {};  ///< by slice in units of slice_rows entries, or by row; and the end
  std::span<const int> columns = {};
  std::span<const double> values = {};
};

}  // namespace slipstick::internal
