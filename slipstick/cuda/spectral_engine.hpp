// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/cuda/contact_arrays.hpp"

namespace slipstick::internal {

/// What the host needs to steer a spectral projected gradient.
struct SpectralSums {
  // Of the step.
  double error_shares = 0.0;          ///< contributions of x to the ruler
  double ray_slope = 0.0, x_g = 0.0;  ///< b'x, x'g
  double slope = 0.0, squared = 0.0;  ///< g'd, d'd
  double magnitude = 0.0;             ///< sum of |x_i g_i|
  // Of the product.
  double length = 0.0, curvature = 0.0, image = 0.0;  ///< d'Pd, d'Ad, (Ad)'P^-1 Ad
  unsigned arrived[2] = {0, 0};
};

/// The vectors of a spectral projected gradient on the device (see PSpgFb). The host decides between two
/// kernels. An iteration is three of them: a step, a gather of the bodies, a product.
class SpectralEngine {
 public:
  SpectralEngine();
  ~SpectralEngine();

  /// Copies contacts to the device. Allocates nothing if the last ones had the same sizes.
  void set_contacts(const ContactArrays& arrays);
  /// Copies what depends on b and K.
  void set_problem(const ContactArrays& arrays);
  void start(const double* x);
  /// g = A x + b
  void compute_gradient();
  /// x <- x + lambda d, g <- g + lambda A d, then the next direction d = P_K(x - alpha P^-1 g) - x. P is d of
  /// the ruler, or the number `metric` if that is not 0. `weight` is 1 / norm of the ruler.
  SpectralSums step(double lambda, double alpha, double metric, double weight);
  /// A d, and its sums.
  SpectralSums multiply(double metric);
  /// x <- t x, g <- t (g - b) + b
  void scale(double t);
  /// Keeps x as the best.
  void keep();
  void copy_best(double* x);
  void copy_current(double* x);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
