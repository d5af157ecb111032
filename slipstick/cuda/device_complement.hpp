// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "slipstick/cuda/device_band.hpp"
#include "slipstick/solvers/active_set/complement_of_changes.hpp"

namespace slipstick::internal {

/// SchurComplement with its columns on the device. C is small, and its factor is made by the host.
class DeviceComplement : public ComplementOfChanges {
 public:
  /// Removes all changes and makes room for `most`. The engine holds the factor.
  void reset(BandEngine& engine, const DeviceBand& band, Index most);
  /// See solve_changed.
  bool solve(const std::vector<char>& base, const std::vector<char>& now, VectorView r) {
    return solve_changed(base, now, r);
  }
  /// The columns that were solved for since the last call.
  Index take_solves() { return std::exchange(solves_, 0); }

 protected:
  void move_column(Index from, Index to) override;
  void extend(Index first, ConstVectorView r, DenseMatrix& complement, VectorView s) override;
  void correct(ConstVectorView pi, VectorView x) override;

 private:
  BandEngine* engine_ = nullptr;
  const DeviceBand* band_ = nullptr;
  Index solves_ = 0;
  std::vector<int> changes_of_band_;
  std::vector<double> of_band_, products_, pi_;
};

}  // namespace slipstick::internal
