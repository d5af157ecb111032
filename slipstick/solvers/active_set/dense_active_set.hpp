// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/active_set/active_factor.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// What the classical active-set methods share: a dense A, the held constraints with their updated factors,
/// and the steps of both methods. Constraints are numbered as in ActiveSet; a held one has the normal +c at
/// its lower bound and -c at its upper one, so that multipliers u of inequalities are nonnegative.
class DenseActiveSet {
 public:
  /// Relative distance to a bound below which a warm start counts as lying on it.
  static constexpr double touching = 1e-9;
  /// What dependent constraints may lack before they contradict each other, in units of their rounding.
  static constexpr double contradiction = 1e6;

  /// Takes the problem; A is copied and its factor computed where its storage is another one than before.
  void prepare(const Problem& problem, const Ruler& ruler);

  /// Chooses the metric of the factor. False where A + share diag(A) is not positive definite.
  bool use_matrix(double share);
  void use_diagonal();
  /// diag(A), 1 where that is not positive: the diagonal metric.
  const Vector& diagonal() const { return diagonal_; }

  /// Names the constraints that touch a bound at x within `band`, in the ruler's units.
  void name_touching(const Vector& x, double band);
  const Vector& x() const { return x_; }
  Vector& x() { return x_; }
  /// c_k'x
  double value(Index k, const Vector& x) const;
  /// The constraint that x violates most in the ruler's units, and by how much; -1 where none by more than
  /// `band`.
  struct Violation {
    Index constraint = -1;
    double size = 0.0;
  };
  Violation most_violated(double band) const;
  Index held() const { return static_cast<Index>(held_.size()); }

  // The dual method (Goldfarb and Idnani 1983).

  /// x <- the minimizer of 1/2 x'Hx + b'x, nothing held.
  void start_dual(const Vector& b);
  /// The same with the named constraints held, as far as they are independent and their multipliers not below
  /// -band.
  void start_dual_from_named(const Vector& b, double band);
  /// Moves x to where constraint k is met and held too, dropping others on the way; false where no point
  /// meets k and those held. A constraint that depends on those held and is met within `band` is left alone.
  bool hold_by_dual_steps(Index k, double band);
  /// Holds all equalities; false where they contradict each other.
  bool hold_equalities(double band);

  // The primal method.

  /// Holds what is held again, with another metric.
  void hold_again();
  /// p of the held constraints: x + p minimizes where the gradient at x is g.
  void find_step(const Vector& g, Vector& p);
  /// Multipliers u at x with gradient g.
  void find_multipliers(const Vector& g);
  /// The held inequality with the most negative multiplier in the ruler's units (the least constraint index
  /// of them where asked for); its position, -1 where none is below -band.
  Index worst_multiplier(double band, bool least_index) const;
  void drop(Index position);
  /// The largest t <= 1 with x + t p feasible, and the constraint that stops it, -1 where none does.
  struct Block {
    double step = 1.0;
    Index constraint = -1;
    int side = 0;
  };
  Block first_block(const Vector& p, bool least_index) const;
  /// Leaves the constraint alone, and returns false, where its normal depends on those held.
  bool hold(Index k, int side);

  // The answer.

  /// One step of iterative refinement of x and u on the held constraints, g the gradient at x.
  void refine(const Vector& g);
  /// Multipliers of the linear rows.
  void multipliers(Vector& y) const;
  /// Puts held unknowns on their bounds.
  void put_on_bounds();

 private:
  struct Held {
    int constraint;
    int side;
  };
  template <class Visit>
  void for_each_in_normal(Index k, int side, const Visit& visit) const;
  void transform_normal(Index k, int side);
  void append(Index k, int side, double multiplier);

  Operator a_;
  bool has_matrix_ = false;
  DenseMatrix dense_, shifted_;
  double share_ = -1.0;             // of the shift that matrix_factor_ has; negative: none
  double indefinite_share_ = -1.0;  // the largest that did not suffice
  ActiveFactor matrix_factor_, diagonal_factor_;
  ActiveFactor* factor_ = nullptr;

  const CsrMatrix* g_ = nullptr;
  ActiveSet set_;
  Vector diagonal_;
  std::vector<Held> held_;
  std::vector<char> is_held_;  // or left alone
  Vector multiplier_;          // u of those held
  Vector x_, z_, coefficients_, residual_, values_;
  std::vector<int> rows_, place_;
};

}  // namespace slipstick::internal
