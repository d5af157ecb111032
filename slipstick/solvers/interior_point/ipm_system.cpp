// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm_system.hpp"

namespace slipstick::internal {
namespace {

constexpr double least_regularization = 1e-14;
constexpr double most_regularization = 1e-4;
constexpr int refinements = 2;

}  // namespace

void IpmSystem::prepare(const Operator& A, const ConeUnknowns& unknowns) {
  if (!matrix_.prepare(A, unknowns)) return;
  for (Vector* vector : {&work_, &next_, &next_work_}) vector->resize(unknowns.size());
  cholesky_.analyze(matrix_.scaled_lower());
}

bool IpmSystem::factorize(const BarrierTerms& terms) {
  if (!matrix_.update(terms)) return false;
  for (double regularization = least_regularization; regularization <= most_regularization;
       regularization *= 10.0) {
    matrix_.regularize(regularization);
    if (cholesky_.factorize(matrix_.scaled_lower())) return true;
  }
  return false;
}

void IpmSystem::solve(const Vector& right_side, Vector& v) {
  const auto solve_once = [&](Vector& r) {
    r = r.cwiseProduct(matrix_.unit());
    cholesky_.solve(r);
    r = r.cwiseProduct(matrix_.unit());
  };
  v = right_side;
  solve_once(v);
  double error = matrix_.residual(right_side, v, work_);
  for (int pass = 0; pass < refinements && error > 0.0; ++pass) {
    solve_once(work_);
    next_ = v + work_;
    const double next_error = matrix_.residual(right_side, next_, next_work_);
    if (!(next_error < error)) break;
    v.swap(next_);
    work_.swap(next_work_);
    error = next_error;
  }
}

}  // namespace slipstick::internal
