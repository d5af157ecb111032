// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/inner_solve.hpp"

#include <algorithm>

namespace slipstick::internal {

bool solve_inner(Solver& solver, const Problem& problem, double target, const Settings& settings,
                 const WarmStart& start, Result& inner, Result& result, Monitor& monitor) {
  constexpr double finest = 1e-15;
  const double norm = problem.b.stableNorm();
  const double tolerance = norm > 0.0 ? std::clamp(target / norm, finest, 0.1) : 0.0;
  solver.solve(problem,
               {.tolerance = tolerance,
                .time_limit = std::max(1e-9, settings.time_limit - monitor.seconds()),
                .threads = settings.threads},
               inner, &start);
  result.counts.products += inner.counts.products;
  result.counts.factorizations += inner.counts.factorizations;
  if (!inner.message.empty()) result.message = inner.message;
  const bool ends = inner.status == Status::unsupported || inner.status == Status::time_limit ||
                    inner.status == Status::cancelled;
  if (!ends && inner.x.allFinite()) return true;
  monitor.stop(inner.status);
  return false;
}

}  // namespace slipstick::internal
