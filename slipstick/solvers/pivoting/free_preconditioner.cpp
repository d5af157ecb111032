// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/free_preconditioner.hpp"

namespace slipstick::internal {
namespace {

IncompleteCholeskySettings incomplete_settings(const FreePreconditionerSettings& settings) {
  IncompleteCholeskySettings incomplete;
  incomplete.scaling = settings.scaling;
  incomplete.drop_tolerance = settings.drop_tolerance;
  incomplete.most_entries = settings.most_entries;
  if (settings.preconditioner != FreePreconditioning::mic0) incomplete.compensation = 0.0;
  switch (settings.preconditioner) {
    case FreePreconditioning::jacobi:
    case FreePreconditioning::ic0:
    case FreePreconditioning::mic0:
      incomplete.variant = IncompleteVariant::shifted;
      break;
    case FreePreconditioning::imaginary:
      incomplete.variant = IncompleteVariant::imaginary;
      break;
    case FreePreconditioning::partial_shift:
      incomplete.variant = IncompleteVariant::partial_shift;
      break;
    case FreePreconditioning::ict:
      incomplete.variant = IncompleteVariant::threshold;
      break;
  }
  return incomplete;
}

}  // namespace

void FreePreconditioner::prepare(const Operator& A, const FreePreconditionerSettings& settings) {
  settings_ = settings;
  factorizations_ = 0;
  has_factor_ = false;
  const auto n = static_cast<std::size_t>(A.rows());
  for (auto* rows : {&free_, &factored_, &removed_, &in_factor_}) {
    rows->clear();
    rows->resize(n, 0);
  }
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
    // If a removed row has come back, it no longer belongs to the factor.
    changed += free[i] != 0 ? factored_[i] == 0 || removed_[i] != 0 : factored_[i] != 0;
  }
  if (!has_factor_ || static_cast<double>(changed) > settings_.refactor * static_cast<double>(count)) {
    make_factor();
  } else if (settings_.leaving == LeavingRows::downdate) {
    remove_rows();
  }
  for (std::size_t i = 0; i < free_.size(); ++i) in_factor_[i] = free_[i] != 0 && removed_[i] == 0;
}

void FreePreconditioner::make_factor() {
  factor_.factor(*matrix_, free_, incomplete_settings(settings_));
  factored_ = free_;
  removed_.assign(free_.size(), 0);
  has_factor_ = true;
  ++factorizations_;
}

void FreePreconditioner::remove_rows() {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    if (free_[i] != 0 || factored_[i] == 0 || removed_[i] != 0) continue;
    factor_.downdate(static_cast<Index>(i));
    removed_[i] = 1;
  }
}

void FreePreconditioner::apply(const Vector& r, Vector& z) const {
  z = r;
  if (has_factor_) {
    factor_.solve(in_factor_, z.data());
    for (Index i = 0; i < z.size(); ++i) {
      if (free_[i] != 0 && removed_[i] != 0) z[i] = r[i] * inverse_diagonal_[i];
    }
    return;
  }
  for (Index i = 0; i < z.size(); ++i) z[i] = free_[i] != 0 ? z[i] * inverse_diagonal_[i] : 0.0;
}

}  // namespace slipstick::internal
