// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/jacobi_cuda.hpp"

#include "slipstick/base/error.hpp"
#include "slipstick/solvers/sweeps/sweep.hpp"

namespace slipstick::internal {

JacobiCuda::JacobiCuda(const JacobiSettings& settings)
    : GradientMethod("jacobi-cuda", 1000000), settings_(settings) {
  check_jacobi_relaxation(settings.relaxation);
  if (settings.local == LocalStep::exact) fail("jacobi-cuda takes local=projected only");
}

ApgdState JacobiCuda::steering(const Run& run) {
  step_ = run.ruler.scale().cwiseInverse();
  ApgdState state;
  state.accelerated = 0;
  state.damping = settings_.damping;
  state.lipschitz = 1.0 / radius_.relaxation(settings_.relaxation, run.problem.A, step_, run.settings.threads,
                                             run.result.counts.products);
  return state;
}

}  // namespace slipstick::internal
