// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/cuda/device.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// An engine, the device that it was made on, and the version of the matrix that it has.
template <class Engine>
class HeldEngine {
 public:
  /// Makes an engine on a device, unless there is one.
  void prepare(int device, const auto&... arguments) {
    if (engine_ != nullptr && device_ == device) return;
    engine_ = std::make_unique<Engine>(arguments...);
    device_ = device;
    version_ = 0;
  }
  /// Calls set(engine), which gives it a matrix, unless it has that version. Versions are not 0.
  void take_matrix(int version, const auto& set) {
    if (version_ == version) return;
    version_ = 0;
    set(*engine_);
    version_ = version;
  }
  void reset() { engine_.reset(); }
  Engine* operator->() const { return engine_.get(); }
  Engine& operator*() const { return *engine_; }

 private:
  std::unique_ptr<Engine> engine_;
  int device_ = -1, version_ = 0;
};

/// Calls body() with the device of the settings. If the device fails, forget() drops what is on it. The
/// result then has the reason, and says whether iterations had begun.
void run_on_device(const auto& run, const auto& body, const auto& forget) {
  try {
    use_device(run.settings.device);
    body();
  } catch (const DeviceError& error) {
    forget();
    run.result.status = run.result.counts.products > 0 ? Status::numerical_error : Status::unsupported;
    run.result.message = error.what();
  }
}

}  // namespace slipstick::internal
