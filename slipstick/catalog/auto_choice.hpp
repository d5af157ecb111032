// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// One step of the chain that `auto` works through.
struct AutoStep {
  std::string_view solver;
  int max_iterations;  ///< its budget where others follow; 0: the method's own limit
  std::string_view reason;
};

/// The methods that `auto` tries on a problem, in order, chosen by class, size and structure. A method that
/// turns out not to support the problem is passed over.
std::vector<AutoStep> auto_choice(const Problem& problem);

}  // namespace slipstick
