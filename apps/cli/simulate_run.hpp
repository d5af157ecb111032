// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/cli/cancel.hpp"
#include "apps/cli/island_dumps.hpp"
#include "apps/cli/simulate_job.hpp"
#include "apps/cli/simulate_report.hpp"
#include "apps/cli/simulation.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"

namespace slipstick::internal::cli {

/// A simulation with all that it writes: the run, its checkpoints and the dumps.
class SimulateRun {
 public:
  explicit SimulateRun(const SimulateJob& job);

  /// Takes the state of the last step of a finished run, and what its steps say.
  void look_at(const RunReader& run);
  /// Goes on with a run from its latest checkpoint, or from the start if it has none.
  void go_on(RunWriter writer);
  const Simulation& simulation() const { return simulation_; }

  /// Steps until the end, a refused step or a signal. The first step that cannot be written ends it, too.
  void run(const CancelOnSignal& cancel);
  SimulateReport report() const;

 private:
  bool advance();
  void stop_at(const std::string& reason);
  void begin_output();
  void record_step();
  void checkpoint();
  void finish();
  void warn_about_start() const;
  void explain_refusal() const;
  void take(const Checkpoint& checkpoint, const RunReader& run);

  const SimulateJob& job_;
  Simulation simulation_;
  IslandDumps dumps_;
  SimulationSummary summary_;
  std::optional<RunWriter> writer_;
  bool begun_ = false;  // old dumps are removed
  Frame frame_;
  RunStatus status_ = RunStatus::complete;
  int stops_ = 0;
  double seconds_ = 0.0;
};

/// What stands in the report from the beginning.
SimulateReport empty_report(const SimulateJob& job);

}  // namespace slipstick::internal::cli
