// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/simulate_job.hpp"
#include "slipstick/run.hpp"

namespace slipstick::internal::cli {

/// What the steps of a simulation say together.
class SimulationSummary {
 public:
  void add(const StepRecord& record);
  /// The sum of all works that no cause explains, the largest over the run, relative to the largest energy.
  double energy_error() const;

  std::int64_t steps = 0;
  std::int64_t flagged = 0;
  double time = 0.0;
  double worst_error = 0.0;
  Index contacts_max = 0;
  int islands_max = 0;
  double penetration_max = 0.0;
  double joint_error_max = 0.0;
  double momentum_error = 0.0;
  std::array<std::int64_t, 6> remedies = {};  ///< islands by Remedy

 private:
  double unexplained_ = 0.0, most_unexplained_ = 0.0, largest_energy_ = 0.0;
};

enum class RunStatus { complete, stopped, cancelled };
constexpr std::string_view name(RunStatus status) {
  constexpr std::string_view names[] = {"complete", "stopped", "cancelled"};
  return names[static_cast<int>(status)];
}

/// What `simulate` did, as it is told to the user.
struct SimulateReport {
  std::string scene;
  std::uint64_t seed = 0;
  std::string law;
  std::string solver;
  double tolerance = 0.0;
  RunStatus status = RunStatus::complete;
  int bodies = 0;
  SimulationSummary summary = {};
  std::int64_t halvings = 0;
  int stops = 0;
  std::vector<std::string> dumps = {};
  double seconds = 0.0;
  std::string output = {};  ///< empty: none
};

/// One object on one line.
std::string to_json(const SimulateReport& report);
/// A few lines for people.
std::string to_text(const SimulateReport& report);

}  // namespace slipstick::internal::cli
