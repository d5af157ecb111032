// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact_methods.hpp"
#include "slipstick/cuda/sweep_method.hpp"

namespace slipstick::internal {

/// Nsgs on a CUDA device: contacts in the order of colours, those of one colour at the same time (see
/// SweepMethod and ContactLayout). The error is tested on the device after 1, 2, 4, 8 sweeps, and then after
/// every 10, or after NsgsSettings::test if that is less. The host sees nothing in between.
class NsgsCuda : public SweepMethod {
 public:
  explicit NsgsCuda(const NsgsSettings& settings = {});

 private:
  SweepState sweep(const Run& run, Monitor& monitor, SweepState state) override;
  SweepState steering() const override;

  NsgsSettings settings_;
};

}  // namespace slipstick::internal
