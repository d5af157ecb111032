// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
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
  double restart = 1.5;                    ///< growth of the change of r at which the momentum restarts
  double most_momentum = 1.0;
  int project = 0;  ///< before a test, on the cones
  // Of iterations with momentum, see NsgsFast.
  int iteration = 0;  ///< the number of those that were made
  double theta = 1.0, momentum = 0.0;
  double largest_momentum = 0.0;                                 ///< since the host set it to zero
  double least_moved = std::numeric_limits<double>::infinity();  ///< squared, since the last restart
  int since_restart = 0;
  // By the last test.
  double error = 0.0, best_error = 0.0;
  int improved = 0;
  unsigned arrived = 0;

  void restart_momentum() {
    theta = 1.0;
    momentum = 0.0;
    least_moved = std::numeric_limits<double>::infinity();
    since_restart = 0;
  }
};

enum class SweepKind { plain, momentum };

/// Gauss-Seidel over contacts under Coulomb's law on the device (see Nsgs). No two contacts of a colour share
/// a body that moves, so a colour is one kernel, and every contact in it is solved at the same time. The rows
/// of joints follow, in colours of their own. The layout of the contacts is in the order of colours.
///
/// An iteration with momentum (see NsgsFast) has three kinds of kernels. The first one extrapolates the
/// velocities of the bodies. The sweep extrapolates r contact by contact, and sums up its changes. The last
/// one, of one block, decides on the next momentum.
class SweepEngine {
 public:
  explicit SweepEngine(SweepKind kind = SweepKind::plain);
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
  /// Makes so many iterations with momentum, and tests. `state` is the last one. The host may have changed
  /// what steers.
  SweepState iterate(int count, const SweepState& state);
  void copy_best(double* r);
  void copy_current(double* r);
  void set_launches(const LaunchOptions& options);

  /// Microseconds per sweep, or per iteration with momentum, the median of several replays. For benchmarks.
  double time_sweeps(int replays);
  /// Bytes that it reads and writes at least.
  double bytes_per_sweep() const;

  static constexpr int sweeps_per_replay = 10;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
