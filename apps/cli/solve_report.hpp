// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/base/json_writer.hpp"
#include "slipstick/files.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::cli {

/// What `solve` found, as it is told to the user.
struct SolveReport {
  std::string file;
  const ProblemFile& input;
  const SolveRequest& request;
  int repeat = 1;
  double seconds = 0.0;  ///< best of the repetitions
  const DriverResult& result;
};

/// One object on one line.
std::string to_json(const SolveReport& report);
/// A few lines for people.
std::string to_text(const SolveReport& report);

/// {"scaled_natural_map": ..., ...} as a member of the writer's object; measures that are not defined are
/// left out.
void write_measures(JsonWriter& json, const Measures& measures);

}  // namespace slipstick::internal::cli
