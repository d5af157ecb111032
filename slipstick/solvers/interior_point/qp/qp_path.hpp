// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solvers/interior_point/qp/qp_system.hpp"
#include "slipstick/solvers/interior_point/qp/standard_qp.hpp"

namespace slipstick::internal {

/// The central path of a StandardQp, followed by a predictor, a corrector (Mehrotra 1992) and corrections of
/// centrality (Gondzio 1996; Colombo and Gondzio 2008).
///
/// v = (x, s) are the unknowns and the activities s = G x + E y of the rows with unequal bounds. Their forces
/// are f = (H x + c - G'y, y). A finite bound b of v_k, on the side sigma = +-1, has a slack t > 0 and a
/// multiplier z > 0:
///
///     sigma (v_k - b) = t,    f_k = sum of sigma z over its bounds,    t z = target.
///
/// A point need not be feasible: every equation above has a residual, which a full step removes. An iteration
/// eliminates t, z and s from Newton's equations, and factorizes the QpSystem that is left.
class QpPath {
 public:
  /// Takes a problem with lower < upper and a system that is prepared for it. Keeps pointers to both.
  void prepare(const StandardQp& qp, QpSystem& system);
  /// Chooses a point whose multipliers are at least as large. If the multipliers of the solution are large, a
  /// small point needs many iterations. Returns false if the system has no factor.
  bool start(double least_multiplier = 10.0);
  /// Begins near the solution of a similar problem. Slacks and multipliers are shifted into the interior by
  /// the error of the point, so that a bound may become active, or inactive, within a few iterations.
  void start_near(ConstVectorView x, const Vector& y);
  /// Makes one iteration. Returns false if the point cannot be improved.
  bool step(int correctors);

  ConstVectorView x() const { return v_.head(n_); }
  const Vector& y() const { return y_; }
  /// Mean product of slacks and multipliers.
  double gap() const { return gap_; }
  /// Length of the last step, at most 1.
  double step_length() const { return step_length_; }
  /// Greatest residual of the equations of values and of forces.
  double value_residual() const { return value_residual_; }
  double force_residual() const { return force_residual_; }
  /// f, and whether a bound of v_k is active: its multiplier is larger than its slack. -1 lower, 1 upper.
  int active_side(Index k) const;

 private:
  struct Bound {
    int index;
    double side;  // sigma
    double value;
  };
  struct Direction {
    Vector v, y, t, z;
    void resize(Index values, Index rows, Index bounds);
    void combine(const Direction& first, double weight, const Direction& second);
  };

  void list_bounds();
  void lift_slacks(double least_multiplier);
  double half_way(const Bound& bound) const;
  void find_residuals();
  bool factorize();
  void solve(const Vector& products, bool with_residuals, Direction& direction);
  double longest_step(const Direction& direction) const;
  double add_corrector();
  void correct_centrality(double target, int correctors, double& length);

  const StandardQp* qp_ = nullptr;
  QpSystem* system_ = nullptr;
  Index n_ = 0, m_ = 0;
  std::vector<Bound> bounds_;
  std::vector<int> first_bound_;  // of v_k
  Vector v_, y_, t_, z_;
  Vector forces_, values_;                                       // f, and G x + E y
  Vector force_errors_, value_errors_, bound_errors_, changes_;  // residuals
  Vector stiffness_, diagonal_, compliance_, right_side_;        // sum of z / t of v_k; data of the system
  Vector pull_, products_;
  Direction predictor_, corrector_, direction_, trial_;
  double gap_ = 0.0, step_length_ = 0.0, value_residual_ = 0.0, force_residual_ = 0.0;
};

}  // namespace slipstick::internal
