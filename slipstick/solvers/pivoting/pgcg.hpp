// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/free_preconditioner.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Preconditioned generalized conjugate gradients, for
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Ho 2022, 5.2, Alg. 11; O'Leary 1980).
///
/// Conjugate gradients on the free rows, from a point of the box; a step that would leave the box ends at its
/// boundary (eq. 5.1), the rows that meet it become tight, and the directions start anew. When the residual
/// of the free rows is small, tight rows whose w has the wrong sign become free, all at once. The objective
/// falls with every step, so no set comes again. One iteration is one step.
///
/// With the misprints of the listing mended: the residual is updated with the old direction before z, beta
/// and the next direction; the inner loop runs while ||r|| is above its limit; the step length is that of
/// eq. 4.4. Deviates: the limit of an inner loop follows the residual that it starts with, since early sets
/// are not worth a close solve; the gradient of all rows is kept up to date by the products that the steps
/// need, and computed anew before convergence is believed.
class Pgcg : public Solver {
 public:
  explicit Pgcg(const PgcgSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run, Monitor& monitor);
  void evaluate(const Run& run);
  void find_residual();
  bool go_on(const Run& run, Monitor& monitor);
  void release_rows(const Run& run);
  bool step(const Run& run);
  void find_direction();
  double longest_step(const Run& run, int& first) const;
  void tighten_rows(const Run& run, int first);
  void count_pivots(const Run& run);

  PgcgSettings settings_;
  ActiveSet set_;
  FrictionShift friction_;
  FreePreconditioner preconditioner_;
  Vector x_;
  Vector w_;             // A x + b, and the shift times x
  Vector r_, z_;         // residual of the free rows, and preconditioned
  Vector q_, Aq_;        // direction
  double rz_ = 0.0;      // r'z
  bool restart_ = true;  // the next direction is z
  bool exact_ = true;    // w is computed, not updated
  double best_exact_ = 0.0;
};

}  // namespace slipstick::internal
