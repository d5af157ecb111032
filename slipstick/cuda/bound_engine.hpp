// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <span>

#include "slipstick/cuda/contact_arrays.hpp"

namespace slipstick::internal {

struct SparseArrays;

/// What the host needs to steer Mprgp.
struct BoundSums {
  // Of a split of the gradient, in the metric of D^-1.
  double squared_error = 0.0, chopped = 0.0, reduced_free = 0.0, free = 0.0, inside = 0.0;
  double released = 0.0;  ///< what rows add to `free` as they are released
  // Of a direction p.
  double slope = 0.0, squared_size = 0.0;
  double feasible_step = std::numeric_limits<double>::infinity();
  double curvature = 0.0, squared_image = 0.0;  ///< p'Ap, |Ap|^2
  double along = 0.0, last_curvature = 0.0;     ///< z'Ap, p'Ap of the rest of the last direction
  double change = 0.0;                          ///< twice the change of the objective by a move
  double squared_norm = 0.0;                    ///< of a power iterate
  unsigned arrived[3] = {0, 0, 0};
};

/// The problem of a BoundEngine in the order of its rows. inverse: 1 / A_ii, 0 for empty rows. scale: that of
/// the natural map.
struct BoundArrays {
  std::span<const double> load = {}, scale = {}, inverse = {};
  std::span<const double> bounds = {};  ///< (lower, upper) by row
};

/// The vectors of Mprgp on the device, over rows of a matrix of bodies or of a sparse one. The host decides
/// between two kernels. Sums have a fixed order.
class BoundEngine {
 public:
  BoundEngine();
  ~BoundEngine();

  /// Copies the matrix to the device. Allocates nothing if the last one had the same sizes. There are rows
  /// only, no contacts.
  void set_bodies(const ContactArrays& arrays);
  void set_sparse(const SparseArrays& arrays);
  /// Copies what depends on b and the bounds.
  void set_problem(const BoundArrays& arrays);
  /// Numbers of a vector.
  std::size_t size() const;

  void start(const double* x);
  /// g = A x + b, frees the rows between their bounds, and splits g. `step` is that of the reduced gradient.
  BoundSums compute_gradient(double step);
  /// Frees the rows at a bound whose gradient leads inside. z gets their gradients.
  BoundSums release();
  /// Takes fixed rows out of the last direction, for its sums with z.
  BoundSums compare_directions();
  /// p <- z + factor p and A p.
  BoundSums find_direction(double factor);
  /// x <- x - move p, and splits the gradient there.
  BoundSums advance(double move, double step);
  /// The move to P(x - whole p) on the free rows.
  BoundSums try_whole_step(double whole);
  /// The move to the point x - feasible p and from there by a step along its gradient.
  BoundSums try_fixed_step(double feasible, double step);
  /// Makes the last move that was tried, frees the rows between their bounds, and splits the gradient.
  BoundSums accept(double step);
  /// v <- D^-1/2 A D^-1/2 v / |v|, and its square. start_power() sets v.
  double start_power(const double* v);
  double power(double norm);
  void copy_current(double* x);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
