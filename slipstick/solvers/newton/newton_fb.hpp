// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set_polish.hpp"
#include "slipstick/solvers/common/row_system.hpp"

namespace slipstick::internal {

/// Semismooth Newton method on the Fischer-Burmeister equations of a boxed problem, A possibly nonsymmetric
/// (De Luca, Facchinei, Kanzow 1996, Algorithm 3.1). phi(a, b) = a + b - sqrt(a^2 + b^2) vanishes if and only
/// if a, b >= 0 and ab = 0. The equations Phi(x) = 0 are, row by row with the ruler's scale d_i,
///     phi(d (x - l), w)                         bounded from below,
///     -phi(d (u - x), -w)                       bounded from above,
///     phi(d (x - l), -phi(d (u - x), -w))       both (Billups 1995),
///     w                                         free,   d (x - l)   fixed.
/// Newton's direction uses an element of the generalized Jacobian diag(s) + diag(t) A. A nonmonotone Armijo
/// rule for the merit 1/2 ||Phi||^2 searches along it.
///
/// Deviations from the paper: If the Jacobian is singular or Newton's direction does not descend, a
/// Levenberg-Marquardt step replaces it, not the gradient. Near a solution the active set is guessed and
/// solved exactly. After a stall the method starts again from a perturbed point, with a fixed seed. The
/// measure judges the projection of the iterate on K. The best projection is returned.
class NewtonFb : public Solver {
 public:
  explicit NewtonFb(const NewtonFbSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run);
  void restart(const Run& run, int attempt);
  void evaluate(const Run& run);
  double judge(const Run& run);
  double polish(const Run& run, double error);
  bool find_newton_direction(const Run& run);
  bool find_damped_direction(const Run& run);
  bool solve_for_step();
  bool search_line(const Run& run, double smallest);
  bool stalls();
  void forget_merits();

  NewtonFbSettings settings_;
  RowSystem system_;
  ActiveSetPolish polish_;
  BestIterate best_;

  Vector x_, w_;  // iterate
  // Equations divided by the norm of the ruler; s (with the factor d) and t of the Jacobian.
  Vector phi_, s_, t_;
  double norm_ = 1.0;
  double merit_ = 0.0;
  double weight_ = 1.0;  // weight of this attempt
  Vector gradient_, step_, right_side_, x_before_, start_;
  double slope_ = 0.0;  // slope of the merit along step_
  std::vector<double> merits_;
  std::size_t merit_count_ = 0;
  double least_merit_ = 0.0;
  int since_least_ = 0;
  double checkpoint_ = 0.0;  // merit that must halve in the next 20 iterations
  int since_checkpoint_ = 0;

  Vector projected_, projected_w_;
  std::vector<Place> places_, tried_places_;
  double tried_error_ = 0.0;
};

}  // namespace slipstick::internal
