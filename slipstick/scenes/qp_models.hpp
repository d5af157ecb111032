// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

// Models of applications with random data. Portfolio, lasso, svm and huber are those of Stellato et al. 2020
// (OSQP, appendix A) with ten data points per unknown and about ten entries per point.

/// Linear-quadratic optimal control over `steps`: six masses between two walls, with springs and dampers, and
/// three forces between masses (Wang and Boyd 2010). The masses follow a sine. Their places are within 4 and
/// the forces within 0.5. The steps are implicit, so the masses at rest always meet the bounds.
Problem mass_chain(Index steps, std::uint64_t seed);

/// Shares x >= 0 of n assets with sum 1, minimize x'D x + y'y - mu'x, y = F'x with one factor per hundred
/// assets. F is half full, so the rows are dense.
Problem portfolio(Index assets, std::uint64_t seed);

/// minimize ||y||^2 + lambda 1't,  y = A x - b,  -t <= x <= t
Problem lasso(Index features, std::uint64_t seed);

/// minimize ||x||^2/2 + 1't,  t >= diag(labels) A x + 1,  t >= 0
Problem support_vectors(Index features, std::uint64_t seed);

/// minimize ||u||^2 + 2 1'(r + s),  A x - b - u = r - s,  r, s >= 0: a fit by Huber's function
Problem huber_fit(Index features, std::uint64_t seed);

}  // namespace slipstick::internal
