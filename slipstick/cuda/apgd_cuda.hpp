// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/gradient_method.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// Apgd on a CUDA device, for contacts of rigid bodies (see ContactLayout, ApgdEngine and GradientMethod).
/// The iterates are those of Apgd but for rounding. With `storage` float32 arrays on the device are of float,
/// and the method stalls where their rounding ends the descent. The certificate is that of the host, in
/// double.
class ApgdCuda : public GradientMethod {
 public:
  explicit ApgdCuda(const ApgdCudaSettings& settings = {})
      : GradientMethod(
            "apgd-cuda", 100000,
            settings.storage == DeviceStorage::float32 ? StoredNumber::float32 : StoredNumber::float64),
        settings_(settings) {}

 private:
  ApgdState steering(const Run& run) override;

  ApgdCudaSettings settings_;
  Vector unit_;  // D^-1/2 e
};

}  // namespace slipstick::internal
