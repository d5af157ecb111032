// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/active_set/dense_active_set_solver.hpp"

namespace slipstick::internal {

/// The dual active-set method of Goldfarb and Idnani (1983; Litven 2013, section 2.3) for
///
///     minimize 1/2 x'Ax + b'x  over bounds of x and  lower <= G x <= upper,   A positive definite.
///
/// It starts at the minimizer without constraints, which is dual feasible. It adds one violated constraint
/// after the other, the most violated first. Constraints whose multipliers would become negative are dropped.
/// The objective rises with every step, so the method cannot cycle. If a violated constraint depends on the
/// held ones and none of them can be dropped, the problem has no feasible point. The factors are updated
/// (ActiveFactor). One iteration adds one constraint.
///
/// A warm start holds the constraints at their bounds at once, if they are independent and their multipliers
/// have the right signs. The answer is refined on the set found.
class DualAsm : public DenseActiveSetSolver {
 public:
  explicit DualAsm(const DualAsmSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void start(const Run& run);

  DualAsmSettings settings_;
};

}  // namespace slipstick::internal
