// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/free_system.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Principal pivoting, single (ppm) or in blocks (bpp, bpp-pcg):
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Ho 2022, 2.5.2, and 2.5.3 with Alg. 1 and a corrected loop condition; Murty 1974; Judice and Pires 1994).
///
/// The rows of a set F are free. The other rows are tight at a bound. A_FF x_F = -b_F - A_FT x_T (eq. 2.40)
/// gives x, and w = A x + b. Rows of F beyond a bound become tight. Tight rows whose w has the wrong sign
/// become free (eq. 2.41-2.44). ppm changes the first of these rows, bpp all of them. One iteration is one
/// set. If A is positive definite, single pivots of least index end at the solution, but block pivots may
/// cycle. bpp therefore makes single pivots if a set appears again, or after `stall_limit` block pivots
/// without progress. It returns to blocks when fewer rows are wrong than ever before.
///
/// The free block may be singular (redundant contacts), and pivots may fail: single pivots cycle because of
/// rounding, or, in bpp, take too long. Then a proximal term delta/2 ||x - c||^2_D is added. It makes the
/// problem strictly convex. A larger delta makes it better conditioned. It starts at 1e-10 and grows until
/// the pivots end. When the pivots end, c moves to the solution found and delta falls, once to 0. This
/// repeats until the problem without the term is solved or the error no longer falls. If everything fails,
/// the x of the best set is returned, and the status says so. Ho returns the set with the least number of
/// wrong rows.
///
/// bpp solves eq. 2.40 by a sparse Cholesky factor that follows the set. bpp-pcg solves it by preconditioned
/// conjugate gradients (Ho 2022, 5.1, Alg. 10 without overwriting b) to a residual below the tolerance.
/// Errors of w and x below that residual cause no pivot. If the single pivots of bpp-pcg cycle, it first asks
/// for a smaller residual. delta of bpp-pcg starts at 1e-6.
///
/// A warm start sets the first places of the rows (Ho 2022, 5.3). Without it, the natural map at P_K(0) sets
/// them.
class PrincipalPivoting : public Solver {
 public:
  explicit PrincipalPivoting(const PpmSettings& settings = {});
  explicit PrincipalPivoting(const BppSettings& settings);
  explicit PrincipalPivoting(const BppPcgSettings& settings);
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run, Monitor& monitor);
  bool choose_next_set(const Run& run);
  bool pivot_block();
  bool pivot_single();
  bool end_stage(const Run& run);
  void drop_friction_shift(const Run& run);
  void solve_set(const Run& run);
  bool solve_free_rows(const Run& run);
  void evaluate(const Run& run);
  double find_residual();
  double judge(const Run& run);
  bool sharpen(const Run& run);
  bool strengthen(const Run& run);
  void set_proximal(const Run& run, double delta);
  void start_stage();

  std::string_view name_;
  bool blocks_allowed_;
  FrictionShiftSettings shift_settings_;
  int stall_limit_ = 0;
  double inner_ = 0.0;
  std::unique_ptr<FreeSystem> system_;
  ActiveSet set_;
  VisitedSets visited_;
  FrictionShift friction_;
  BestIterate best_;

  Vector x_, w_;                    // w = A x + b
  Vector shifted_;                  // w of the shifted problem, w + S x - delta D c
  Vector residual_, step_;          // residual and correction of the free rows
  Vector projected_, projected_w_;  // x and w, projected on K
  double error_ = 0.0;              // scaled natural map of x
  double target_ = 0.0;             // norm of the residual for an iterative system of the free rows
  Index violations_ = 0;            // rows to pivot
  Index least_ = 0;                 // least number of wrong rows in this stage
  Index best_violations_ = 0;       // least number of wrong rows in all stages
  bool blocks_ = true;              // block pivots, or single ones
  int stalled_ = 0, single_pivots_ = 0;
  bool first_set_ = true;
  bool evaluated_ = false;  // w belongs to x

  // The proximal term, with the error at the last move of its centre.
  double delta_ = 0.0, least_delta_ = 0.0, last_delta_ = 0.0;
  double decay_ = 0.0, growth_ = 0.0;
  int failures_ = 0;  // number of failed stages
  Vector center_, pull_, shift_;
  double moved_error_ = 0.0;
  int slow_moves_ = 0;
  bool left_proximal_ = false;
};

}  // namespace slipstick::internal
