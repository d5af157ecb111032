// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/gradient_method.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"

namespace slipstick::internal {

/// Jacobi on a CUDA device, for contacts of rigid bodies (see GradientMethod), with projected steps:
///     x <- x + lambda (P(x - omega w / d) - x).
/// The iterates are those of Jacobi but for rounding.
class JacobiCuda : public GradientMethod {
 public:
  explicit JacobiCuda(const JacobiSettings& settings = {});

 private:
  ApgdState steering(const Run& run) override;

  JacobiSettings settings_;
  JacobiRadius radius_;
  Vector step_;
};

}  // namespace slipstick::internal
