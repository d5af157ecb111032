// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/interior_point/qp/qp_path.hpp"
#include "slipstick/solvers/interior_point/qp/qp_polish.hpp"
#include "slipstick/solvers/interior_point/qp/qp_proof.hpp"
#include "slipstick/solvers/interior_point/qp/qp_reduction.hpp"
#include "slipstick/solvers/interior_point/qp/qp_scaling.hpp"
#include "slipstick/solvers/interior_point/qp/qp_system.hpp"

namespace slipstick::internal {

/// Primal-dual interior point method for convex QPs,
///
///     minimize 1/2 x'Ax + b'x  over bounds of x and  lower <= G x <= upper,   A positive semidefinite.
///
/// The problem is reduced (QpReduction) and scaled (QpScaling). QpPath follows the central path with
/// Mehrotra's predictor and corrector (1992) and Gondzio's corrections (1996). An iteration makes one sparse
/// factorization of a quasi-definite system with small shifts (QpSystem). When the error is small, QpPolish
/// tries to solve the system of the active set, which gives all digits. If a warm start is given, its active
/// set is tried first, and revised as long as the error falls quickly. Then the path begins near the best
/// point of that.
///
/// A point that meets the tolerance may have another objective, if the multipliers of rows are huge. So the
/// path goes on until the complementarity gap is small, too, relative to the objective. If that cannot be
/// reached, the point with the least gap is the answer.
///
/// If the path does not reach a solution, QpProof looks for a proof that there is none. Every point is judged
/// on the problem as given.
class QpIpm : public Solver {
 public:
  explicit QpIpm(const QpIpmSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 private:
  void run(const Run& run) override;
  void take_matrix(const Problem& problem);
  bool prepare(const Run& run, bool presolve);
  void solve_reduced(const Run& run, Monitor& monitor);
  void follow_path(const Run& run, bool started, bool is_last, Monitor& monitor);
  bool is_far_away() const;
  bool is_solved(double tolerance) const;
  bool is_finished(Monitor& monitor);
  void try_warm_start(const Run& run, Monitor& monitor);
  bool polish(const Run& run, int rounds);
  bool polish_rounds_of(const Run& run, int rounds);
  void prove(const Run& run, Monitor& monitor);
  double judge(const Run& run, ConstVectorView x, ConstVectorView y);

  QpIpmSettings settings_;
  Operator operator_;
  std::shared_ptr<const CsrMatrix> a_;
  QpReduction reduction_;
  QpScaling scaling_;
  StandardQp qp_;
  QpSystem system_;
  QpPath path_;
  QpPolish polish_;
  std::unique_ptr<QpProof> proof_;

  Vector unscaled_x_, unscaled_y_, x_, w_, y_;
  Vector near_x_, near_y_;  // of the reduced problem, where a path with a warm start begins
  Vector best_x_, best_y_;
  double best_error_ = 0.0;
  double best_gap_ = 0.0;  // relative to the objective
  std::int64_t factorizations_ = 0;
};

}  // namespace slipstick::internal
