// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

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

/// All devices of this machine, usable or not. If there is none, one entry has the reason. They are asked for
/// once.
const std::vector<DeviceInfo>& devices();

/// The first usable device, or the reason of the first one.
const DeviceInfo& device_info();

/// The device that this thread uses.
const DeviceInfo& present_device();

/// Makes device `number` the one that this thread uses; -1: the first usable one. Throws DeviceError if it is
/// not usable.
void use_device(int number);

/// Empty, or "there is no device N: ..."
std::string explain_wrong_device(int number);

/// Empty, or "METHOD needs a CUDA device, and ..."
std::string explain_missing_device(const std::string& method);

}  // namespace slipstick::internal
