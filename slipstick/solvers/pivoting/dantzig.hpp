// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include "slipstick/linsolve/dense/growing_ldl.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"
#include "slipstick/solvers/pivoting/friction_shift.hpp"

namespace slipstick::internal {

/// Incremental pivoting, the method of most game physics engines, for
///     minimize 1/2 x'Ax + b'x,  lower <= x <= upper,   A symmetric positive semidefinite
/// (Cottle and Dantzig 1968; Baraff 1994, sec. 4).
///
/// Rows are taken one by one. While w_i has the wrong sign, x_i is driven towards w_i = 0, the free rows
/// before it moving along so that their w stays 0; the way ends where w_i vanishes, where x_i meets a bound,
/// where a free row meets one and becomes tight, or where the w of a tight row vanishes and it becomes free.
/// Every row that was taken keeps its conditions. The factor of the free rows is dense, and grows and shrinks
/// by a row at a time. One iteration is one such step.
///
/// Beyond Baraff: free and two-sided rows, warm starts (the free rows of the start are solved for, those that
/// leave their bounds are put there, and what is wrong then is driven), ties by least index, and passes over
/// the rows that rounding has left wrong, with w and the free rows computed anew. A row that depends on the
/// free ones stays where it is, its w being zero with theirs.
class Dantzig : public Solver {
 public:
  explicit Dantzig(const DantzigSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  /// What ends a step.
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
  std::vector<int> position_;   // of a row among them, -1
  std::vector<char> taken_;     // keeps its conditions
  std::vector<char> passed_;    // does not end steps for now: the factor has refused it
  BestIterate best_;
  Vector x_, w_;                 // w of the shifted problem, up to date with x
  Vector diagonal_, direction_;  // of A; of x
  Vector change_;                // of w per unit of the direction
  Vector coupling_;              // with the free rows, in the order of the factor
  Index rest_ = 0;               // steps of no length in a row
};

}  // namespace slipstick::internal
