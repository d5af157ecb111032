// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/gradient_method.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// Apgd on a CUDA device, for contacts of rigid bodies (see ContactLayout, ApgdEngine and GradientMethod).
/// The iterates are those of Apgd but for rounding.
class ApgdCuda : public GradientMethod {
 public:
  explicit ApgdCuda(const ApgdSettings& settings = {})
      : GradientMethod("apgd-cuda", 100000), settings_(settings) {}

 private:
  ApgdState steering(const Run& run) override;

  ApgdSettings settings_;
  Vector unit_;  // D^-1/2 e
};

}  // namespace slipstick::internal
