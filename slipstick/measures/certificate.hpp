// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// A proof with a defect of at most this counts.
inline constexpr double certain_defect = 1e-9;

/// The defect of d as a proof that `problem` has no solution (Result::ray). A is positive semidefinite, and
/// may be nonsymmetric. d is first projected on the directions of K. What it leaves open is
///
///     v_i = (A'd)_i where x_i may grow without limit in its sign,  u = distance of G d from the directions
///     of the rows.
///
/// With s the largest of b'd + sum over bounded x_i of (A'd)_i x_i, a solution needs ||x|| ||v|| + ||y||
/// ||u||
/// >= -s. Norms are in the ruler's units: ||x|| of d_i x_i, ||y|| of ||G_i|| y_i. So every solution is larger
/// than ||b|| / defect. Infinite if s >= 0 up to rounding, or for a K with cones.
double unboundedness_defect(const Problem& problem, ConstVectorView d);

/// The defect of y as a proof that no x in K meets the linear rows (Result::farkas). With g the entries of
/// G'y that would need a bound which is not there, and
///
///     gap = least of y'r over lower <= r <= upper - largest of (G'y - g)'x over K > 0,
///
/// a feasible x has ||x|| >= gap / ||g||. The defect is ||g|| / gap times the largest distance of a bound or
/// row from the origin: every feasible x is larger than that distance / defect. Infinite if gap <= 0 up to
/// rounding, or for a K with cones.
double infeasibility_defect(const Problem& problem, ConstVectorView y);

/// Sets `result.proved`. If the status is `infeasible` or `unbounded` with a proof that is not one, the
/// status becomes `stalled`, and the proof is removed.
void check_proof(const Problem& problem, Result& result);

}  // namespace slipstick::internal
