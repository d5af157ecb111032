// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// What P-SPG-FB decides from numbers alone (Heyn 2012): the length of the next projected gradient, and how
/// far to go along it. PSpgFb has the vectors; so has its twin on a device.
class SpectralSteps {
 public:
  /// Throws Error if the limits of the step are wrong.
  explicit SpectralSteps(const PSpgFbSettings& settings);

  /// Products of the direction d with the metric P and the matrix.
  struct Products {
    double length = 0.0;     ///< d'Pd
    double curvature = 0.0;  ///< d'Ad
    double image = 0.0;      ///< (Ad)'P^-1 Ad
  };

  void start();
  double alpha() const { return alpha_; }
  int iteration() const { return iteration_; }
  /// After rounding has made the length wrong.
  void reset_alpha() { alpha_ = 1.0; }
  /// A direction that does not descend, but only by rounding. Returns false if there were too many of them.
  bool accept_rounded();

  /// The first lambda, from 1 on, with f(x + lambda d) <= max of the last f + xi lambda g'd (lines 8-16). The
  /// next lambda is the minimum of the parabola, kept within [0.1, 0.9] of the last one. `rounding` is that
  /// of the slope g'd.
  double search(double slope, double rounding, const Products& products) const;
  /// The newest objective is `change` above the last one. The kept values are relative to the newest.
  void remember(double change);
  /// Counts the iteration, and sets alpha of the next one (lines 19-23). lambda scales both s and y and
  /// cancels.
  void advance(const Products& products);

 private:
  double next_step(const Products& products);

  PSpgFbSettings settings_;
  double alpha_ = 1.0;
  double threshold_ = 0.5;  // threshold of the adaptive choice
  int short_steps_ = 0;
  int iteration_ = 0;
  int rounded_steps_ = 0;
  Vector recent_;  // the last short steps
  Vector rise_;    // objectives of the last iterates, relative to the newest
};

}  // namespace slipstick::internal
