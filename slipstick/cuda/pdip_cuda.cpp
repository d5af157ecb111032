// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pdip_cuda.hpp"

#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {

PdipCuda::PdipCuda(const PPdipSettings& settings)
    : Pdip("p-pdip-cuda", settings,
           std::make_unique<PdipCudaSystem>(pdip_krylov_settings(settings),
                                            pdip_preconditioner_settings(settings))),
      single_precision_(settings.single_precision) {}

std::string PdipCuda::explain_unsupported(const Problem& problem) const {
  if (std::string reason = Pdip::explain_unsupported(problem); !reason.empty()) return reason;
  if (single_precision_)
    return "p-pdip-cuda has factors in double precision alone: leave single_precision off";
  return explain_missing_device("p-pdip-cuda");
}

void PdipCuda::run(const Run& run) {
  run.start();
  try {
    use_device(run.settings.device);
    if (device_ != run.settings.device) on_device().reset();
    device_ = run.settings.device;
    Pdip::run(run);
  } catch (const DeviceError& error) {
    run.result.status = on_device().has_factors() ? Status::numerical_error : Status::unsupported;
    run.result.message = error.what();
    on_device().reset();
  }
}

}  // namespace slipstick::internal
