// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set_polish.hpp"
#include "slipstick/solvers/pivoting/box_lcp.hpp"
#include "slipstick/solvers/pivoting/exact_lemke.hpp"
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

namespace slipstick::internal {

/// Lemke's complementary pivoting for boxed problems, A possibly nonsymmetric. The problem becomes an LCP
/// (see BoxLcp). UIC survey, sec. 3.2, Alg. 1 solves it (see LemkeTableau).
///
/// Deviations from the paper: The error of the tableau is estimated every 64 pivots and at a ray. If it is
/// large, the tableau of the basis is computed again from M and q. If a basis comes back, or if it is
/// singular, rounding has misled the method. ExactLemke then pivots from the start without rounding. If
/// rounding has made the answer of a basis inaccurate, LU with refinement solves that basis again on the
/// original problem. If that does not help, ExactLemke pivots too, or the pivoting continues from a fresh
/// tableau of that basis. A path of more than ten pivots per row is left for that of another covering vector,
/// because a path can be exponentially long. After a ray, other starting bases and covering vectors are
/// tried. A ray is reported as infeasible only if it gives a certificate v >= 0, M'v <= 0, q'v < 0. It does
/// so for copositive-plus matrices. Matrices with a positive semidefinite symmetric part belong to them.
/// Result::ray has the certificate in terms of the problem's rows. One iteration is one pivot. A warm start
/// is used only if it is a solution.
class Lemke : public Solver {
 public:
  explicit Lemke(const LemkeSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  enum class End { basis, ray, slow, lost, interrupted };

  void search(const Run& run, Monitor& monitor, double error);
  End pivot_to_the_end(const Run& run, Monitor& monitor, int patience);
  End pivot_exactly(const Run& run, Monitor& monitor);
  bool is_accurate();
  bool compute_again(const Run& run);
  void load(int turn);
  void load_first_basis();
  void choose_start(End end, int turn);
  double read_solution(const Run& run, End end);
  double judge(const Run& run);
  bool ray_proves_infeasibility();
  void keep_proof(const Run& run);

  LemkeSettings settings_;
  BoxLcp lcp_;
  LemkeTableau tableau_;
  ExactLemke exact_;
  LemkeBasis basis_;
  Vector covering_;
  std::vector<int> entering_;  // pairs whose z is basic in the first basis
  Vector ray_, w_;
  std::vector<Place> places_;
  RowSystem system_;
  ActiveSetPolish polish_;
  BestIterate best_;
};

}  // namespace slipstick::internal
