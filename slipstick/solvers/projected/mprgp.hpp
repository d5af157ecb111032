// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/projected/working_rows.hpp"

namespace slipstick::internal {

/// Modified proportioning with reduced gradient projections, plain (mprgp) or preconditioned (pmprgp), for
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (UIC survey 3.3.5-3.3.6, Alg. 7 with its misprints mended; Dostal 2009).
///
/// With g = A x + b, the free gradient phi is g on the rows strictly between their bounds, the chopped
/// gradient beta is the part of g at the bounds that points into the box; both vanish at the solution. While
/// ||beta||^2 <= Gamma^2 phibar'phi the method runs (preconditioned) conjugate gradients on the free rows,
/// expanding the active set where a step leaves the box; otherwise it frees rows by a step along beta.
///
/// Everything is measured in the metric of D = diag(A), which is the method on the problem scaled to a unit
/// diagonal: row scaling of the input does not matter. Rows with a zero diagonal are empty (A is
/// semidefinite) and go straight to the bound that the sign of b asks for. Deviations from the print:
/// two-sided bounds and free rows; the gradient is recomputed when the recursion claims convergence; by
/// default an expansion projects the whole conjugate gradient step (Kruzik 2020), which finds the active set
/// in far fewer expansions; and after an expansion the next direction is made conjugate to what is left of
/// the last one instead of starting anew, which saves most of the iterations where many rows are degenerate.
class Mprgp : public Solver {
 public:
  explicit Mprgp(const MprgpSettings& settings = {});
  explicit Mprgp(const PmprgpSettings& settings);

  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  /// Free, chopped and reduced free gradient, as inner products in the metric of D^-1.
  struct Split {
    double squared_error = 0.0;  // of the natural map
    double chopped = 0.0;        // beta'beta
    double reduced_free = 0.0;   // phibar'phi
    double free = 0.0;           // phi'phi
    Index active = 0;            // rows at a bound
  };

  void prepare(const Run& run);
  void settle_empty_rows(const Run& run, Monitor& monitor);
  void compute_gradient(const Run& run);
  void choose_working_rows(const Run& run);
  void scatter(const Run& run);
  Split split_row_range(const Run& run, Index begin, Index end) const;
  void split_gradient();
  void release_rows(const Run& run);
  void conjugate_gradient_or_expansion(const Run& run, Monitor& monitor);
  void precondition(const Run& run);
  void refresh_factor(const Run& run);
  double conjugation(double previous);
  void advance(double step);
  void expand(const Run& run, double whole_step, double feasible_step);
  double estimate_norm(const Run& run);

  PmprgpSettings settings_;
  std::shared_ptr<const CsrMatrix> matrix_;  // assembled, where a preconditioner needs it
  Operator seen_;                            // the operator that matrix_, factor_ and norm_ belong to
  double norm_ = 0.0;                        // of D^-1/2 A D^-1/2
  IncompleteCholesky factor_;                // of the whole matrix
  bool factored_ = false;
  // Of all rows.
  Vector full_inverse_diagonal_;  // 0 for empty rows
  Vector full_gradient_;          // up to date on the working rows only after scatter()
  std::vector<char> full_free_;   // rows that may move
  // Of the working rows, in their numbering; entries past their number are not in use.
  WorkingRows working_;
  IncompleteCholesky working_factor_;
  std::vector<char> factor_free_;  // the free rows when it was made
  Vector x_, lower_, upper_;
  Vector inverse_diagonal_, scale_;  // scale_: of the natural map
  Vector g_;                         // A x + b
  std::vector<char> free_;           // strictly between the bounds
  Vector z_;                         // preconditioned free gradient
  Vector p_;                         // conjugate direction, zero off the free rows
  Vector Ap_;
  Vector trial_, move_, Amove_;  // of an expansion
  Split elsewhere_;              // what the rows that are not working rows contribute
  Split split_;
  double phi_z_ = 0.0;  // phi'z of the current iterate
  enum class Direction { fresh, conjugate, expanded } direction_ = Direction::fresh;
};

}  // namespace slipstick::internal
