// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/pdasm.hpp"

namespace slipstick::internal {

// A set that repeats itself, to be refined or with another reference, has the factor.
bool Pdasm::solve_system(VectorView r) {
  if (factorized_ != inside()) {
    factorized_ = inside();
    if (!factorize(factorized_)) {
      factorized_.clear();
      return false;
    }
  }
  solve_lower(r);
  solve_upper(r);
  return true;
}

}  // namespace slipstick::internal
