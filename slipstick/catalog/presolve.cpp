// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/presolve.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/measures/certificate.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/measures/ruler.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {

void Presolve::prepare(const Problem& problem) {
  empty_rows_.clear();
  if (!problem.K.is_box() || problem.rows) return;
  diagonal_.resize(problem.b.size());
  problem.A.diagonal(diagonal_);
  for (Index i = 0; i < diagonal_.size(); ++i) {
    if (diagonal_[i] == 0.0 && is_empty_row(problem.A, i)) empty_rows_.push_back(i);
  }
}

bool Presolve::proves_infeasible(const Problem& problem, Result& result) const {
  for (const Index i : empty_rows_) {
    const double bound = problem.b[i] > 0.0 ? problem.K.lower()[i] : problem.K.upper()[i];
    if (problem.b[i] == 0.0 || std::isfinite(bound)) continue;
    result.status = Status::infeasible;
    result.proved = false;
    result.message = fmt::format("row {} is empty with b = {}: no x gives w the sign that its bounds ask for",
                                 i, problem.b[i]);
    result.x = Vector::Zero(problem.b.size());
    problem.K.project(result.x);
    Ruler ruler;
    ruler.prepare(problem);
    measure(problem, ruler, result, 1, result.measures);
    result.farkas.resize(0);
    result.ray = Vector::Zero(problem.b.size());
    result.ray[i] = problem.b[i] > 0.0 ? -1.0 : 1.0;
    check_proof(problem, result);
    return true;
  }
  return false;
}

}  // namespace slipstick::internal
