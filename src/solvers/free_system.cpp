// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/free_system.hpp"

namespace slipstick {

void CholeskyFreeSystem::prepare(const Operator& A, bool keep, int) {
  factorizations_before_ = factor_.refactorizations();
  const bool known = seen_.rows() > 0 && seen_.same_storage(A);
  if (known && keep && factor_.has_factor() && (factor_.shift().array() == 0.0).all()) return;
  factor_.prepare(known ? factor_.matrix() : A.assemble());
  seen_ = A;
}

bool CholeskyFreeSystem::correct(const Vector& r, double, Vector& p) {
  p = r;
  factor_.solve(p);
  return p.allFinite();
}

}  // namespace slipstick
