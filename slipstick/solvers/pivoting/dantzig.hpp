// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linsolve/dense/growing_ldl.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Incremental pivoting, the method of most physics engines for games:
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Cottle and Dantzig 1968; Baraff 1994, sec. 4).
///
/// Rows are taken one by one. While w_i has the wrong sign, x_i is driven towards w_i = 0. The free rows
/// before it move along, so that their w stays 0. A step ends if w_i vanishes or x_i meets a bound. It also
/// ends if a free row meets a bound and becomes tight. If the w of a tight row vanishes, the step ends and
/// that row becomes free. Every taken row keeps its conditions. The factor of the free rows is dense. It
/// grows and shrinks by one row at a time. One iteration is one such step.
///
/// Additions to Baraff: free and two-sided rows, warm starts, and ties by least index. A warm start solves
/// for its free rows, puts rows beyond a bound on that bound, and drives the rows that are then wrong.
/// Further passes go over the rows that are wrong because of rounding, with w and the free rows computed
/// again. A row that depends on the free rows does not become free, because its w vanishes together with
/// theirs.
class Dantzig : public Solver {
 public:
  explicit Dantzig(const DantzigSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  /// The event that ends a step.
  struct Event {
    double length;
    int row;
    enum class Kind { none, driven_vanishes, driven_at_bound, free_at_bound, tight_vanishes } kind;
  };

  void prepare(const Run& run, Monitor& monitor);
  void start_from_set(const Run& run);
  void solve_free_rows(const Run& run);
  void evaluate(const Run& run);
  double error(const Run& run);
  Index find_wrong_rows(const Run& run);
  double violation(const Run& run, Index row) const;
  bool drive(const Run& run, Monitor& monitor, int row);
  void find_direction(const Run& run, int row, double sign);
  Event first_event(const Run& run, int row, double sign) const;
  void apply(const Run& run, const Event& event, int row, double sign);
  bool free_row(int row);
  void tighten_row(int row, Place place);
  double diagonal(int row) const { return diagonal_[row] + friction_.amounts()[row]; }
  void gather_coupling(int row);

  DantzigSettings settings_;
  Operator seen_;
  std::shared_ptr<const CsrMatrix> matrix_;
  ActiveSet set_;
  FrictionShift friction_;
  GrowingLdl factor_;
  std::vector<int> free_rows_;  // in the order of the factor
  std::vector<int> position_;   // place of a row in free_rows_, or -1
  std::vector<char> taken_;     // the row keeps its conditions
  std::vector<char> passed_;    // the row does not end steps for now, because the factor refused it
  BestIterate best_;
  Vector x_, w_;                 // w of the shifted problem, up to date with x
  Vector diagonal_, direction_;  // diagonal of A; direction of x
  Vector change_;                // change of w per unit of the direction
  Vector coupling_;              // entries of a row with the free rows, in the order of the factor
  Index rest_ = 0;               // consecutive steps of length zero
};

}  // namespace slipstick::internal
