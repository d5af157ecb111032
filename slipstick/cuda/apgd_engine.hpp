// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/cuda/contact_arrays.hpp"
#include "slipstick/cuda/launch_options.hpp"

namespace slipstick::internal {

/// The numbers that steer Apgd on the device, and those that the host reads between replays.
struct ApgdState {
  // Set by the host.
  double growth = 3.0, shrinkage = 0.95;
  double rounding = 0.0;  ///< relative error of stored numbers, if they have less digits than double
  double weight = 1.0;    ///< 1 / norm of the ruler
  int restart = 1, conic = 0;
  int accelerated = 1;  ///< 0: the steps of Jacobi, x+ = x + damping (P(x - g / (L d)) - x) with a fixed L
  double damping = 1.0;
  // The present iterate.
  double lipschitz = 1.0;
  double theta = 1.0, next_theta = 1.0;
  double momentum = 0.0, next_momentum = 0.0;
  double scale = 1.0, previous_scale = 1.0;  ///< x_k = scale * stored x_k, and x_(k-1)
  int iteration = 0;                         ///< k
  int redone = 0, restarts = 0;
  int uphill = 0;
  // Sums.
  double length = 0.0, ray_slope = 0.0;
  double step_compliance = 0.0, ray_compliance = 0.0;
  double error_shares = 0.0, best_shares = 0.0;  ///< of the last tested iterate, and of the best
  int improved = 0;
  unsigned arrived[2] = {0, 0};
};

/// Accelerated projected gradients on the device: contacts, iterates and all decisions stay there (see Apgd).
/// An iteration is two kernels. All that waits for a product is in the space of bodies:
///
///     body pass:    v(x+) = M^-1 J'x+ by a gather, curvature |v(x+) - v(y)|_M^2; accept x+ or raise L;
///                   v(y+) = v(x+) + m (v(x+) - v(x)), since the momentum m is known
///     contact pass: g = J v(y) + b, x+ = P(y - g / (L d)), the sums of the restart and of the next m
///
/// A rejected step takes an iteration of its own. The last block of a pass adds the sums in a fixed order and
/// decides. The number of partial sums is fixed, so that the bits do not depend on the device. Jacobi's
/// method has the same passes, without momentum and tests of L.
///
/// Arrays may be stored as float, which halves what an iteration reads. It computes in double in any case.
class ApgdEngine {
 public:
  explicit ApgdEngine(StoredNumber number = StoredNumber::float64);
  ~ApgdEngine();

  /// Copies contacts to the device. Allocates nothing if the last ones had the same sizes.
  void set_contacts(const ContactArrays& arrays);
  /// Copies what depends on b and K: axes, load, scale, compliance, bounds.
  void set_problem(const ContactArrays& arrays);
  /// y = A x in world axes. Returns the sum of y_i^2 / d_i.
  double multiply(const double* x, double* y);
  /// Starts from x, and tests it. `lipschitz` is in the state.
  ApgdState start(const double* x, const ApgdState& state);
  /// Makes up to `steps` iterations, fewer if steps are redone, and tests the last iterate.
  ApgdState iterate(int steps);
  /// The iterate with the least error of those tested, or the present one.
  void copy_best(double* x);
  void copy_current(double* x);
  void set_launches(const LaunchOptions& options);

  /// Microseconds per iteration, the best of several replays. For benchmarks.
  double time_iterations(int replays);
  /// Bytes that an iteration reads and writes at least.
  double bytes_per_iteration() const;

  static constexpr int steps_per_replay = 20;

 private:
  class Implementation;
  template <class Real>
  class ImplementationOf;
  std::unique_ptr<Implementation> implementation_;
};

/// Bytes per second, read and written, of a plain copy of so many bytes. For benchmarks.
double copy_bandwidth(std::size_t bytes);

}  // namespace slipstick::internal
