// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"
#include "slipstick/scenes/packing.hpp"

namespace slipstick::internal::bench {

/// The impulses of a sphere packing over one time step, as one convex problem on its friction cones, or of
/// its normal impulses alone.
struct PackingProblem {
  Index contacts;
  Problem problem;
};
PackingProblem packing_problem(const PackingOptions& options, FrictionLaw law = FrictionLaw::convex);

}  // namespace slipstick::internal::bench
