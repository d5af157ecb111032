// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "bench/peers/contest.hpp"
#include "slipstick/io/report/contest.hpp"

namespace slipstick::internal::bench {

using report::ContestRow;

/// What an answer is judged by: the error that peers report, our ruler, or the larger of the two.
enum class ContestMeasure { published, natural_map, both };

struct ContestOptions {
  std::vector<double> tolerances = {1e-4, 1e-8};
  ContestMeasure measure = ContestMeasure::published;
  double time_limit = 20.0;  ///< seconds a solve may take
  /// A peer may take so many times what the best peer takes (and always shortest_limit); 0: no such limit.
  double patience = 20.0;
  /// A peer may take so many times what the best of ours takes (and always shortest_limit); 0: no such limit.
  double lead = 0.0;
  double shortest_limit = 0.1;  ///< s
  int repetitions = 3;          ///< turns, the best counts
  double long_solve = 1.0;      ///< seconds; a solver that took longer gets no more turns
  double batch_seconds = 0.01;  ///< short solves are timed together
};

/// Runs all contestants that take a problem, in turns. Reports a row for each of them and every tolerance,
/// when it is known. Every contestant gets the loosest tolerance of its own with which its answer meets the
/// one asked for. A peer's may be a hundred times looser than the one asked for, ours may not be looser.
void run_contest(const ContestProblem& problem, const std::vector<Contestant>& contestants,
                 const ContestOptions& options, const std::function<void(const ContestRow&)>& report);

}  // namespace slipstick::internal::bench
