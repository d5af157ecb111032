// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/krylov/krylov.hpp"

namespace slipstick::internal {

/// Conjugate gradients for A x = b, A and the preconditioner M symmetric positive definite (Hestenes and
/// Stiefel 1952). A may be positive semidefinite if b is in its range.
///
/// The reported residual is ||b - A x|| from the recurrence. If a direction p has p'A p <= 0, x stays the
/// last iterate and direction() is p. The quadratic 1/2 x'A x - b'x does not grow along p.
class ConjugateGradient {
 public:
  /// Starts from the given x. x is up to date at every call of the callback.
  template <class Apply, class ApplyInverse = NoPreconditioner, class Callback = KeepGoing>
  KrylovOutcome solve(const Apply& apply, ConstVectorView b, Vector& x, const KrylovSettings& settings = {},
                      const ApplyInverse& apply_inverse = {}, const Callback& callback = {});

  const Vector& direction() const { return p_; }

 private:
  Vector r_;   // residual
  Vector z_;   // M^-1 r
  Vector p_;   // search direction
  Vector Ap_;  // A p
};

template <class Apply, class ApplyInverse, class Callback>
KrylovOutcome ConjugateGradient::solve(const Apply& apply, ConstVectorView b, Vector& x,
                                       const KrylovSettings& settings, const ApplyInverse& apply_inverse,
                                       const Callback& callback) {
  assert(b.size() == x.size());
  for (Vector* v : {&r_, &z_, &p_, &Ap_}) v->resize(b.size());
  r_ = b;
  const double target = settings.target(r_.norm());
  residual_of(apply, b, x, r_);
  KrylovOutcome outcome;
  outcome.residual = r_.norm();
  double rz = 0.0;

  const auto end = [&](KrylovStatus status) {
    outcome.status = status;
    return outcome;
  };
  while (true) {
    if (outcome.residual <= target) return end(KrylovStatus::converged);
    if (outcome.iterations >= settings.max_iterations) return end(KrylovStatus::iteration_limit);

    count_work(krylov_work * static_cast<double>(b.size()));
    apply_inverse(r_, z_);
    const double previous = rz;
    rz = r_.dot(z_);
    // M is not positive definite, or a value overflowed.
    if (!(rz > 0.0) || !std::isfinite(rz)) return end(KrylovStatus::breakdown);
    if (outcome.iterations == 0) {
      p_ = z_;
    } else {
      p_ = z_ + (rz / previous) * p_;
    }

    apply(p_, Ap_);
    const double curvature = p_.dot(Ap_);
    if (!std::isfinite(curvature)) return end(KrylovStatus::breakdown);
    if (curvature <= 0.0) return end(KrylovStatus::negative_curvature);
    const double step = rz / curvature;
    x += step * p_;
    r_ -= step * Ap_;

    ++outcome.iterations;
    outcome.residual = r_.norm();
    if (!callback(outcome.iterations, outcome.residual)) return end(KrylovStatus::stopped);
  }
}

}  // namespace slipstick::internal
