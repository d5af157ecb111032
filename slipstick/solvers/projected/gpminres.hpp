// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/linsolve/krylov/minres.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/projected/faces.hpp"

namespace slipstick::internal {

/// Gradient projection and MINRES on the face found (Heyn 2012, algorithm GPMINRES and GPMINRES-P, eq.
/// 13-20):
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K of bounds and cones.
///
/// Projected gradient steps run until the active set does not change (eq. 17) or the decrease becomes slow
/// (eq. 18). MINRES then reduces the gradient along the face until that becomes slow (eq. 20). A projected
/// search with backtracking moves x along its direction. MINRES may run longer if the whole step was taken
/// and the face is unchanged, with little left to release. The active set is then the binding one. eta_2 is
/// reduced and the limit of MINRES steps is doubled.
///
/// On cones, if the boundary carries a load, the face is the tangent plane along the ray of x, with the
/// curvature of the cone. See Faces. Its systems are singular and inconsistent. The number of MINRES steps is
/// therefore limited, and the direction is taken only if the objective falls.
///
/// Deviations from the paper: All steps use the metric of the mean block diagonals. Gradient steps have a
/// Barzilai-Borwein length and an exact search along the segment, one product each. The paper has a Cauchy
/// step and halving. Eq. 20 is applied to the residual, which MINRES minimizes. The preconditioner (P) is one
/// incomplete Cholesky factor of A, with fixed rows masked out. The paper has a perturbed LU factor of the
/// free block on each face.
class Gpminres : public Solver {
 public:
  explicit Gpminres(const GpminresSettings& settings = {});
  explicit Gpminres(const GpminresPSettings& settings);
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run);
  void compute_gradient(const Run& run);
  double judge(const Run& run, Monitor& monitor);
  bool gradient_phase(const Run& run, Monitor& monitor);
  void krylov_phase(const Run& run);
  double search(const Run& run);
  bool is_binding(const Run& run);
  void rescale(const Run& run);
  double descend(const Run& run);
  void precondition(const Run& run, const Vector& r, Vector& z) const;

  GpminresPSettings settings_;
  bool preconditioned_;
  Operator seen_;  // the operator that the factor belongs to
  IncompleteCholesky factor_;
  Minres minres_;
  Faces active_;   // the face of x
  Faces tangent_;  // the face of the Krylov phase
  double alpha_ = 1.0;
  double krylov_decrease_ = 0.0;
  Index krylov_steps_ = 0;
  int gradient_steps_ = 0;
  int rounded_steps_ = 0;
  bool exact_gradient_ = true;
  Vector x_, g_;
  Vector direction_;  // direction of the Krylov phase
  Vector load_;       // right-hand side of the Krylov phase
  Vector d_, Ad_;     // a step
  BestIterate best_;
};

}  // namespace slipstick::internal
