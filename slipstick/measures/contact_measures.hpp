// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/component_inverse.hpp"
#include "slipstick/measures.hpp"
#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick::internal {

/// The measures of an answer (see slipstick/measures.hpp) with a ruler that was prepared for the problem.
/// Nothing is allocated if the sizes are those of the last call.
void measure(const LocalContactProblem& problem, ContactRuler& ruler, Solution& solution, int threads,
             Measures& measures);
/// What measuring a global form keeps from call to call.
struct GlobalMeasureScratch {
  ContactRuler ruler;
  Vector momentum, product, rows;
};
/// The same with a given inverse of M and diagonal of W. Nothing is allocated if the sizes are those
/// of the last call.
void measure(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
             const Vector& diagonal, GlobalMeasureScratch& scratch, Solution& solution, Measures& measures);

/// The states of contacts (see slipstick/measures.hpp) with a ruler that was prepared for the problem.
void contact_states(const LocalContactProblem& problem, FrictionLaw law, const ContactRuler& ruler,
                    const Solution& solution, std::vector<ContactState>& states);

/// The k worst contacts under a law, worst first, as r and u stand. A NaN is the worst of all.
std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k);

}  // namespace slipstick::internal
