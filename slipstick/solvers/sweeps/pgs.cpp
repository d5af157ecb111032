// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/pgs.hpp"

#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/sweeps/sweep.hpp"

namespace slipstick::internal {

Pgs::Pgs(const PgsSettings& settings) : SweepSolver("pgs", {.sets = Needs::bounds}), settings_(settings) {
  check_gauss_seidel_relaxation(settings_.relaxation);
}

void Pgs::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  relax(settings_.relaxation);
  run.problem.A.visit([&](const auto& a) {
    GaussSeidelSweep sweep(a, rows_, run.result.x, velocities_);
    bool backward = false;
    while (!finished(run, monitor)) {
      double estimate = 0.0;
      do {
        estimate = backward ? sweep.backward() : sweep.full();
        backward = settings_.symmetric && !backward;
        ++run.result.counts.products;
      } while (!due(estimate, run, monitor));
      sweep.refresh();
    }
  });
  conclude(run, monitor);
}

}  // namespace slipstick::internal
