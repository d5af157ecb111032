// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_fast_cuda.hpp"

#include <algorithm>
#include <limits>

#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"

namespace slipstick::internal {

SweepState NsgsFastCuda::sweep(const Run& run, Monitor& monitor, SweepState state) {
  limit_.restart(NsgsFast::full_momentum);
  const int most = std::min(settings_.test, SweepEngine::sweeps_per_replay);
  double mark = std::numeric_limits<double>::infinity();
  int iterations = 0, since_mark = 0, made = 0;
  for (;;) {
    limit_.apply(state.largest_momentum);
    if (limit_.tested(state.error, made)) state.restart_momentum();
    if (state.error < 0.9 * mark) {
      mark = state.error;
      since_mark = 0;
    }
    if (since_mark > SwitchToNewton().patience) monitor.stop(Status::stalled);
    if (monitor.finished(state.error, present(run))) return state;
    state.most_momentum = limit_.most();
    state.largest_momentum = 0.0;
    state.project = limit_.is_active() ? 1 : 0;
    state.relaxation = limit_.is_active() ? NsgsFast::late_relaxation : 1.0;
    made = std::min({std::max(iterations, 1), most, monitor.iterations_left() + 1});
    state = engine().iterate(made, state);
    iterations += made;
    since_mark += made;
    run.result.counts.products += made;
    monitor.set_iterations(iterations);
  }
}

}  // namespace slipstick::internal
