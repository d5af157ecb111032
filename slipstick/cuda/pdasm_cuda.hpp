// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/device_active_set.hpp"
#include "slipstick/solvers/active_set/pdasm.hpp"

namespace slipstick::internal {

/// pdasm on a CUDA device: a new factorization for every set (DIRECT of Litven 2013, chapter 7).
class PdasmCuda : public DeviceActiveSet {
 public:
  explicit PdasmCuda(const PdasmSettings& = {}) : DeviceActiveSet("pdasm-cuda", 0) {}

 protected:
  bool solve_system(VectorView r) override;
  bool forget_systems() override {
    factorized_.clear();
    return false;
  }

 private:
  std::vector<char> factorized_;  // the set of the factor
};

}  // namespace slipstick::internal
