// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tuple>

#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/linsolve/krylov/minres.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/projected/faces.hpp"

namespace slipstick {

struct GpminresSettings {
  double gradient_decrease = 0.1;  ///< eta_1 of eq. 18: share of the best decrease below which gradients end
  double krylov_decrease = 0.01;   ///< eta_2 of eq. 20, for the residual; divided by 10 while the face stands
  int gradient_steps = 10;         ///< most projected gradient steps in a row; [1, 1000]
  int krylov_steps = 10;           ///< M_max on a new face; twice as many each time it stands. Heyn 2012: 10
  bool rescale = true;             ///< on cones, move along the ray of x where its minimum is far

  static constexpr auto fields = std::tuple{
      Field{"gradient_decrease", &GpminresSettings::gradient_decrease, 0.0, 1.0,
            "eta_1: share of the best decrease below which gradient steps end"},
      Field{"krylov_decrease", &GpminresSettings::krylov_decrease, 0.0, 1.0,
            "eta_2: share of the best decrease below which MINRES ends"},
      Field{"gradient_steps", &GpminresSettings::gradient_steps, 1, 1000, "most gradient steps in a row"},
      Field{"krylov_steps", &GpminresSettings::krylov_steps, 1, 100000, "most MINRES steps on a new face"},
      Field{"rescale", &GpminresSettings::rescale, 0, 0,
            "on cones, move along the ray of x where its minimum is far"},
  };
};

struct GpminresPSettings : GpminresSettings {
  double compensation = 0.0;  ///< share of the dropped fill moved to the diagonal; [0, 1]

  static constexpr auto fields = std::tuple_cat(
      GpminresSettings::fields, std::tuple{Field{"compensation", &GpminresPSettings::compensation, 0.0, 1.0,
                                                 "share of dropped fill moved to the diagonal"}});
};

/// Gradient projection and MINRES on the face found (Heyn 2012, algorithm GPMINRES and GPMINRES-P, eq. 13-20)
/// for
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K of bounds and cones.
///
/// Projected gradient steps run until the active set stands (eq. 17) or the decrease becomes sluggish
/// (eq. 18). MINRES then reduces the gradient along the face until that becomes sluggish (eq. 20), and a
/// backtracking projected search takes x along its direction. Where the whole step was taken and the face is
/// the one before, with little left to release (the active set is the binding one), MINRES is let run longer:
/// eta_2 is reduced and the limit of its steps doubled.
///
/// On cones the face is the tangent plane along the ray of x, with the curvature of the cone, where the
/// boundary carries a load; see Faces. Its systems are singular and inconsistent, so the steps of MINRES are
/// limited, and the direction is taken only where the objective falls.
///
/// Deviations: everything in the metric of the mean block diagonals; gradient steps have a Barzilai-Borwein
/// length and an exact search along the segment, one product each, where the print has a Cauchy step and
/// halving; eq. 20 is asked of the residual, which is what MINRES minimizes. With a preconditioner (P): an
/// incomplete Cholesky factor of A made once, fixed rows masked out, where the print has a perturbed LU
/// factor of the free block on each face.
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
  Faces tangent_;  // where MINRES works
  double alpha_ = 1.0;
  double krylov_decrease_ = 0.0;
  Index krylov_steps_ = 0;
  int gradient_steps_ = 0;
  int rounded_steps_ = 0;
  bool exact_gradient_ = true;
  Vector x_, g_;
  Vector direction_;  // of the Krylov phase
  Vector load_;       // its right-hand side
  Vector d_, Ad_;     // a step
  BestIterate best_;
};

}  // namespace slipstick
