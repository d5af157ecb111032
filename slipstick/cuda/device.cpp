// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipstick::internal {

const DeviceInfo& device_info() {
  const auto first = std::find_if(devices().begin(), devices().end(),
                                  [](const DeviceInfo& device) { return device.usable(); });
  return first == devices().end() ? devices().front() : *first;
}

std::string explain_wrong_device(int number) {
  if (!device_info().usable())
    return fmt::format("there is no CUDA device {}: {}", number, device_info().reason);
  const std::size_t count = devices().size();
  if (static_cast<std::size_t>(number) >= count)
    return fmt::format("there is no CUDA device {}: this machine has {}, from 0 on", number, count);
  const DeviceInfo& device = devices()[static_cast<std::size_t>(number)];
  return device.usable() ? std::string()
                         : fmt::format("CUDA device {} is of no use: {}", number, device.reason);
}

std::string explain_missing_device(const std::string& method) {
  const DeviceInfo& device = device_info();
  return device.usable() ? std::string()
                         : fmt::format("{} needs a CUDA device, and {}", method, device.reason);
}

}  // namespace slipstick::internal
