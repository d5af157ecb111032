// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>

#include "slipstick/cuda/contact_arrays.hpp"

namespace slipstick::internal {

/// What the host needs to steer the method of Kucera.
struct FaceSums {
  // Of a split.
  double error_shares = 0.0;          ///< contributions of x to the ruler
  double face = 0.0, leaving = 0.0;   ///< phi'D^-1 phi, beta'D^-1 beta
  double changed = 0.0;               ///< contacts and rows with another face than before
  double ray_slope = 0.0, x_g = 0.0;  ///< b'x, x'g
  double magnitude = 0.0;             ///< sum of |x_i g_i|
  // Of a direction.
  double slope = 0.0, squared_size = 0.0;  ///< g'd, d'd
  double feasible_step = std::numeric_limits<double>::infinity();
  // Of a product.
  double curvature = 0.0, squared_image = 0.0;  ///< d'Ad, (Ad)'Ad
  double length = 0.0, scaled_image = 0.0;      ///< d'Dd, (Ad)'D^-1 Ad
  unsigned arrived[3] = {0, 0, 0};
};

/// The vectors of Kucera's method on the device, over contacts with friction cones and rows with bounds. The
/// host decides between two kernels. Two directions d are kept, each with A d: one is conjugate, and one
/// leads to a projected point.
class FaceEngine {
 public:
  enum class Direction { conjugate, projected };

  FaceEngine();
  ~FaceEngine();

  /// Copies contacts to the device. Allocates nothing if the last ones had the same sizes.
  void set_contacts(const ContactArrays& arrays);
  /// Copies what depends on b and K.
  void set_problem(const ContactArrays& arrays);
  void start(const double* x);
  /// g = A x + b
  void compute_gradient();
  /// x <- x + t d, g <- g + t A d. Then chooses the faces of x and splits g. `weight` is 1 / norm of the
  /// ruler.
  FaceSums split(double t, Direction direction, double weight);
  /// d <- phi / D + factor d and A d.
  FaceSums find_conjugate(double factor);
  /// d <- P(x - step d_conjugate) - x and A d.
  FaceSums find_projected(double step);
  /// d <- P(x - step g / D) - x and A d.
  FaceSums find_gradient_step(double step);
  /// x <- P(x - t d), g <- g - t A d along the conjugate direction: to the boundary.
  void move_to_boundary(double t);
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
