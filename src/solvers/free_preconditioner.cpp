// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/free_preconditioner.hpp"

namespace slipstick {

void FreePreconditioner::prepare(const Operator& A, const FreePreconditionerSettings& settings) {
  settings_ = settings;
  factorizations_ = 0;
  has_factor_ = false;
  const auto n = static_cast<std::size_t>(A.rows());
  free_.assign(n, 0);
  factored_.assign(n, 0);
  inverse_diagonal_.resize(A.rows());
  A.diagonal(inverse_diagonal_);
  for (double& d : inverse_diagonal_) d = d > 0.0 ? 1.0 / d : 1.0;
  if (settings_.preconditioner == FreePreconditioning::jacobi) return;
  if (!seen_.same_storage(A) || matrix_ == nullptr) {
    matrix_ = A.assemble();
    seen_ = A;
  }
  factor_.reserve(A.rows(), (matrix_->nonZeros() + 1) / 2);
}

void FreePreconditioner::set_free(std::span<const char> free) {
  free_.assign(free.begin(), free.end());
  if (settings_.preconditioner == FreePreconditioning::jacobi) return;
  Index count = 0, changed = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    count += free[i] != 0;
    changed += (free[i] != 0) != (factored_[i] != 0);
  }
  if (has_factor_ && static_cast<double>(changed) <= settings_.refactor * static_cast<double>(count)) return;
  IncompleteCholeskySettings incomplete;
  if (settings_.preconditioner == FreePreconditioning::ic0) incomplete.compensation = 0.0;
  factor_.factor(*matrix_, free, incomplete);
  factored_ = free_;
  has_factor_ = true;
  ++factorizations_;
}

void FreePreconditioner::apply(const Vector& r, Vector& z) const {
  z = r;
  if (has_factor_) {
    factor_.solve(free_, z.data());
    return;
  }
  for (Index i = 0; i < z.size(); ++i) z[i] = free_[i] != 0 ? z[i] * inverse_diagonal_[i] : 0.0;
}

}  // namespace slipstick
