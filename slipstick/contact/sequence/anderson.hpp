// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// Anderson's acceleration of a fixed point x = g(x) (Walker and Ni 2011, type II). f = g(x) - x. The columns
/// of F and G are differences of f and of g over the last iterations.
///     x <- g(x) - G c,  c = argmin ||f - F c||.
class Anderson {
 public:
  static constexpr int largest_memory = 10;
  /// Drops all iterates.
  void reset(Index rows, int memory);
  /// x <- the next iterate. `image` is g(x).
  void step(const Vector& image, Vector& x);

 private:
  DenseMatrix residuals_, images_;  // columns F and G, the oldest is overwritten
  Vector residual_, last_residual_, last_image_;
  int memory_ = 0;
  int steps_ = 0;
};

}  // namespace slipstick::internal
