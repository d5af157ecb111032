// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
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
///
/// Space has the vectors, wherever they are, and these operations on them:
///     resize(v, n), copy(from, to), clear(v), add(a, x, y): y += a x, turn(x, a, y): y = x + a y,
///     dot(x, y), norm(x), is_zero(x), randomize(x, seed).
template <class Space>
class BicgstabIn {
 public:
  using Vector = typename Space::Vector;

  explicit BicgstabIn(Space space = Space()) : space_(space) {}

  /// Starts from the given x of n numbers and never returns an x with a larger residual. The callback is
  /// called once per cycle. x is not up to date then, because the preconditioner is applied to the sum of the
  /// steps at the end.
  template <class Apply, class ApplyInverse, class Callback>
  KrylovOutcome solve(Index n, const Apply& apply, const Vector& b, Vector& x,
                      const BicgstabSettings& settings, const ApplyInverse& apply_inverse,
                      const Callback& callback);

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
  double squared_norm(const Vector& v) { return space_.dot(v, v); }
  template <class Apply>
  void find_residual(const Apply& apply, const Vector& b, const Vector& x);

  Space space_;
  Index size_ = 0;
  std::array<Vector, max_degree + 1> r_;  // A^j r
  std::array<Vector, max_degree + 1> u_;  // A^j times the search direction
  std::array<Coefficients, max_degree + 1> tau_ = {};
  Coefficients sigma_ = {}, gamma_ = {}, gamma1_ = {}, gamma2_ = {};
  Vector shadow_;   // r~
  Vector step_;     // M (x - start_)
  Vector start_;    // x at the last restart
  Vector inverse_;  // M^-1 v
};

template <class Space>
template <class Apply, class ApplyInverse, class Callback>
KrylovOutcome BicgstabIn<Space>::solve(Index n, const Apply& apply, const Vector& b, Vector& x,
                                       const BicgstabSettings& settings, const ApplyInverse& apply_inverse,
                                       const Callback& callback) {
  const int l = settings.degree;
  if (l < 1 || l > max_degree) fail("the degree of BiCGStab(l) must be in [1, {}], not {}", max_degree, l);
  size_ = n;
  for (int j = 0; j <= l; ++j) {
    space_.resize(r_[j], n);
    space_.resize(u_[j], n);
  }
  for (Vector* v : {&shadow_, &step_, &start_, &inverse_}) space_.resize(*v, n);
  const auto preconditioned = [&](const Vector& v, Vector& y) {
    apply_inverse(v, inverse_);
    apply(inverse_, y);
  };

  const double target = settings.target(space_.norm(b));
  find_residual(apply, b, x);
  KrylovOutcome outcome;
  outcome.residual = space_.norm(r_[0]);
  outcome.status = KrylovStatus::breakdown;
  bool progress = true;
  for (int restarts = 0; restarts <= settings.max_restarts && std::isfinite(outcome.residual); ++restarts) {
    if (outcome.residual <= target) {
      outcome.status = KrylovStatus::converged;
      return outcome;
    }
    const double residual_at_start = outcome.residual;
    space_.copy(x, start_);
    space_.clear(step_);
    space_.clear(u_[0]);
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
      outcome.residual = space_.norm(r_[0]);
      if (!std::isfinite(outcome.residual)) last = Step::broken;
      if (last == Step::done && outcome.residual <= target) last = Step::small;
      if (last != Step::broken && !callback(outcome.iterations, outcome.residual)) {
        outcome.status = KrylovStatus::stopped;
        break;
      }
    }

    // The true residual decides. An x that is worse than the one before is not taken.
    apply_inverse(step_, inverse_);
    space_.copy(inverse_, x);
    space_.add(1.0, start_, x);
    apply(x, r_[0]);
    space_.turn(b, -1.0, r_[0]);
    outcome.residual = space_.norm(r_[0]);
    progress = outcome.residual < 0.5 * residual_at_start;
    if (!(outcome.residual <= residual_at_start)) {
      space_.copy(start_, x);
      find_residual(apply, b, x);
      outcome.residual = residual_at_start;
    }
    if (outcome.status != KrylovStatus::breakdown) break;
  }
  if (outcome.residual <= target) outcome.status = KrylovStatus::converged;
  return outcome;
}

// r_0 = b - A x. The product is skipped if x = 0.
template <class Space>
template <class Apply>
void BicgstabIn<Space>::find_residual(const Apply& apply, const Vector& b, const Vector& x) {
  if (space_.is_zero(x)) {
    space_.copy(b, r_[0]);
  } else {
    apply(x, r_[0]);
    space_.turn(b, -1.0, r_[0]);
  }
}

// Makes l steps of BiCG and keeps the powers A^j of the residual and of the direction.
template <class Space>
template <class Apply>
auto BicgstabIn<Space>::bicg_part(const Apply& apply, int degree, double target, Recurrence& state,
                                  KrylovOutcome& outcome) -> Step {
  constexpr double tiny = std::numeric_limits<double>::epsilon();
  const double norm_shadow = space_.norm(shadow_);
  state.rho *= -state.omega;
  for (int j = 0; j < degree; ++j) {
    const double rho = space_.dot(r_[j], shadow_);
    if (!(std::abs(rho) > tiny * space_.norm(r_[j]) * norm_shadow) || state.rho == 0.0) return Step::broken;
    const double beta = state.alpha * rho / state.rho;
    state.rho = rho;
    count_work(2.0 * krylov_work * static_cast<double>(size_));
    for (int i = 0; i <= j; ++i) space_.turn(r_[i], -beta, u_[i]);
    apply(u_[j], u_[j + 1]);
    const double gamma = space_.dot(u_[j + 1], shadow_);
    if (!(std::abs(gamma) > tiny * space_.norm(u_[j + 1]) * norm_shadow)) return Step::broken;
    state.alpha = rho / gamma;
    for (int i = 0; i <= j; ++i) space_.add(-state.alpha, u_[i + 1], r_[i]);
    space_.add(state.alpha, u_[0], step_);
    ++outcome.iterations;
    if (space_.norm(r_[0]) <= target) return Step::small;
    apply(r_[j], r_[j + 1]);
  }
  return Step::done;
}

// r_0 - sum gamma_j A^j r_0 with the least norm, by modified Gram-Schmidt on A r_0, ..., A^l r_0.
template <class Space>
auto BicgstabIn<Space>::minimal_residual_part(int degree, Recurrence& state) -> Step {
  const int l = degree;
  for (int j = 1; j <= l; ++j) {
    const double before = squared_norm(r_[j]);
    for (int i = 1; i < j; ++i) {
      tau_[i][j] = space_.dot(r_[j], r_[i]) / sigma_[i];
      space_.add(-tau_[i][j], r_[i], r_[j]);
    }
    sigma_[j] = squared_norm(r_[j]);
    constexpr double tiny = std::numeric_limits<double>::epsilon();
    if (!(sigma_[j] > tiny * tiny * before)) return Step::broken;
    gamma1_[j] = space_.dot(r_[0], r_[j]) / sigma_[j];
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
  space_.add(gamma_[1], r_[0], step_);
  space_.add(-gamma1_[l], r_[l], r_[0]);
  space_.add(-gamma_[l], u_[l], u_[0]);
  for (int j = 1; j < l; ++j) {
    space_.add(-gamma_[j], u_[j], u_[0]);
    space_.add(gamma2_[j], r_[j], step_);
    space_.add(-gamma1_[j], r_[j], r_[0]);
  }
  return Step::done;
}

// The shadow is the residual at first. If that made no progress, it is a random vector, which is not
// orthogonal to any structure of A.
template <class Space>
void BicgstabIn<Space>::choose_shadow(int restarts, bool progress) {
  if (progress) {
    space_.copy(r_[0], shadow_);
  } else {
    space_.randomize(shadow_, restarts);
  }
}

}  // namespace slipstick::internal
