// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/projected/faces.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"

namespace slipstick::internal {

/// The method of Kucera (Heyn 2012, algorithm KUCERA; Kucera 2008; Dostal and Kozubek 2012):
///     minimize 1/2 x'Ax + b'x over x in K,   A symmetric positive semidefinite, K of bounds and cones.
///
/// The projected gradient is split into phi, along the face of x, and beta, the other part. While ||beta|| <=
/// Gamma ||phi||, conjugate gradients run on the face, and a step that leaves K expands the active set.
/// Otherwise a projected gradient step (proportioning) changes the face. On bounds the method is Mprgp, and
/// Mprgp runs.
///
/// The face of a cone is its apex, the ray through x on the boundary, or the interior. Deviations from the
/// paper: The metric is the mean block diagonals. Projected gradient steps have a Barzilai-Borwein length and
/// an exact line search instead of 1 / ||A||. An expansion projects the whole conjugate gradient step if that
/// descends. x moves to the minimum along its ray, as in Apgd.
class Kucera : public Mprgp {
 public:
  explicit Kucera(const KuceraSettings& settings = {});
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void prepare(const Run& run);
  void split(const Run& run);
  bool conjugate_gradient_or_expansion(const Run& run);
  bool project_whole_step(const Run& run, double step);
  bool projected_gradient_step(const Run& run);
  void move(double step);

  KuceraSettings settings_;
  Faces faces_;
  Faces::Split split_;
  double alpha_ = 1.0;  // length of the next projected gradient step
  int gradient_steps_ = 0;
  int rounded_steps_ = 0;
  double previous_ = 0.0;  // phi'D^-1 phi of the direction before; 0: restart
  Vector x_, g_, phi_;
  Vector p_, Ap_;  // conjugate direction
  Vector d_, Ad_;  // a step
  BestIterate best_;
};

}  // namespace slipstick::internal
