// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/active_set_polish.hpp"

namespace slipstick::internal {

double ActiveSetPolish::operator()(const Problem& problem, const Ruler& ruler, RowSystem& system,
                                   const std::vector<Place>& places, double error, VectorView x) {
  const Index n = x.size();
  s_.resize(n);
  t_.resize(n);
  w_.resize(n);
  residual_.resize(n);
  step_.resize(n);
  trial_ = x;
  for (Index i = 0; i < n; ++i) {
    const Place place = places[static_cast<std::size_t>(i)];
    if (place == Place::at_lower) trial_[i] = problem.K.lower()[i];
    if (place == Place::at_upper) trial_[i] = problem.K.upper()[i];
    t_[i] = place == Place::between ? 1.0 : 0.0;
    s_[i] = 1.0 - t_[i];
  }
  system.prepare(problem.A);
  const bool regular = system.factorize(s_, t_);
  if (!regular && !system.factorize_damped(s_, t_, 1e-12)) return error;

  // A regular system needs one solve and one refinement. Damped corrections converge linearly.
  const int corrections = regular ? 2 : 6;
  problem.A.multiply(trial_, w_);
  w_ += problem.b;
  for (int k = 0; k < corrections; ++k) {
    residual_ = -t_.cwiseProduct(w_);
    system.solve(residual_, step_);
    trial_ += t_.cwiseProduct(step_);
    projected_ = trial_;
    problem.K.project(projected_);
    problem.A.multiply(projected_, w_);
    w_ += problem.b;
    const double polished = ruler(projected_, w_);
    if (polished < error) {
      error = polished;
      x = projected_;
    }
    if (k + 1 == corrections) break;
    problem.A.multiply(trial_, w_);
    w_ += problem.b;
  }
  return error;
}

}  // namespace slipstick::internal
