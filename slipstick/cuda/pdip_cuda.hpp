// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/cuda/pdip_cuda_system.hpp"
#include "slipstick/solvers/interior_point/pdip.hpp"

namespace slipstick::internal {

/// p-pdip (Melanz 2015, P-PDIP) with the directions found on a CUDA device: the factorization of the
/// preconditioner by SPIKE, and BiCGStab(2) with its products. The path is that of Pdip, on the host. Factors
/// are in double precision.
class PdipCuda : public Pdip {
 public:
  explicit PdipCuda(const PPdipSettings& settings = PPdipCudaSettings());
  std::string explain_unsupported(const Problem& problem) const override;

 private:
  void run(const Run& run) override;
  PdipCudaSystem& on_device() { return static_cast<PdipCudaSystem&>(system()); }

  bool single_precision_;
  int device_ = -1;  // where the systems are
};

}  // namespace slipstick::internal
