// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb_solver.hpp"

namespace slipstick {

/// The methods that `auto` takes a piece through under Coulomb's law, cheapest first: sweeps, which solve
/// most pieces and give the others a start, Newton's method from there, the interior point method from the
/// cold, and again sweeps and Newton's method with more patience.
CoulombSolver::Chain automatic_coulomb_chain();

}  // namespace slipstick
