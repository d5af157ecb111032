// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipstick/cuda/device_band.hpp"
#include "slipstick/solvers/active_set/primal_dual_active_set.hpp"

namespace slipstick::internal {

/// The common base of PdasmCuda and SchurpaCuda: the primal-dual active-set method with its products and
/// systems on the device (Litven 2013, chapters 5 and 6). The host has vectors alone, and decides. Linear
/// rows are refused.
class DeviceActiveSet : public PrimalDualActiveSet {
 public:
  std::string explain_unsupported(const Problem& problem) const override;
  /// Wall-clock seconds of the last solve without the certificate of the host.
  double seconds() const { return seconds_; }

 protected:
  DeviceActiveSet(const char* name, int most_changes)
      : PrimalDualActiveSet(name), name_(name), most_changes_(most_changes) {}
  void run(const Run& run) override;
  void take_matrix() override;
  void multiply_matrix(ConstVectorView z, VectorView product, int threads) override;
  bool reads_rows() const override { return false; }

  /// Makes the factor of the set on the device and counts it.
  bool factorize_on_device(const std::vector<char>& inside);
  void solve_on_device(VectorView r);
  /// The number of changes that there is room for.
  int room(Index rows) const;
  BandEngine& engine() { return *engine_; }
  const DeviceBand& band() const { return band_; }

 private:
  const char* name_;
  int most_changes_;
  mutable DeviceBand band_;  // explain_unsupported() reads it, run() uses it
  std::unique_ptr<BandEngine> engine_;
  int device_ = -1;                // of the engine
  std::vector<double> from_, to_;  // in the order of the band
  std::vector<char> inside_of_band_;
  double seconds_ = 0.0;
};

}  // namespace slipstick::internal
