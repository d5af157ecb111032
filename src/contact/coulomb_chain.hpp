// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb_solver.hpp"
#include "slipstick/contact/nsgs.hpp"

namespace slipstick {

/// What the chain of `auto` is made by. The defaults are fitted to measurements (bench/fit-rule).
struct CoulombRule {
  SweepPatience sweeps{.trial = 50, .newton_steps = 10.0};
  bool proximal_first = false;  ///< prox before nsn
};

/// The methods that a piece goes through under Coulomb's law, cheapest first: sweeps, which solve most pieces
/// and give the others a start, Newton's method from there, for some steps plainly and then as a proximal
/// point method, the interior point method from the cold, and again sweeps and Newton's method with more
/// patience. From a given start a few sweeps and the interior point method next to it come before all that.
CoulombSolver::Chain coulomb_chain(const CoulombRule& rule);
/// By the default rule.
CoulombSolver::Chain automatic_coulomb_chain();

}  // namespace slipstick
