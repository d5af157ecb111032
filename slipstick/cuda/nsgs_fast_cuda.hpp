// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/sweeps/momentum_limit.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/cuda/sweep_method.hpp"

namespace slipstick::internal {

/// NsgsFast on a CUDA device: sweeps by colours, with momentum (see SweepMethod and SweepEngine). The device
/// decides on the momentum after every sweep. The error is tested after 1, 2, 4, 8 iterations, and then after
/// every 10, or after NsgsFastSettings::test if that is less. Then the host looks at the limit of the
/// momentum. D in the sums that restart it is one number for each contact, the d of the ruler.
class NsgsFastCuda : public SweepMethod {
 public:
  explicit NsgsFastCuda(const NsgsFastSettings& settings = {})
      : SweepMethod("nsgs-fast-cuda", SweepKind::momentum), settings_(settings) {}

 private:
  SweepState sweep(const Run& run, Monitor& monitor, SweepState state) override;
  SweepState steering() const override { return {.restart = settings_.restart}; }

  NsgsFastSettings settings_;
  MomentumLimit limit_;
};

}  // namespace slipstick::internal
