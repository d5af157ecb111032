// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/body_problem.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// rows <- the rows of an island, in order. `island_of` has the island of each row.
void find_island_rows(std::span<const int> island_of, int island, std::vector<int>& rows);

/// part <- these rows of a problem, all but W. Contacts are there with all their rows, and come before joints
/// as in the whole. Allocates nothing if the last part had the same sizes.
void copy_island(const LocalContactProblem& whole, std::span<const int> rows, LocalContactProblem& part);

/// The same as a problem of its own, with assembled W.
LocalContactProblem assembled_island(const BodyProblem& bodies, std::span<const int> rows);

}  // namespace slipstick::internal
