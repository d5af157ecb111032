// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"
#include "slipstick/solve/solver.hpp"

// Quadratic programs with linear rows and known answers, for every method that takes them.
namespace slipstick::internal::row_cases {

/// The problem with lower <= G x <= upper.
Problem with_rows(Problem problem, const DenseMatrix& g, const Vector& lower, const Vector& upper);
/// 1/2 |x|^2 + b'x over K.
Problem identity(const Vector& b, ProductSet K);

/// The point of the simplex next to (1, 0.5, -1).
void expect_projection_on_the_simplex(Solver& solver);
/// 1 <= x_0 + x_1 <= 2, active from below, from above and not at all.
void expect_rows_to_hold_at_either_bound(Solver& solver);
/// Bounds of every kind, condition 1e4, five seeds; x to 1e-9. Returns the factorizations it took.
std::int64_t expect_known_boxes(Solver& solver, Index rows);

}  // namespace slipstick::internal::row_cases
