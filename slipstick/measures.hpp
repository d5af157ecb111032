// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick {

/// Measures an answer of a contact problem from any source. r must be given. Fills u, the scaled natural map
/// and the published De Saxce error under `law`.
///
/// Local form: u = W r + q. The De Saxce error is
///     ||r - P(r - u^)|| / max(||q||, ||r||, ||u||).
/// u^ is u of the law, P the projection on cones and bounds. ||u|| is that of the contacts.
///
/// Global form: u = H'v + w + C r. If v is not given, it is computed. The De Saxce error is the sum of two
/// parts. Momentum: ||f + H r - M v|| / max(||f||, ||M v||, ||H r||).
/// Contact: ||r - P(r - u^)|| / max(||u||, ||r||, ||w||), with u and r of contacts, and w of joints.
/// The scaled natural map stays undefined if M is singular.
SLIPSTICK_EXPORT void measure(const LocalContactProblem& problem, FrictionLaw law, Solution& solution,
                              Measures& measures);
SLIPSTICK_EXPORT void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution,
                              Measures& measures);

/// states <- the state of every contact of an answer with r and u. The point r - u^ / d decides, with the d
/// of the ruler. If its projection on the set of impulses is zero, the contact is open. If the set contains
/// the point, or nearly so, the contact sticks. Otherwise it slips. In a solution every d > 0 gives the same
/// states, except in limit cases. In the global form d comes from the diagonal of M.
SLIPSTICK_EXPORT void contact_states(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, std::vector<ContactState>& states);
SLIPSTICK_EXPORT void contact_states(const GlobalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, std::vector<ContactState>& states);

}  // namespace slipstick
