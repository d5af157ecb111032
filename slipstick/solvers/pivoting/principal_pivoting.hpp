// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/free_system.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Principal pivoting, single (ppm) or in blocks (bpp, bpp-pcg), for
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Ho 2022, 2.5.2, and 2.5.3 with Alg. 1, its loop condition mended; Murty 1974; Judice and Pires 1994).
///
/// A set of rows F is free and the others tight at a bound; A_FF x_F = -b_F - A_FT x_T (eq. 2.40) gives x,
/// and w = A x + b. Rows of F beyond a bound become tight, tight rows whose w has the wrong sign free (eq.
/// 2.41-2.44): the first of them (ppm), or all (bpp). One iteration is one set. Where A is positive definite
/// the single pivots of least index end at the solution; block pivots may cycle. So bpp makes single pivots
/// once a set comes again, or after `stall_limit` block pivots without progress, and returns to blocks when
/// fewer rows are wrong than ever before.
///
/// The free block may be singular (redundant contacts), and pivots may lead nowhere: single ones cycle by
/// rounding, or, in bpp, take too long. Then a proximal term delta/2 ||x - c||^2_D is added, which makes the
/// problem strictly convex, and the better conditioned the larger delta is. It starts at 1e-10 and grows
/// until the pivots end. When they do, c moves to the solution found and delta falls, to 0 once, until the
/// problem without it is solved or the error does not fall any more. Where nothing helps the best set's x is
/// returned (Ho: the one with the least number of wrong rows), and the status says so.
///
/// bpp solves eq. 2.40 by a sparse Cholesky factor that follows the set, bpp-pcg by preconditioned conjugate
/// gradients (Ho 2022, 5.1, Alg. 10 without overwriting b) to a residual below the tolerance, which w and x
/// may then be wrong by without a pivot. A cycle of its single pivots first asks for a smaller residual. Its
/// delta starts at 1e-6.
///
/// The rows start where a warm start has them (Ho 2022, 5.3), else where the natural map of P_K(0) puts them.
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
  Vector residual_, step_;          // of the free rows
  Vector projected_, projected_w_;  // on K
  double error_ = 0.0;              // scaled natural map of x
  double target_ = 0.0;             // norm of the residual where the free rows are solved by iterations
  Index violations_ = 0;            // rows to pivot
  Index least_ = 0;                 // of this stage
  Index best_violations_ = 0;       // of all
  bool blocks_ = true;              // block pivots, or single ones
  int stalled_ = 0, single_pivots_ = 0;
  bool first_set_ = true;
  bool evaluated_ = false;  // w is that of x

  // The proximal term, with the error at the last move of its centre.
  double delta_ = 0.0, least_delta_ = 0.0, last_delta_ = 0.0;
  double decay_ = 0.0, growth_ = 0.0;
  int failures_ = 0;  // of stages
  Vector center_, pull_, shift_;
  double moved_error_ = 0.0;
  int slow_moves_ = 0;
  bool left_proximal_ = false;
};

}  // namespace slipstick::internal
