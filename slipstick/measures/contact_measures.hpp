// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/component_inverse.hpp"
#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick {

/// Contact problems: fills u, then the scaled natural map and the published De Saxce error under `law`. r
/// (and l where there are bilateral rows) must be given. See ContactRuler for the scaled natural map.
///
/// Local form: u = W r + V l + q. De Saxce error: ||(r - P(r - u^), V'r + R l + s)|| / max(||q||, ||r||,
/// ||u||), where u^ is u of the law, P the projection on the cones; with bilateral rows (q, s) and (r, l)
/// stand for q and r.
///
/// Global form: v is taken where it is given, and else solved for; u = H'v + w. De Saxce error:
/// ||f + H r + G l - M v|| / max(||f||, ||M v||, ||H r||, ||G l||)
/// + ||(r - P(r - u^), G'v + b)|| / max(||u||, ||r||, ||b||).
/// The scaled natural map stays undefined where M is singular.
void measure(const LocalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);
void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);

/// The same with a ruler that was prepared for the problem: nothing is allocated
/// where there are no bilateral rows and u has its size.
void measure(const LocalContactProblem& problem, const ContactRuler& ruler, Solution& solution,
             Measures& measures);
/// What measuring a global form keeps from call to call.
struct GlobalMeasureScratch {
  ContactRuler ruler;
  Vector momentum, product, rows;
};
/// The same with the inverse of M and the diagonal of H' M^-1 H at hand: nothing is allocated where there are
/// no bilateral rows and the sizes are those of the last call.
void measure(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
             const Vector& diagonal, GlobalMeasureScratch& scratch, Solution& solution, Measures& measures);

/// The k worst contacts under a law, worst first, as r and u stand. A NaN is the worst of all.
std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k);

}  // namespace slipstick
