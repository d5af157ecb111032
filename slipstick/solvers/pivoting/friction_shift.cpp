// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/friction_shift.hpp"

#include "slipstick/base/append_format.hpp"

namespace slipstick::internal {

void FrictionShift::reset(const Problem& problem, const FrictionShiftSettings& settings) {
  settings_ = settings;
  enabled_ = settings.regularization > 0.0;
  active_ = false;
  largest_ = 0.0;
  rows_ = 0;
  amounts_.setZero(problem.b.size());
  if (!enabled_) return;
  const auto n = static_cast<std::size_t>(problem.b.size());
  friction_.assign(n, 0);
  pivots_.assign(n, 0);
  limit_.assign(n, settings.pivot_limit);
  for (const SetBlock& block : problem.K.blocks()) {
    if (block.role != Role::friction) continue;
    std::fill_n(friction_.begin() + block.start, block.size, char{1});
  }
}

void FrictionShift::drop() {
  active_ = enabled_ = false;
  amounts_.setZero();
}

void FrictionShift::describe(Result& result) const {
  append_format(result.message, "{} friction rows were shifted by up to {:.1e} of their diagonal, {}", rows_,
                largest_, active_ ? "to the end" : "not at the end");
}

}  // namespace slipstick::internal
