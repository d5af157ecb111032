// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <vector>

#include "slipstick/io/report/contest.hpp"

namespace slipstick::internal::bench {

using report::ContestRow;

void print_row(std::FILE* csv, const ContestRow& row);
/// Fails if it is another table.
std::vector<ContestRow> read_contest(const std::filesystem::path& csv);

/// Tables for people. Per class and tolerance: the standing of every solver, and our time over the best
/// peer's on every problem. Then the answers that the published error accepts and our ruler does not, or the
/// other way round. Last the answers that a solver calls solved and the measure refutes, and what ours do not
/// solve.
void print_summary(std::FILE* out, const std::vector<ContestRow>& rows);

/// Performance profiles, STEM-CLASS-TOLERANCE.svg in `folder`.
void plot_profiles(const std::vector<ContestRow>& rows, const std::string& stem,
                   const std::filesystem::path& folder);

}  // namespace slipstick::internal::bench
