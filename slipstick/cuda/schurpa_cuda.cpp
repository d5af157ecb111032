// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/schurpa_cuda.hpp"

namespace slipstick::internal {

bool SchurpaCuda::solve_system(VectorView r) {
  if (!factorized_.empty() && complement_.solve(factorized_, inside(), r)) return true;
  factorized_.clear();
  if (!factorize_on_device(inside())) return false;
  factorized_ = inside();
  complement_.reset(engine(), band(), room(r.size()));
  solve_on_device(r);
  return true;
}

}  // namespace slipstick::internal
