// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/active_set/active_factor.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// The common base of the classical active-set methods: a dense A, the held constraints with their updated
/// factors, and the steps of both methods. Constraints are numbered as in ActiveSet. A held one has the
/// normal +c at its lower bound and -c at its upper bound. The multipliers u of inequalities are therefore
/// nonnegative.
class DenseActiveSet {
 public:
  /// A warm start closer than this relative distance to a bound is on that bound.
  static constexpr double touching = 1e-9;
  /// Dependent constraints contradict each other if they are violated by more than this, in units of their
  /// rounding.
  static constexpr double contradiction = 1e6;

  /// Takes the problem. If the storage of A is new, A is copied and its factor computed.
  void prepare(const Problem& problem, const Ruler& ruler);

  /// Chooses the metric of the factor. Returns false if A + share diag(A) is not positive definite.
  bool use_matrix(double share);
  void use_diagonal();
  /// The diagonal metric: diag(A), or 1 if the entry is not positive.
  const Vector& diagonal() const { return diagonal_; }

  /// Names the constraints that touch a bound at x within `band`, in the ruler's units.
  void name_touching(const Vector& x, double band);
  const Vector& x() const { return x_; }
  Vector& x() { return x_; }
  /// c_k'x
  double value(Index k, const Vector& x) const;
  /// The constraint that x violates most, and its violation in the ruler's units. -1 if no violation is above
  /// `band`.
  struct Violation {
    Index constraint = -1;
    double size = 0.0;
  };
  Violation most_violated(double band) const;
  Index held() const { return static_cast<Index>(held_.size()); }

  // The dual method (Goldfarb and Idnani 1983).

  /// x <- the minimizer of 1/2 x'Hx + b'x without held constraints.
  void start_dual(const Vector& b);
  /// The same with the named constraints held, if they are independent and their multipliers are not below
  /// -band.
  void start_dual_from_named(const Vector& b, double band);
  /// Moves x until constraint k is met and held too. Other constraints may be dropped on the way. Returns
  /// false if no point meets k and the held constraints. A constraint that depends on the held ones and is
  /// met within `band` is not held.
  bool hold_by_dual_steps(Index k, double band);
  /// Holds all equalities. Returns false if they contradict each other.
  bool hold_equalities(double band);

  // The primal method.

  /// Holds the same constraints again, with another metric.
  void hold_again();
  /// p of the held constraints: x + p is the minimizer, with g the gradient at x.
  void find_step(const Vector& g, Vector& p);
  /// Computes the multipliers u at x with gradient g.
  void find_multipliers(const Vector& g);
  /// The position of the held inequality with the most negative multiplier in the ruler's units, or -1 if
  /// none is below -band. With `least_index` it is the one with the least constraint index among those below
  /// -band.
  Index worst_multiplier(double band, bool least_index) const;
  void drop(Index position);
  /// The largest t <= 1 with x + t p feasible, and the constraint that stops it, or -1 if none does.
  struct Block {
    double step = 1.0;
    Index constraint = -1;
    int side = 0;
  };
  Block first_block(const Vector& p, bool least_index) const;
  /// Holds the constraint. Returns false, and does not hold it, if its normal depends on the held normals.
  bool hold(Index k, int side);

  // Functions for the answer.

  /// One step of iterative refinement of x and u on the held constraints. g is the gradient at x.
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
  const DenseMatrix* dense_ = nullptr;  // a_, or its copy
  DenseMatrix copy_, shifted_;
  double share_ = -1.0;             // share of the shift in matrix_factor_; negative: no factor
  double indefinite_share_ = -1.0;  // the largest share that was not sufficient
  ActiveFactor matrix_factor_, diagonal_factor_;
  ActiveFactor* factor_ = nullptr;

  const CsrMatrix* g_ = nullptr;
  ActiveSet set_;
  Vector diagonal_;
  std::vector<Held> held_;
  std::vector<char> is_held_;  // held, or dependent on held constraints
  Vector multiplier_;          // multipliers u of the held constraints
  Vector x_, z_, coefficients_, residual_, values_;
};

}  // namespace slipstick::internal
