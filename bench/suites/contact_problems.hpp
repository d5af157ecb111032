// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal::bench {

/// A contact problem in local form. Files of one family have names that start with the same letters.
struct NamedContacts {
  std::string family, name;
  LocalContactProblem problem;
};

/// The contact problems of all files below a folder (none if it is empty), and generated families. These have
/// many sizes and coefficients of friction, with seeds from `seed` on.
std::vector<NamedContacts> contact_problems(const std::filesystem::path& folder, int seed = 1);

/// Writes the lines that `table_of` gives for each problem, `jobs` problems side by side, the last ones (the
/// largest of their families) first. Shows progress on a terminal.
void write_tables(const std::vector<NamedContacts>& problems, int jobs,
                  const std::function<std::string(const NamedContacts&)>& table_of, std::FILE* csv);

}  // namespace slipstick::internal::bench
