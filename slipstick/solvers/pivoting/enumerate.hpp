// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "slipstick/linsolve/dense/column_qr.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set_polish.hpp"
#include "slipstick/solvers/pivoting/scaled_box.hpp"

namespace slipstick::internal {

/// Tries the active sets of a boxed problem one by one (Murty 1988, sec. 1.1: the complementary bases), A
/// possibly nonsymmetric. Each bounded row is at its lower bound, between its bounds, or at its upper bound.
/// For each such set, the linear system of the unknown x and w is solved. The first set whose solution passes
/// the measure is the answer.
///
/// The search is depth first, one row after the other. It tries the choice first that the starting point
/// suggests. Systems with the same leading columns share the QR factorization of these columns. A singular
/// system has a family of solutions. The member with the least violation of bounds and signs is taken. This
/// also finds solutions without a regular basis. One iteration is one active set.
///
/// The status is infeasible if all sets failed and none was nearly singular.
class Enumerate : public Solver {
 public:
  explicit Enumerate(const EnumerateSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  enum class Choice : signed char { at_origin, between, at_end };

  void prepare(const Run& run);
  void order_choices();
  bool search(const Run& run, Monitor& monitor, Index bounded_row);
  void choose(Index k, Choice choice, Index level);
  double candidate(const Run& run);
  void reduce_violation();
  double violation();
  double judge(const Run& run);

  EnumerateSettings settings_;
  ScaledBox box_;
  ColumnQr qr_;
  DenseMatrix right_side_;  // column k: the right side after the reflections of the first k columns
  Vector column_;
  std::vector<Choice> choices_;                // per row of box_
  std::vector<std::array<Choice, 3>> orders_;  // per bounded row: the order in which to try
  double least_independence_ = 1.0;

  // The unknown z or w of each row of box_ in the order of the columns, and its bounds.
  Vector y_, low_, high_, excess_, trial_, step_;
  DenseMatrix null_space_, hessian_;

  std::vector<Place> places_;
  Vector x_, w_;
  RowSystem system_;
  ActiveSetPolish polish_;
  BestIterate best_;
};

}  // namespace slipstick::internal
