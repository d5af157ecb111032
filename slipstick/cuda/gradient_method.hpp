// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// The common base of ApgdCuda and JacobiCuda: iterations of an ApgdEngine. The error is tested after 1, 2,
/// 4,
/// ... iterations, and then after every 20. The host sees nothing in between. The observer is called at each
/// test. Returns the best tested iterate.
class GradientMethod : public Solver {
 public:
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  GradientMethod(const char* name, int default_max_iterations, StoredNumber number = StoredNumber::float64)
      : name_(name), default_max_iterations_(default_max_iterations), number_(number) {}
  void run(const Run& run) override;

  /// What steers the iterations. The problem is on the device.
  virtual ApgdState steering(const Run& run) = 0;
  /// The sum of (A x)_i^2 / d_i.
  double squared_product(const Run& run, const Vector& x);

 private:
  void iterate(const Run& run);
  ApgdState start(const Run& run);
  void copy_current(Vector& x);

  const char* name_;
  int default_max_iterations_;
  StoredNumber number_;
  mutable DeviceProblem problem_;  // explain_unsupported() reads it, run() uses it
  HeldEngine<ApgdEngine> engine_;
  std::vector<double> world_;
  Vector x_;
};

}  // namespace slipstick::internal
