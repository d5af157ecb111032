// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/free_preconditioner.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Preconditioned generalized conjugate gradients:
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Ho 2022, 5.2, Alg. 11; O'Leary 1980).
///
/// Conjugate gradients on the free rows, from a point of the box. A step that would leave the box ends at its
/// boundary (eq. 5.1). The rows that meet the boundary become tight, and the directions start again. When the
/// residual of the free rows is small, all tight rows whose w has the wrong sign become free at once. The
/// objective falls with every step, so no set appears twice. One iteration is one step.
///
/// Misprints of the listing are corrected. The residual is updated with the old direction before z, beta and
/// the next direction. The inner loop runs while ||r|| is above its limit. The step length is that of eq.
/// 4.4. Deviations from the paper: The limit of an inner loop depends on its first residual, because early
/// sets are not worth an accurate solve. The gradient of all rows is updated with the products of the steps.
/// It is computed again before convergence is accepted.
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
  Vector w_;             // A x + b plus the shift times x
  Vector r_, z_;         // residual of the free rows, without and with the preconditioner
  Vector q_, Aq_;        // direction
  double rz_ = 0.0;      // r'z
  bool restart_ = true;  // the next direction is z
  bool exact_ = true;    // w is computed, not updated
  double best_exact_ = 0.0;
};

}  // namespace slipstick::internal
