// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/apgd_cuda.hpp"

#include <cmath>

#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {

ApgdState ApgdCuda::steering(const Run& run) {
  ApgdState state;
  state.growth = settings_.growth;
  state.shrinkage = settings_.shrinkage;
  state.restart = settings_.restart ? 1 : 0;
  state.conic = settings_.rescale && is_conic(run.problem.K) ? 1 : 0;
  // ||D^-1/2 A D^-1/2 e|| / ||e||, a lower bound of the norm, as in Apgd.
  unit_ = run.ruler.scale().cwiseSqrt().cwiseInverse();
  const double squared = squared_product(run, unit_);
  state.lipschitz = squared > 0.0 ? std::sqrt(squared / static_cast<double>(unit_.size())) : 1.0;
  return state;
}

}  // namespace slipstick::internal
