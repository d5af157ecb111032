// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pdasm_cuda.hpp"

namespace slipstick::internal {

bool PdasmCuda::solve_system(VectorView r) {
  if (factorized_ != inside()) {
    factorized_.clear();
    if (!factorize_on_device(inside())) return false;
    factorized_ = inside();
  }
  solve_on_device(r);
  return true;
}

}  // namespace slipstick::internal
