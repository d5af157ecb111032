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

/// Modified proportioning with reduced gradient projections, plain (mprgp) or preconditioned (pmprgp):
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (UIC survey 3.3.5-3.3.6, Alg. 7 with corrected misprints; Dostal 2009).
///
/// g = A x + b. The free gradient phi is g on the rows strictly between their bounds. The chopped gradient
/// beta is the part of g at the bounds that points into the box. Both vanish at the solution. While
/// ||beta||^2 <= Gamma^2 phibar'phi, (preconditioned) conjugate gradients run on the free rows, and a step
/// that leaves the box expands the active set. Otherwise a step along beta frees rows.
///
/// All norms use the metric of D = diag(A). The method is therefore the same as on the problem scaled to a
/// unit diagonal, and a row scaling of the input does not matter. Rows with a zero diagonal are empty,
/// because A is semidefinite. They go directly to the bound that the sign of b demands. Deviations from the
/// paper: There are two-sided bounds and free rows. The gradient is computed again when the recursion claims
/// convergence. By default an expansion projects the whole conjugate gradient step (Kruzik 2020), which finds
/// the active set in far fewer expansions. After an expansion the next direction is made conjugate to the
/// rest of the last one, and does not restart. This saves most of the iterations if many rows are degenerate.
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
    double squared_error = 0.0;  // square of the natural map
    double chopped = 0.0;        // beta'beta
    double reduced_free = 0.0;   // phibar'phi
    double free = 0.0;           // phi'phi
    Index active = 0;            // rows at a bound
  };

  void iterate(const Run& run, Monitor& monitor);
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
  std::shared_ptr<const CsrMatrix> matrix_;  // assembled if a preconditioner needs it
  Operator seen_;                            // the operator that matrix_, factor_ and norm_ belong to
  double norm_ = 0.0;                        // norm of D^-1/2 A D^-1/2
  IncompleteCholesky factor_;                // factor of the whole matrix
  bool factored_ = false;
  // Vectors over all rows.
  Vector full_inverse_diagonal_;  // 0 for empty rows
  Vector full_gradient_;          // up to date on the working rows only after scatter()
  std::vector<char> full_free_;   // rows that may move
  // Vectors over the working rows, in their numbering. Entries past their number are not used.
  WorkingRows working_;
  IncompleteCholesky working_factor_;
  std::vector<char> factor_free_;  // the free rows when working_factor_ was made
  Vector x_, lower_, upper_;
  Vector inverse_diagonal_, scale_;  // scale_: scale of the natural map
  Vector g_;                         // A x + b
  std::vector<char> free_;           // strictly between the bounds
  Vector z_;                         // preconditioned free gradient
  Vector p_;                         // conjugate direction, zero outside the free rows
  Vector Ap_;
  Vector trial_, move_, Amove_;  // data of an expansion
  Split elsewhere_;              // contributions of the rows that are not working rows
  Split split_;
  double phi_z_ = 0.0;  // phi'z of the current iterate
  enum class Direction { fresh, conjugate, expanded } direction_ = Direction::fresh;
};

}  // namespace slipstick::internal
