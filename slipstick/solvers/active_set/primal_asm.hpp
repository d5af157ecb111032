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
/// From a feasible x it steps towards the minimizer on the held constraints, as far as the others allow, and
/// takes in the one that stops it; at the minimizer it lets go of the constraint with the most negative
/// multiplier. An iteration takes in or lets go one constraint; the factors are updated (ActiveFactor). After
/// many steps of no length the least index decides on either side (Bland 1977), so that it does not cycle.
///
/// Phase 1: the feasible point nearest the start, in the metric of A's diagonal, by the dual method; it finds
/// out where there is none. What it holds is held at the beginning.
///
/// Where A is singular, the proximal term 1/2 ||x - x_ref||^2 in a small multiple of that metric makes the
/// minimizers unique, and x_ref moves to each of them in turn (Rockafellar 1976).
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
  double share_ = 0.0;  // of the diagonal in the proximal term
  Vector reference_, step_, load_;
  bool at_minimum_ = false;
  int steps_of_no_length_ = 0;
};

}  // namespace slipstick::internal
