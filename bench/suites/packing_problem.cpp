// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/suites/packing_problem.hpp"

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"

namespace slipstick::internal::bench {

PackingProblem packing_problem(const PackingOptions& options, FrictionLaw law) {
  const GlobalContactProblem global = sphere_packing(options);
  return {global.contacts(), impulse_problem(CondensedProblem(global).local(), law).problem};
}

}  // namespace slipstick::internal::bench
