// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/pdasm.hpp"

namespace slipstick::internal {

// If a set is solved again (for refinement or with another reference), its factor exists.
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
