// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/device_active_set.hpp"
#include "slipstick/cuda/device_complement.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// schurpa on a CUDA device: one factorization, and a Schur complement of the changes of the set (SCHURPA of
/// Litven 2013, Alg. 3.1, 3.2 and 5.3).
class SchurpaCuda : public DeviceActiveSet {
 public:
  explicit SchurpaCuda(const SchurpaSettings& settings = {})
      : DeviceActiveSet("schurpa-cuda", settings.max_changes), settings_(settings) {}

 protected:
  bool solve_system(VectorView r) override;
  bool forget_systems() override {
    factorized_.clear();
    return complement_.changes() > 0;
  }
  bool keeps_systems() const override { return settings_.keep; }

 private:
  bool solve_by_complement(VectorView r);

  SchurpaSettings settings_;
  std::vector<char> factorized_;  // A^0, the factorized set
  DeviceComplement complement_;
};

}  // namespace slipstick::internal
