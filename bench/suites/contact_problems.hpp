// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/problems/problem.hpp"

namespace slipstick::bench {

/// A contact problem in local form. Files of one family have names that start with the same letters.
struct NamedContacts {
  std::string family, name;
  LocalContactProblem problem;
};

/// The contact problems of all files below a folder (none if it is empty), and generated families of many
/// sizes and coefficients of friction.
std::vector<NamedContacts> contact_problems(const std::filesystem::path& folder);

}  // namespace slipstick::bench
