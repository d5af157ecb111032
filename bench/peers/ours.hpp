// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/peers/contest.hpp"

namespace slipstick::internal::bench {

struct OurTerms {
  bool published = true;      ///< contact is solved to the published error alone
  bool new_matrices = false;  ///< every solve has another matrix and load than the one before
  bool cold = false;          ///< every solve has a new driver, which knows nothing of the solves before
};

/// Our side under its name at the command line: `auto`, or what a SolveRequest takes for a solver. Contact is
/// solved under Coulomb's law. Fails if there is no such solver.
void add_ours(const std::string& solver, const OurTerms& terms, std::vector<Contestant>& contestants);

}  // namespace slipstick::internal::bench
