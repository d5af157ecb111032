// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/few_rows.hpp"

#include <cmath>

#include "slipstick/solvers/dense_pivoting.hpp"

namespace slipstick {
namespace {

constexpr std::string_view method = "dense-bpp";

void drop(auto&... vectors) {
  const auto drop_one = [](Vector& vector) {
    if (vector.size() > 0) vector.resize(0);
  };
  (drop_one(vectors), ...);
}

}  // namespace

void FewRows::prepare(const Problem& problem) {
  ready_ = problem.b.size() <= TinyPivoting::most_rows && problem.A.kind() != "Delassus";
  if (!ready_) return;
  ruler_.prepare(problem);
  pivoting_.load(problem, ruler_.scale());
}

const Vector* FewRows::load(const AnyProblem& problem) const {
  if (!ready_) return nullptr;
  if (const auto* lcp = std::get_if<LcpProblem>(&problem))
    return ruler_.is_orthant() && ruler_.holds(lcp->M) ? &lcp->q : nullptr;
  const auto* mixed = std::get_if<MixedLcp>(&problem);
  const bool known = mixed != nullptr && mixed->lower.size() == ruler_.rows() &&
                     mixed->upper.size() == ruler_.rows() &&
                     ruler_.holds(mixed->M, mixed->lower.data(), mixed->upper.data());
  return known ? &mixed->q : nullptr;
}

bool FewRows::solve(const Vector& q, double tolerance, DriverResult& result) {
  const Index n = ruler_.rows();
  if (q.size() != n) return false;
  TinyPivoting::Padded b = {}, w;
  double squared = 0.0;
  for (Index i = 0; i < n; ++i) {
    b[static_cast<std::size_t>(i)] = q[i];
    squared += q[i] * q[i];
  }
  if (!(squared > 1e-200 && squared < 1e200)) return false;  // nothing, too much, or not a number
  const double norm = std::sqrt(squared);
  int sets = 0;
  const auto count = [&] {
    ++sets;
    return false;
  };
  pivoting_.start();
  if (pivoting_.solve(b, norm, DensePivotingSettings().patience, count) != TinyPivoting::End::found)
    return false;
  ruler_.measure(pivoting_.x().data(), b.data(), norm, w.data(), result.measures);
  const double error = result.measures.scaled_natural_map;
  if (!(error <= tolerance)) return false;

  result.x.resize(n);
  result.w.resize(n);
  for (Index i = 0; i < n; ++i) {
    result.x[i] = pivoting_.x()[static_cast<std::size_t>(i)];
    result.w[i] = w[static_cast<std::size_t>(i)];
  }
  drop(result.multipliers, result.r, result.u, result.l, result.v);
  result.status = Status::solved;
  result.message.clear();
  result.counts = {.iterations = sets, .products = 1};
  result.seconds = 0.0;
  result.warnings.clear();
  if (result.solver != method) result.solver = method;
  result.attempts.resize(1);
  result.attempts.front() = {.solver = method,
                             .reason = "a handful of rows",
                             .status = Status::solved,
                             .iterations = sets,
                             .error = error};
  return true;
}

}  // namespace slipstick
