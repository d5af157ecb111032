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

/// Sizes, indices and values alone: O(entries). Matrices may come from strangers: their row pointers and
/// columns are checked before they are used. A, M or W with the storage of `known` has been checked before.
Validation validate(const AnyProblem& problem, const Operator* known = nullptr);
/// validate(), then warnings about A, M or W (M of the global contact form): asymmetry above
/// symmetry_tolerance; indefiniteness of the symmetric part, smallest eigenvalue < -1e-13 largest, from the
/// eigenvalues up to 800 rows and from 60 Lanczos steps above (which see the ends of the spectrum only
/// roughly, but never warn without cause); zero rows.
Validation inspect(const AnyProblem& problem);

}  // namespace slipstick
