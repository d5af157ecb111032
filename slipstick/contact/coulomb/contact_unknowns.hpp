// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// The unknowns and equations of one contact in a ContactSystem. Matrices are stored row by row. r_i = right
/// y_i, and the equation has left' u_i. Both are dimension x size. `added` is added to the diagonal.
struct ContactUnknowns {
  int size = 0;
  bool plain = false;  ///< left and right are the identity, and not read
  double left[9];
  double right[9];
  double added[3];  ///< positive
};

}  // namespace slipstick::internal
