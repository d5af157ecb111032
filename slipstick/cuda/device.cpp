// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device.hpp"

#include <fmt/format.h>

namespace slipstick::internal {

std::string explain_missing_device(const std::string& method) {
  const DeviceInfo& device = device_info();
  return device.usable() ? std::string()
                         : fmt::format("{} needs a CUDA device, and {}", method, device.reason);
}

}  // namespace slipstick::internal
