// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pdasm.hpp"

namespace slipstick {

// A set that repeats itself, with another reference or another bound of the same constraints, has the factor.
bool Pdasm::prepare_system() {
  if (factorized_ == inside()) return true;
  factorized_ = inside();
  if (factorize(factorized_)) return true;
  factorized_.clear();
  return false;
}

}  // namespace slipstick
