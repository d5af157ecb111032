// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/krylov/krylov.hpp"

namespace slipstick::internal {

struct MinresSettings : KrylovSettings {
  /// Also stops if ||A r|| <= normal_tolerance ||A|| ||r||, the end of an inconsistent system. ||A|| is
  /// estimated from the Lanczos coefficients. [0, 1)
  double normal_tolerance = 1e-10;
  /// Also stops if the condition of A on the Krylov space exceeds this limit, estimated from the Lanczos
  /// coefficients. Beyond it only rounding errors reduce the residual, and x becomes huge. [1, inf)
  double condition_limit = 1e13;
};

/// MINRES (Paige and Saunders 1975) for a symmetric A, definite or not, singular or not. It finds the x of
/// the k-th Krylov space with the least residual. Heyn 2012 [40] minimizes over a face with it.
///
/// Lanczos: A V_k = V_(k+1) T_k with a tridiagonal T_k, whose last column is (alpha_k, beta_(k+1)). Givens
/// rotations (c_k, s_k) turn T_k into an upper triangular R_k with three diagonals. Then x_k = x_(k-1) +
/// phi_k w_k, with the columns w_k of V_k R_k^-1. All norms come from the recurrences: ||r_k|| = |phibar_k|.
///
/// With a symmetric positive definite preconditioner M it is MINRES on M^-1/2 A M^-1/2. Every norm here and
/// in the settings, also of b, is then ||v|| = sqrt(v'M^-1 v). For an inconsistent system x ends at a
/// least-squares solution in that norm, which need not be the shortest one.
class Minres {
 public:
  /// Starts from the given x. x is up to date at every call of the callback.
  template <class Apply, class ApplyInverse = NoPreconditioner, class Callback = KeepGoing>
  KrylovOutcome solve(const Apply& apply, ConstVectorView b, Vector& x, const MinresSettings& settings = {},
                      const ApplyInverse& apply_inverse = {}, const Callback& callback = {});

 private:
  Vector lanczos_old_;  // M v_(k-1), scaled by beta_(k-1)
  Vector lanczos_;      // M v_k, scaled by beta_k
  Vector v_;            // v_k, then A v_k
  Vector z_;            // M^-1 lanczos_
  std::array<Vector, 3> w_;
};

template <class Apply, class ApplyInverse, class Callback>
KrylovOutcome Minres::solve(const Apply& apply, ConstVectorView b, Vector& x, const MinresSettings& settings,
                            const ApplyInverse& apply_inverse, const Callback& callback) {
  assert(b.size() == x.size());
  for (Vector* v : {&lanczos_old_, &lanczos_, &v_, &z_, &w_[0], &w_[1], &w_[2]}) v->resize(b.size());
  w_[1].setZero();
  w_[2].setZero();
  KrylovOutcome outcome;
  const auto end = [&](KrylovStatus status) {
    outcome.status = status;
    return outcome;
  };

  lanczos_ = b;
  apply_inverse(lanczos_, z_);
  const double norm_b = std::sqrt(std::max(0.0, lanczos_.dot(z_)));
  const double target = settings.target(norm_b);
  residual_of(apply, b, x, lanczos_);
  apply_inverse(lanczos_, z_);
  const double first = lanczos_.dot(z_);
  // A preconditioner that is not positive definite defines no norm.
  if (!(first >= 0.0) || !std::isfinite(first)) return end(KrylovStatus::breakdown);

  double beta = std::sqrt(first);  // beta_k
  double previous_beta = 0.0;
  double phibar = beta;      // ||r_(k-1)||
  double c = -1.0, s = 0.0;  // rotation k - 1
  double deltabar = 0.0;     // entries of R under construction
  double epsilon = 0.0;
  double squares_of_T = 0.0;  // sum of squares of the lower half of T, which estimates ||A||
  double unit = 1.0;          // ||v_1||, which is 1 without a preconditioner
  outcome.residual = phibar;
  while (true) {
    if (phibar <= target) return end(KrylovStatus::converged);
    if (outcome.iterations >= settings.max_iterations) return end(KrylovStatus::iteration_limit);

    // Lanczos step k: v_k = z / beta_k; beta_(k+1) v_(k+1) = A v_k - alpha_k v_k - beta_k v_(k-1).
    count_work(krylov_work * static_cast<double>(b.size()));
    w_[0] = z_ / beta;
    if (outcome.iterations == 0) unit = w_[0].norm();
    apply(w_[0], v_);
    if (outcome.iterations > 0) v_ -= (beta / previous_beta) * lanczos_old_;
    const double alpha = w_[0].dot(v_);
    v_ -= (alpha / beta) * lanczos_;
    std::swap(lanczos_old_, lanczos_);
    std::swap(lanczos_, v_);
    apply_inverse(lanczos_, z_);
    const double square = lanczos_.dot(z_);
    // Rounding may give a square slightly below zero. A clearly negative square means that M is not positive
    // definite.
    const bool indefinite = square < 0.0 && -square > 1e-12 * lanczos_.norm() * z_.norm();
    if (indefinite || !std::isfinite(alpha) || !std::isfinite(square)) return end(KrylovStatus::breakdown);
    previous_beta = beta;
    beta = std::sqrt(std::max(0.0, square));
    squares_of_T += alpha * alpha + beta * beta;
    const double norm_A = std::sqrt(squares_of_T);

    // Rotation k - 1 on column k, then rotation k, which removes beta_(k+1).
    const double old_epsilon = epsilon;
    const double delta = c * deltabar + s * alpha;
    const double gammabar = s * deltabar - c * alpha;
    epsilon = s * beta;
    deltabar = -c * beta;
    // ||A r_(k-1)|| = ||r_(k-1)|| ||(gammabar_k, deltabar_(k+1))||. If it vanishes, r_(k-1) was the least
    // residual.
    const double normal = std::hypot(gammabar, deltabar);
    if (normal <= settings.normal_tolerance * norm_A) return end(KrylovStatus::least_squares);
    const double gamma = std::hypot(gammabar, beta);
    c = gammabar / gamma;
    s = beta / gamma;
    const double phi = c * phibar;
    phibar *= s;

    // w_k = (v_k - delta_k w_(k-1) - epsilon_k w_(k-2)) / gamma_k
    w_[0] = (w_[0] - delta * w_[2] - old_epsilon * w_[1]) / gamma;
    // ||w_k|| <= ||R_k^-1||
    if (norm_A * w_[0].norm() > settings.condition_limit * unit) return end(KrylovStatus::least_squares);
    std::swap(w_[1], w_[2]);
    std::swap(w_[2], w_[0]);
    x += phi * w_[2];

    ++outcome.iterations;
    outcome.residual = phibar;
    if (!callback(outcome.iterations, phibar)) return end(KrylovStatus::stopped);
  }
}

}  // namespace slipstick::internal
