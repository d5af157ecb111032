// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/free_system.hpp"

#include <algorithm>

namespace slipstick::internal {

void CholeskyFreeSystem::prepare(const Operator& A, int) {
  factorizations_before_ = factor_.refactorizations();
  const bool known = seen_.rows() > 0 && seen_.same_storage(A);
  seen_ = no_operator();  // until the analysis is complete
  factor_.prepare(known ? factor_.matrix() : assembler_.assemble(A));
  seen_ = A;
}

bool CholeskyFreeSystem::correct(const Vector& r, double, Vector& p) {
  p = r;
  factor_.solve(p);
  return p.allFinite();
}

void PcgFreeSystem::prepare(const Operator& A, int threads) {
  A_ = &A;
  threads_ = threads;
  shift_.setZero(A.rows());
  products_ = 0;
  preconditioner_.prepare(A, settings_);
}

bool PcgFreeSystem::set_free(std::span<const char> free) {
  free_.assign(free.begin(), free.end());
  free_rows_ = std::count(free_.begin(), free_.end(), 1);
  preconditioner_.set_free(free);
  return true;
}

bool PcgFreeSystem::correct(const Vector& r, double target, Vector& p) {
  p.setZero();
  const auto apply = [&](const Vector& v, Vector& y) {
    A_->multiply(v, y, threads_);
    for (Index i = 0; i < y.size(); ++i) y[i] = free_[i] != 0 ? y[i] + shift_[i] * v[i] : 0.0;
    ++products_;
  };
  const auto precondition = [&](const Vector& v, Vector& z) { preconditioner_.apply(v, z); };
  // A regular system of m rows takes m steps, apart from rounding. A singular system may not converge at all.
  KrylovSettings settings;
  settings.tolerance = 1e-14;
  settings.absolute_floor = target;
  settings.max_iterations = std::min<Index>(20000, 20 * free_rows_ + 100);
  const KrylovOutcome outcome = cg_.solve(apply, r, p, settings, precondition);
  return p.allFinite() && outcome.residual <= std::max(target, 1e-3 * r.norm());
}

}  // namespace slipstick::internal
