// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/cuda/spectral_engine.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/projected/spectral_steps.hpp"

namespace slipstick::internal {

/// PSpgFb on a CUDA device, for contacts of rigid bodies (see ContactLayout). Vectors stay on the device, and
/// the host decides from their sums, twice per iteration. The iterates are those of PSpgFb but for rounding.
class PSpgFbCuda : public Solver {
 public:
  explicit PSpgFbCuda(const PSpgFbSettings& settings = {}) : settings_(settings), steps_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void iterate(const Run& run);
  void start(const Run& run);
  void step(double lambda);
  bool find_direction();
  void rescale();
  void copy_current(Vector& x);

  PSpgFbSettings settings_;
  SpectralSteps steps_;
  mutable DeviceProblem problem_;  // explain_unsupported() reads it, run() uses it
  HeldEngine<SpectralEngine> engine_;
  SpectralSums sums_;
  double weight_ = 1.0;       // 1 / norm of the ruler
  double metric_ = 0.0;       // P if it is one number, or 0
  double mean_metric_ = 1.0;  // of P
  double rounding_ = 0.0;     // of the slope
  std::vector<double> world_;
  Vector x_;
};

}  // namespace slipstick::internal
