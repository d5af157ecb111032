// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <vector>

#include "bench/peers/statistics.hpp"

namespace slipstick::internal::bench {

inline constexpr const char* contest_header =
    "class,problem,contacts,unknowns,solver,tolerance,status,seconds,published_error,scaled_natural_map";
void print_row(std::FILE* csv, const ContestRow& row);
/// Skips lines that start with '#'. If something else is found, fails with the line.
std::vector<ContestRow> read_contest(const std::filesystem::path& csv);

/// Tables for people. Per class and tolerance: the standing of every solver, and our time over the best
/// peer's on every problem. Then the answers that the published error accepts and our ruler does not, or the
/// other way round.
void print_summary(std::FILE* out, const std::vector<ContestRow>& rows);

/// Performance profiles, STEM-CLASS-TOLERANCE.svg in `folder`.
void plot_profiles(const std::vector<ContestRow>& rows, const std::string& stem,
                   const std::filesystem::path& folder);

}  // namespace slipstick::internal::bench
