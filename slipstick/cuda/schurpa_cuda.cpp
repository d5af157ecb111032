// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/schurpa_cuda.hpp"

#include "slipstick/base/timer.hpp"

namespace slipstick::internal {

bool SchurpaCuda::solve_system(VectorView r) {
  if (!factorized_.empty() && solve_by_complement(r)) return true;
  factorized_.clear();
  if (!factorize_on_device(inside())) return false;
  factorized_ = inside();
  complement_.reset(engine(), band(), room(r.size()));
  solve_on_device(r);
  return true;
}

bool SchurpaCuda::solve_by_complement(VectorView r) {
  const Timer timer;
  const bool solved = complement_.solve(factorized_, inside(), r);
  count().solves += complement_.take_solves();
  count().solve_seconds += timer.seconds();
  return solved;
}

}  // namespace slipstick::internal
