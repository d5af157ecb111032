// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Gradient projection with subspace minimization (UIC survey, Alg. 3, on any bounds). With phi(x) = 1/2 x'Ax
/// + b'x and g = A x + b:
///     x^c <- the first local minimizer of phi along P(x - t D^-1 g), t > 0   (the Cauchy point)
///     x^+ <- a point of K with phi(x^+) <= phi(x^c), by conjugate gradients on the rows free at x^c.
///
/// The Cauchy point is exact: phi is quadratic between breakpoints, and each breakpoint updates A d with one
/// row of A. For a matrix without rows (Delassus) the search halves t, with one product each. The conjugate
/// gradients are preconditioned with the diagonal and ignore the bounds. Their point is then projected, and
/// halved towards x^c until phi falls (More and Toraldo 1991).
///
/// Deviations from the paper: there are breakpoints for both bounds. The gradient is scaled by D = diag(A),
/// so that the path does not depend on the units of the rows. A may be semidefinite: a direction without
/// curvature is followed to the bound. If there is no bound, the objective has no minimum (unbounded). Empty
/// rows are set first, by the sign of b_i. If A is not semidefinite, the answer may be a point with d'Ad < 0
/// along K.
///
/// One iteration is one Cauchy point or one step of conjugate gradients. A step reads only the free rows.
class GpSm : public Solver {
 public:
  explicit GpSm(const GpSmSettings& settings = {});
  std::string explain_unsupported(const Problem& problem) const override;

 private:
  void run(const Run& run) override;

  void begin(const Run& run, Monitor& monitor);
  bool find_cauchy_point(const Run& run);
  template <class Storage>
  bool walk_to_cauchy_point(const Storage& a, const Run& run, double slope);
  bool search_cauchy_point(const Run& run, double slope);
  bool minimize_on_face(const Run& run, Monitor& monitor);
  void multiply_free_rows(const Run& run, const Vector& x, Vector& y);
  void search_towards_target(const Run& run);
  void put_at_bounds(const Run& run, double step);
  double step_to_bound(const Run& run, Index i, double direction) const;
  bool is_noise(double slope) const;

  GpSmSettings settings_;
  BestIterate best_;
  Vector inverse_scale_;  // 1 / d_i; 0 for empty rows, which do not move
  Vector gradient_;       // g at x
  Vector direction_;
  Vector product_;  // A direction
  Vector residual_;
  Vector target_;                                    // target of conjugate gradients, then of the search
  Vector change_;                                    // A (x(t) - x), valid at since_
  Vector since_;                                     // the t up to which a row of change_ is summed
  std::vector<std::pair<double, int>> breakpoints_;  // a heap, nearest on top
  std::vector<int> free_rows_;
  double load_ = 0.0;              // size of b' D^-1 b and of the terms that round in a gradient
  double partial_products_ = 0.0;  // products with the free rows, as a share of full products
};

}  // namespace slipstick::internal
