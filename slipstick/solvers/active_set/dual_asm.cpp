// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/dual_asm.hpp"

#include <fmt/format.h>
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

std::string DualAsm::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain(problem, "dual-asm", settings_.max_unknowns); !reason.empty())
    return reason;
  for (Index i = 0; i < problem.b.size(); ++i) {
    const double diagonal = problem.A.entry(i, i);
    if (!(diagonal > 0.0))
      return fmt::format("dual-asm needs a positive definite matrix, and its diagonal entry {} is {}", i,
                         diagonal);
  }
  return {};
}

void DualAsm::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  run.start();
  active_.prepare(run.problem, run.ruler);
  if (!active_.use_matrix(0.0)) {
    run.result.message = "dual-asm needs a positive definite matrix, and this one is not";
    run.result.status = Status::unsupported;
    return;
  }
  bool feasible = true;
  monitor.guard([&] {
    start(run);
    feasible = active_.hold_equalities(DenseActiveSet::contradiction * band(run));
    while (feasible) {
      const DenseActiveSet::Violation worst = active_.most_violated(band(run));
      if (worst.constraint < 0) break;
      if (monitor.interrupted(worst.size / run.ruler.norm(), active_.x(), active_.held())) break;
      feasible = active_.hold_by_dual_steps(worst.constraint, DenseActiveSet::contradiction * band(run));
    }
  });
  const double error = refine(run);
  if (!feasible) {
    run.result.message = "no point meets all constraints";
    monitor.stop(Status::infeasible);
  }
  if (!monitor.finished(error, run.result.x, active_.held())) monitor.stop(Status::stalled);
  run.finish(monitor);
}

void DualAsm::start(const Run& run) {
  if (run.warm_start == nullptr) return active_.start_dual(run.problem.b);
  active_.name_touching(run.result.x, DenseActiveSet::touching * run.ruler.norm());
  active_.start_dual_from_named(run.problem.b, band(run));
}

}  // namespace slipstick::internal
