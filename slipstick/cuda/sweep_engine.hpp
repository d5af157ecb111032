// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/cuda/contact_arrays.hpp"
#include "slipstick/cuda/launch_options.hpp"

namespace slipstick::internal {

/// The numbers that steer sweeps on the device, and those that the host reads after a test.
struct SweepState {
  // Set by the host.
  double relaxation = 1.0, proximal = 0.0;
  double norm = 1.0, weighted_norm = 1.0;  ///< of q, see ContactRuler
  int weigh_by_scale = 0;                  ///< there are joints: every row weighs 1 / sqrt(d)
  // By the last test.
  double error = 0.0, best_error = 0.0;
  int improved = 0;
  unsigned arrived = 0;
};

/// Gauss-Seidel over contacts under Coulomb's law on the device (see Nsgs). No two contacts of a colour share
/// a body that moves, so a colour is one kernel, and every contact in it is solved at the same time. The rows
/// of joints follow, in colours of their own. The layout of the contacts is in the order of colours.
class SweepEngine {
 public:
  SweepEngine();
  ~SweepEngine();

  /// Copies contacts to the device. Allocates nothing if the last ones had the same sizes.
  void set_contacts(const ContactArrays& arrays);
  /// Copies what depends on q and mu.
  void set_problem(const ContactArrays& arrays);
  /// Starts from r, and tests it.
  SweepState start(const double* r, const SweepState& state);
  /// Makes so many sweeps, every second one backward if `alternate`, from a forward one on or, if `backward`,
  /// from a backward one on. Computes the velocities of the bodies anew, and tests.
  SweepState sweep(int count, bool alternate, bool backward);
  void copy_best(double* r);
  void copy_current(double* r);
  void set_launches(const LaunchOptions& options);

  /// Microseconds per sweep, the median of several replays. For benchmarks.
  double time_sweeps(int replays);
  /// Bytes that a sweep reads and writes at least.
  double bytes_per_sweep() const;

  static constexpr int sweeps_per_replay = 10;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
