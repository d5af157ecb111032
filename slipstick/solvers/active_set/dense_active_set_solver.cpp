// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/dense_active_set_solver.hpp"

#include <fmt/format.h>

namespace slipstick::internal {

std::string DenseActiveSetSolver::explain(const Problem& problem, std::string_view method,
                                          Index max_unknowns) {
  const Needs needs{.sets = Needs::bounds, .symmetry = true, .no_linear_rows = false};
  if (std::string reason = explain_needs(problem, method, needs); !reason.empty()) return reason;
  if (problem.b.size() <= max_unknowns) return {};
  return fmt::format("{} takes up to {} unknowns, and the problem has {} (see its option max_unknowns)",
                     method, max_unknowns, problem.b.size());
}

double DenseActiveSetSolver::band(const Run& run) const {
  constexpr double rounding = 1e-14;
  return rounding * (run.ruler.norm() + run.ruler.scale().cwiseProduct(active_.x()).norm());
}

double DenseActiveSetSolver::judge(const Run& run) {
  gradient_.resize(active_.x().size());
  run.result.x = active_.x();
  active_.multipliers(run.result.multipliers);
  run.gradient(run.result.x, gradient_);
  if (!run.problem.rows) return run.ruler(run.result.x, gradient_);
  w_ = gradient_;
  const CsrMatrix& G = *run.problem.rows->G;
  for (Index i = 0; i < G.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(G, i); it; ++it) w_[it.col()] -= it.value() * run.result.multipliers[i];
  }
  return run.ruler(run.result.x, w_, run.result.multipliers);
}

double DenseActiveSetSolver::refine(const Run& run) {
  constexpr int refinements = 3;
  active_.put_on_bounds();
  double error = judge(run);
  for (int k = 0; k < refinements; ++k) {
    best_x_ = run.result.x;
    best_y_ = run.result.multipliers;
    active_.refine(gradient_);
    active_.put_on_bounds();
    const double refined = judge(run);
    if (refined < error) {
      error = refined;
      continue;
    }
    active_.x() = best_x_;
    run.result.x = best_x_;
    run.result.multipliers = best_y_;
    break;
  }
  return error;
}

}  // namespace slipstick::internal
