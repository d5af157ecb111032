// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// What is wrong with a problem: `defect` names the first thing that makes it meaningless (sizes, indices,
/// NaN or infinity, lower above upper, negative friction) with its position, and is empty where there is
/// none; warnings are figures about properties that some methods need.
struct Validation {
  std::string defect;
  std::vector<std::string> warnings;
  bool ok() const { return defect.empty(); }
};

/// Sizes, indices and values alone: O(entries).
Validation validate(const AnyProblem& problem);
/// validate(), then warnings about asymmetry and indefiniteness (eigenvalues up to 300 rows, a few Lanczos
/// steps above).
Validation inspect(const AnyProblem& problem);

}  // namespace slipstick
