// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/packed_problem.hpp"

#include <limits>

namespace slipstick {

void PackedProblem::load(const Operator& A, const double* lower, const double* upper) {
  if (!matrix_.holds(A)) matrix_.load(A);
  lower_.assign(static_cast<std::size_t>(stride()), 0.0);
  upper_.assign(static_cast<std::size_t>(stride()), infinity);
  orthant_ = mixed_orthant_ = true;
  if (lower == nullptr) return;
  for (Index i = 0; i < rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    lower_[k] = lower[i];
    upper_[k] = upper[i];
    const bool nonnegative = lower[i] == 0.0 && upper[i] == infinity;
    orthant_ = orthant_ && nonnegative;
    mixed_orthant_ = mixed_orthant_ && (nonnegative || (lower[i] == -infinity && upper[i] == infinity));
  }
}

}  // namespace slipstick
