// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace slipstick::internal {

/// A failure of the device: out of memory, lost, too old. Methods turn it into a status with its message.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DeviceInfo {
  std::string reason = {};  ///< why there is none; empty if there is one
  std::string name = {};
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::size_t memory = 0;  ///< bytes
  bool usable() const { return reason.empty(); }
};

/// True if kernels are in this build.
bool has_cuda();

/// The device that methods use. It is asked for once.
const DeviceInfo& device_info();

/// Empty, or "METHOD needs a CUDA device, and ..."
std::string explain_missing_device(const std::string& method);

}  // namespace slipstick::internal
