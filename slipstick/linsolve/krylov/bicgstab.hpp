// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linsolve/krylov/krylov.hpp"

namespace slipstick::internal {

struct BicgstabSettings : KrylovSettings {
  /// Degree l of the minimal-residual polynomial of a cycle: [1, 8]. Melanz 2015 takes 2. 1 is van der
  /// Vorst's BiCGStab, which fails if the spectrum is near the imaginary axis.
  int degree = 2;
  /// Limit of the restarts from the true residual. A restart follows a breakdown, or a recurrence that has
  /// drifted from the true residual.
  int max_restarts = 20;
};

/// BiCGStab(l) (Sleijpen and Fokkema 1993) for a general A. It is preconditioned from the right: the residual
/// of A M^-1 (M x) = b is the residual of A x = b. A cycle makes l BiCG steps, then minimizes the residual
/// over r - span(A r, ..., A^l r). One iteration is one BiCG step with its share of the minimization: two
/// products with A and two with M^-1.
///
/// The reported residual is the true ||b - A x|| of the returned x, computed with a product at the end.
class Bicgstab {
 public:
  /// Starts from the given x and never returns an x with a larger residual. The callback is called once per
  /// cycle. x is not up to date then, because the preconditioner is applied to the sum of the steps at the
  /// end.
  template <class Apply, class ApplyInverse = NoPreconditioner, class Callback = KeepGoing>
  KrylovOutcome solve(const Apply& apply, ConstVectorView b, Vector& x, const BicgstabSettings& settings = {},
                      const ApplyInverse& apply_inverse = {}, const Callback& callback = {});

 private:
  static constexpr int max_degree = 8;
  struct Recurrence {
    double rho = 1.0;
    double alpha = 0.0;
    double omega = 1.0;
  };

  // Columns of the polynomial part are indexed from 1, as in the paper.
  using Coefficients = std::array<double, max_degree + 1>;
  enum class Step { done, small, broken };

  template <class Apply>
  Step bicg_part(const Apply& apply, int degree, double target, Recurrence& state, KrylovOutcome& outcome);
  Step minimal_residual_part(int degree, Recurrence& state);
  void choose_shadow(int restarts, bool progress);

  std::array<Vector, max_degree + 1> r_;  // A^j r
  std::array<Vector, max_degree + 1> u_;  // A^j times the search direction
  std::array<Coefficients, max_degree + 1> tau_;
  Coefficients sigma_, gamma_, gamma1_, gamma2_;
  Vector shadow_;   // r~
  Vector step_;     // M (x - start_)
  Vector start_;    // x at the last restart
  Vector inverse_;  // M^-1 v
};

template <class Apply, class ApplyInverse, class Callback>
KrylovOutcome Bicgstab::solve(const Apply& apply, ConstVectorView b, Vector& x,
                              const BicgstabSettings& settings, const ApplyInverse& apply_inverse,
                              const Callback& callback) {
  const int l = settings.degree;
  if (l < 1 || l > max_degree) fail("the degree of BiCGStab(l) must be in [1, {}], not {}", max_degree, l);
  assert(b.size() == x.size());
  for (int j = 0; j <= l; ++j) {
    r_[j].resize(b.size());
    u_[j].resize(b.size());
  }
  for (Vector* v : {&shadow_, &step_, &start_, &inverse_}) v->resize(b.size());
  const auto preconditioned = [&](const Vector& v, Vector& y) {
    apply_inverse(v, inverse_);
    apply(inverse_, y);
  };

  r_[0] = b;
  const double target = settings.target(r_[0].norm());
  residual_of(apply, b, x, r_[0]);
  KrylovOutcome outcome;
  outcome.residual = r_[0].norm();
  outcome.status = KrylovStatus::breakdown;
  bool progress = true;
  for (int restarts = 0; restarts <= settings.max_restarts && std::isfinite(outcome.residual); ++restarts) {
    if (outcome.residual <= target) {
      outcome.status = KrylovStatus::converged;
      return outcome;
    }
    const double residual_at_start = outcome.residual;
    start_ = x;
    step_.setZero();
    u_[0].setZero();
    choose_shadow(restarts, progress);

    Recurrence state;
    Step last = Step::done;
    while (last == Step::done) {
      if (outcome.iterations >= settings.max_iterations) {
        outcome.status = KrylovStatus::iteration_limit;
        break;
      }
      last = bicg_part(preconditioned, l, target, state, outcome);
      if (last == Step::done) last = minimal_residual_part(l, state);
      outcome.residual = r_[0].norm();
      if (!std::isfinite(outcome.residual)) last = Step::broken;
      if (last == Step::done && outcome.residual <= target) last = Step::small;
      if (last != Step::broken && !callback(outcome.iterations, outcome.residual)) {
        outcome.status = KrylovStatus::stopped;
        break;
      }
    }

    // The true residual decides. An x that is worse than the one before is not taken.
    apply_inverse(step_, inverse_);
    x = start_ + inverse_;
    apply(x, r_[0]);
    r_[0] = b - r_[0];
    outcome.residual = r_[0].norm();
    progress = outcome.residual < 0.5 * residual_at_start;
    if (!(outcome.residual <= residual_at_start)) {
      x = start_;
      residual_of(apply, b, x, r_[0]);
      outcome.residual = residual_at_start;
    }
    if (outcome.status != KrylovStatus::breakdown) break;
  }
  if (outcome.residual <= target) outcome.status = KrylovStatus::converged;
  return outcome;
}

// Makes l steps of BiCG and keeps the powers A^j of the residual and of the direction.
template <class Apply>
Bicgstab::Step Bicgstab::bicg_part(const Apply& apply, int degree, double target, Recurrence& state,
                                   KrylovOutcome& outcome) {
  constexpr double tiny = std::numeric_limits<double>::epsilon();
  const double norm_shadow = shadow_.norm();
  state.rho *= -state.omega;
  for (int j = 0; j < degree; ++j) {
    const double rho = r_[j].dot(shadow_);
    if (!(std::abs(rho) > tiny * r_[j].norm() * norm_shadow) || state.rho == 0.0) return Step::broken;
    const double beta = state.alpha * rho / state.rho;
    state.rho = rho;
    count_work(2.0 * krylov_work * static_cast<double>(step_.size()));
    for (int i = 0; i <= j; ++i) u_[i] = r_[i] - beta * u_[i];
    apply(u_[j], u_[j + 1]);
    const double gamma = u_[j + 1].dot(shadow_);
    if (!(std::abs(gamma) > tiny * u_[j + 1].norm() * norm_shadow)) return Step::broken;
    state.alpha = rho / gamma;
    for (int i = 0; i <= j; ++i) r_[i] -= state.alpha * u_[i + 1];
    step_ += state.alpha * u_[0];
    ++outcome.iterations;
    if (r_[0].norm() <= target) return Step::small;
    apply(r_[j], r_[j + 1]);
  }
  return Step::done;
}

// r_0 - sum gamma_j A^j r_0 with the least norm, by modified Gram-Schmidt on A r_0, ..., A^l r_0.
inline Bicgstab::Step Bicgstab::minimal_residual_part(int degree, Recurrence& state) {
  const int l = degree;
  for (int j = 1; j <= l; ++j) {
    const double before = r_[j].squaredNorm();
    for (int i = 1; i < j; ++i) {
      tau_[i][j] = r_[j].dot(r_[i]) / sigma_[i];
      r_[j] -= tau_[i][j] * r_[i];
    }
    sigma_[j] = r_[j].squaredNorm();
    constexpr double tiny = std::numeric_limits<double>::epsilon();
    if (!(sigma_[j] > tiny * tiny * before)) return Step::broken;
    gamma1_[j] = r_[0].dot(r_[j]) / sigma_[j];
  }
  gamma_[l] = gamma1_[l];
  state.omega = gamma_[l];
  for (int j = l - 1; j >= 1; --j) {
    gamma_[j] = gamma1_[j];
    for (int i = j + 1; i <= l; ++i) gamma_[j] -= tau_[j][i] * gamma_[i];
  }
  for (int j = 1; j < l; ++j) {
    gamma2_[j] = gamma_[j + 1];
    for (int i = j + 1; i < l; ++i) gamma2_[j] += tau_[j][i] * gamma_[i + 1];
  }
  step_ += gamma_[1] * r_[0];
  r_[0] -= gamma1_[l] * r_[l];
  u_[0] -= gamma_[l] * u_[l];
  for (int j = 1; j < l; ++j) {
    u_[0] -= gamma_[j] * u_[j];
    step_ += gamma2_[j] * r_[j];
    r_[0] -= gamma1_[j] * r_[j];
  }
  return Step::done;
}

// The shadow is the residual at first. If that made no progress, it is a random vector, which is not
// orthogonal to any structure of A.
inline void Bicgstab::choose_shadow(int restarts, bool progress) {
  if (progress) {
    shadow_ = r_[0];
    return;
  }
  Random random(static_cast<std::uint64_t>(restarts));
  for (double& value : shadow_) value = random.uniform(-1.0, 1.0);
}

}  // namespace slipstick::internal
