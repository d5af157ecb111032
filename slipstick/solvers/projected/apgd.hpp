// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Accelerated projected gradient descent:
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K any product set
/// (Melanz 2015; Nesterov 1983 with the adaptive Lipschitz estimate and the restart of O'Donoghue and Candes
/// 2015). The metric is the mean diagonals of A's blocks.
///
/// Step k: x+ = P(y - g(y) / L). L grows until the quadratic model bounds the objective. Momentum: y+ = x+ +
/// beta (x+ - x). A step takes one product, because g(y) follows by linearity. Returns the best iterate by
/// the measure. Addition to the paper, on cones: t = -b'x / x'Ax minimizes along the ray of x and costs no
/// product. If t is outside [0.67, 1.5], or at a restart, x moves to t x and the momentum restarts.
class Apgd : public Solver {
 public:
  explicit Apgd(const ApgdSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  struct Sums {
    double error_shares = 0.0;   // contributions of x to the ruler
    double length = 0.0;         // ||x+ - y||_D^2
    double drift = 0.0;          // (x+ - y)'A y
    double uphill = 0.0;         // g(y)'(x+ - x): positive if the momentum leads uphill
    double ray_slope = 0.0;      // b'x+
    double ray_curvature = 0.0;  // x+'A x+
  };

  void prepare(const Run& run);
  double first_lipschitz_estimate(const Run& run);
  Sums advance_and_step(const Run& run, double t, double momentum);
  void ask_for_next(const Run& run, std::span<const SetBlock> piece, const Vector& previous) const;
  void extrapolate(const Vector& load, const RowRange& rows, double t, double momentum,
                   const Vector& previous);
  void step(const Run& run, std::span<const SetBlock> piece, Sums& sums);
  void descend(const Run& run, Sums& sums);
  double add_curvatures(Sums& sums) const;
  double ray_minimum(const Sums& sums, bool fresh) const;
  void keep_best(double error);

  ApgdSettings settings_;
  double lipschitz_ = 1.0;  // L, the estimate of ||D^-1/2 A D^-1/2||
  Vector x_, w_;            // w = A x + b
  Vector next_, Anext_;     // x+
  Vector y_, g_;            // the extrapolated point, g = A y + b
  Vector best_;             // the best x, unless x_ is the best
  bool x_is_best_ = false;
  double best_error_ = 0.0;
};

}  // namespace slipstick::internal
