// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Apgd on a CUDA device, for contacts of rigid bodies (see ContactLayout and ApgdEngine). The iterates are
/// those of Apgd but for rounding. The error is tested after 1, 2, 4, ... iterations, and then after
/// every 20. The host sees nothing in between. The observer is called at each test. Returns the best tested
/// iterate.
class ApgdCuda : public Solver {
 public:
  explicit ApgdCuda(const ApgdSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void iterate(const Run& run);
  ApgdState start(const Run& run);
  double first_lipschitz_estimate(const Run& run);
  void copy_current(Vector& x);

  ApgdSettings settings_;
  mutable DeviceProblem problem_;  // explain_unsupported() reads it, run() uses it
  std::unique_ptr<ApgdEngine> engine_;
  int version_ = 0;  // of the problem on the device
  std::vector<double> world_;
  Vector x_;
};

}  // namespace slipstick::internal
