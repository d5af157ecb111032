// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/sweep_kernels.cuh"

// What iterations with momentum need beside a sweep (see SweepEngine and NsgsFast).
namespace slipstick::internal {

/// v <- v + beta (v - last v) of all bodies. The velocities are linear in r.
__global__ void __launch_bounds__(256) extrapolate_velocities(SweepView view) {
  allow_next();
  await_previous();
  const double momentum = view.state->momentum;
  for (int body = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); body < view.contacts.bodies;
       body += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto i = static_cast<std::size_t>(body);
    const Twist now = load_velocity(view.record, body), last = load6(view.previous, i);
    store6(view.previous, i, now);
    store_velocity(view.record, body, now + momentum * (now - last));
  }
}

/// The momentum of the next iteration, from the sums of all parts of a sweep. By one block.
__global__ void __launch_bounds__(1024) set_momentum(SweepView view, int parts) {
  constexpr int settling_iterations = 2;  // see NsgsFast
  allow_next();
  await_previous();
  double sums[2] = {0.0, 0.0};
  for (int part = static_cast<int>(threadIdx.x); part < parts; part += static_cast<int>(blockDim.x)) {
    const double2 moved = __ldcg(view.moved + part);
    sums[0] += moved.x;
    sums[1] += moved.y;
  }
  sum_over_block(sums);
  if (threadIdx.x != 0) return;
  SweepState& state = *view.state;
  const double largest = state.restart * state.restart * state.least_moved;
  const bool grows = ++state.since_restart > settling_iterations && !(sums[0] <= largest);
  if (grows) state.since_restart = 0;
  state.least_moved = grows ? sums[0] : fmin(state.least_moved, sums[0]);
  const double theta = state.theta, next = 0.5 * theta * (sqrt(theta * theta + 4.0) - theta);
  const bool fresh = grows || sums[1] > 0.0;
  state.momentum = fresh ? 0.0 : fmin(theta * (1.0 - theta) / (theta * theta + next), state.most_momentum);
  state.largest_momentum = fmax(state.largest_momentum, state.momentum);
  state.theta = fresh ? 1.0 : next;
  ++state.iteration;
}

/// Relaxed sweeps from extrapolated impulses leave the cones a little.
__global__ void __launch_bounds__(256) project_impulses(SweepView view) {
  if (view.state->project == 0) return;
  double* r = view.current();
  for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < view.count;
       at += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto c = static_cast<std::size_t>(at);
    store3(r, c, project_on_cone(load3(r, c), view.contacts.axis[c]));
  }
}

}  // namespace slipstick::internal
