// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// The vectors of a Solution and their names in files.
struct SolutionVector {
  const char* name;
  Vector Solution::*values;
};
inline constexpr SolutionVector solution_vectors[] = {{"u", &Solution::u},
                                                      {"r", &Solution::r},
                                                      {"v", &Solution::v},
                                                      {"l", &Solution::l},
                                                      {"x", &Solution::x},
                                                      {"w", &Solution::w},
                                                      {"multipliers", &Solution::multipliers}};

/// Throws Error if a vector of the solution does not have the problem's size. The message starts with
/// `where`.
void check_solution_shape(const AnyProblem& problem, const Solution& solution, std::string_view where);

/// A header "row,NAME,NAME,..." and a line per row. Cells beyond the end of a shorter vector are empty. All
/// digits are written.
std::string solution_csv(const Solution& solution);
Solution parse_solution_csv(std::string_view text, const std::string& path);

}  // namespace slipstick::internal
