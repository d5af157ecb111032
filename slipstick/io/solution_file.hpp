// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// A Solution as files hold it: r and u of contacts, and those of joints apart from them.
struct FileSolution : Solution {
  Vector l = {};    ///< impulses of joints
  Vector u_l = {};  ///< their velocities
};
FileSolution to_file(const AnyProblem& problem, const Solution& solution);
/// r is followed by l, and u by u_l. An l without r is dropped, and so is a u_l without u.
Solution from_file(FileSolution solution);

/// The vectors of a solution and their names in files.
struct SolutionVector {
  const char* name;
  Vector FileSolution::*values;
};
inline constexpr SolutionVector solution_vectors[] = {
    {"u", &FileSolution::u},     {"r", &FileSolution::r},
    {"v", &FileSolution::v},     {"l", &FileSolution::l},
    {"u_l", &FileSolution::u_l}, {"x", &FileSolution::x},
    {"w", &FileSolution::w},     {"multipliers", &FileSolution::multipliers}};

/// Throws Error if a vector of the solution does not have the problem's size. The message starts with
/// `where`.
void check_solution_shape(const AnyProblem& problem, const Solution& solution, std::string_view where);

/// A header "row,NAME,NAME,..." and a line per row. Cells beyond the end of a shorter vector are empty. All
/// digits are written.
std::string solution_csv(const FileSolution& solution);
Solution parse_solution_csv(std::string_view text, const std::string& path);

}  // namespace slipstick::internal
