// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/solve.hpp"

namespace slipstick::internal::cli {

/// What the user typed after `solve`.
struct SolveArguments {
  std::string file;
  std::string type;
  std::string solver = "auto";
  std::string friction;
  std::string assemble_w;
  double tolerance = 1e-8;
  std::string measure = "scaled_natural_map";
  std::optional<int> max_iterations;
  std::optional<double> time_limit;
  int threads = 1;
  std::optional<int> device;
  int repeat = 1;
  std::vector<std::string> set;
  std::string warm_start;
  std::string output;
  std::string history;
  std::string plot;
  bool json = false;
};

/// What it means. The constructor complains about everything that can be wrong without looking at the file,
/// check() about what does not fit the problem in it. Nothing else complains about arguments.
struct SolveJob {
  explicit SolveJob(const SolveArguments& given);
  void check(const AnyProblem& problem) const;
  /// The solution in the file of --warm-start: impulses of contact problems, x of the others.
  std::optional<WarmStart> read_warm_start(const AnyProblem& problem) const;

  SolveArguments arguments;  ///< as given
  SolveRequest request;
};

}  // namespace slipstick::internal::cli
