// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_cuda.hpp"

#include <algorithm>
#include <limits>

#include "slipstick/contact/coulomb/sweeps/coulomb_sweep.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

namespace slipstick::internal {

NsgsCuda::NsgsCuda(const NsgsSettings& settings)
    : SweepMethod("nsgs-cuda", SweepKind::plain), settings_(settings) {
  check_relaxation(settings);
}

SweepState NsgsCuda::sweep(const Run& run, Monitor& monitor, SweepState state) {
  const double tolerance = std::max(run.settings.tolerance, std::numeric_limits<double>::min());
  const int most = std::min(settings_.test, SweepEngine::sweeps_per_replay);
  SweepRule rule(settings_.order, most, 1.0);
  for (;;) {
    rule.tested(0.0, state.error / tolerance);
    if (rule.stalled()) monitor.stop(Status::stalled);
    if (monitor.finished(state.error, present(run))) return state;
    const int sweeps = std::min({std::max(rule.sweeps(), 1), most, monitor.iterations_left() + 1});
    const bool backward = rule.next_backward();
    bool alternate = false;
    for (int i = 1; i < sweeps; ++i) alternate = rule.next_backward() != backward || alternate;
    state = engine().sweep(sweeps, alternate, backward);
    run.result.counts.products += sweeps;
    monitor.set_iterations(rule.sweeps());
  }
}

SweepState NsgsCuda::steering() const {
  return {.relaxation = settings_.relaxation, .proximal = settings_.proximal};
}

}  // namespace slipstick::internal
