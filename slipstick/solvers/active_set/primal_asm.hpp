// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/active_set/dense_active_set_solver.hpp"

namespace slipstick::internal {

/// The primal active-set method (Litven 2013, Alg. 2.1 and section 2.3; Nocedal and Wright 2006, Alg. 16.3)
/// for
///
///     minimize 1/2 x'Ax + b'x  over bounds of x and  lower <= G x <= upper,   A positive semidefinite.
///
/// From a feasible x it steps towards the minimizer on the held constraints. If another constraint stops the
/// step, the method holds that constraint. At the minimizer it drops the constraint with the most negative
/// multiplier. One iteration adds or drops one constraint. The factors are updated (ActiveFactor). After many
/// steps of length zero the least index decides what to add and drop (Bland 1977). This prevents cycles.
///
/// Phase 1 finds the feasible point nearest to the start, in the metric of A's diagonal, by the dual method.
/// It also detects that there is none. Phase 2 starts with the constraints that phase 1 holds.
///
/// If A is singular, a proximal term 1/2 ||x - x_ref||^2, in a small multiple of that metric, makes the
/// minimizers unique. x_ref then moves to each minimizer in turn (Rockafellar 1976).
class PrimalAsm : public DenseActiveSetSolver {
 public:
  explicit PrimalAsm(const PrimalAsmSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  bool find_feasible_point(const Run& run, Monitor& monitor);
  void minimize(const Run& run, Monitor& monitor);
  void find_gradient(const Run& run);
  void step_to_block();

  PrimalAsmSettings settings_;
  double share_ = 0.0;  // share of the diagonal in the proximal term
  Vector reference_, step_, load_;
  bool at_minimum_ = false;
  int steps_of_no_length_ = 0;
};

}  // namespace slipstick::internal
