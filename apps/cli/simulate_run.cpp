// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/simulate_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include "apps/cli/progress.hpp"
#include "apps/cli/start_penetration.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"

namespace slipstick::internal::cli {

SimulateReport empty_report(const SimulateJob& job) {
  return {.scene = job.scene.name.empty() ? job.arguments.scene : job.scene.name,
          .seed = job.scene.seed,
          .law = std::string(name(job.law)),
          .solver = job.arguments.solver,
          .tolerance = job.tolerance};
}

SimulateRun::SimulateRun(const SimulateJob& job) : job_(job), simulation_(job), dumps_(job) {}

void SimulateRun::take(const Checkpoint& checkpoint, const RunReader& run) {
  std::istringstream state(checkpoint.state);
  dumps_.restore(state, checkpoint.step);
  simulation_.restore(state);
  if (simulation_.world().steps() != checkpoint.step)
    fail("the checkpoint of step {} has the state of step {}", checkpoint.step, simulation_.world().steps());
  constexpr Index at_once = 4096;
  summary_ = {};
  std::vector<StepRecord> records;
  for (Index first = 0; first < run.steps(); first += at_once) {
    run.read_steps(first, std::min(at_once, run.steps() - first), records);
    for (const StepRecord& record : records)
      if (record.number <= checkpoint.step) summary_.add(record);
  }
}

void SimulateRun::look_at(const RunReader& run) {
  if (const std::optional<Checkpoint> checkpoint = run.latest_checkpoint()) take(*checkpoint, run);
}

void SimulateRun::go_on(RunWriter writer) {
  writer_.emplace(std::move(writer));
  if (const std::optional<Checkpoint>& checkpoint = writer_->latest_checkpoint()) {
    take(*checkpoint, RunReader(job_.arguments.output));
    dumps_.prune(checkpoint->step);
    begun_ = true;
  }
}

void SimulateRun::run(const CancelOnSignal& cancel) {
  const Timer timer;
  StepProgress progress(job_.scene.name, job_.duration);
  while (!simulation_.complete()) {
    if (cancel.raised()) {
      status_ = RunStatus::cancelled;
      break;
    }
    if (!advance()) break;
    progress.show(simulation_.world().record());
  }
  finish();
  seconds_ = timer.seconds();
}

// One step. False: it is the last.
bool SimulateRun::advance() {
  Simulation::Outcome outcome;
  try {
    outcome = simulation_.step();
  } catch (const Error& error) {
    if (simulation_.world().steps() == 0) throw;  // the scene is at fault, and nothing was written
    stop_at(fmt::format("step {}: {}", simulation_.world().steps() + 1, error.what()));
    return false;
  }
  if (outcome == Simulation::Outcome::halved) return true;
  if (outcome == Simulation::Outcome::refused) {
    status_ = RunStatus::stopped;
    ++stops_;
    explain_refusal();
  }
  try {
    if (!job_.arguments.output.empty()) begin_output();
    if (outcome == Simulation::Outcome::advanced) record_step();
    dumps_.look(simulation_.world());
    if (outcome == Simulation::Outcome::advanced && writer_ &&
        simulation_.world().steps() % job_.checkpoint_every == 0)
      checkpoint();
  } catch (const Error& error) {
    stop_at(error.what());
    return false;
  }
  return outcome == Simulation::Outcome::advanced;
}

// What is complete stays.
void SimulateRun::stop_at(const std::string& reason) {
  status_ = RunStatus::stopped;
  fmt::print(stderr, "slipstick: {}\n", reason);
  try {
    if (writer_) writer_->flush();
  } catch (const Error&) {  // the reason was told
  }
  writer_.reset();
}

// The run gets its place when there is a first step to write. Until then bad input leaves nothing.
void SimulateRun::begin_output() {
  if (!begun_) dumps_.prune(0);
  begun_ = true;
  if (!writer_ && simulation_.world().steps() > 0)
    writer_.emplace(job_.arguments.output, job_.header(simulation_.world()),
                    RunWriterSettings{.force = job_.arguments.force});
}

void SimulateRun::record_step() {
  const World& world = simulation_.world();
  summary_.add(world.record());
  if (!writer_ && world.record().number != 1) return;
  world.fill(frame_);
  if (frame_.step.number == 1) warn_about_start();
  if (writer_) writer_->append(frame_);
}

void SimulateRun::checkpoint() {
  dumps_.keep();
  std::ostringstream state;
  dumps_.save(state);
  simulation_.save(state);
  const std::int64_t step = simulation_.world().steps();
  writer_->checkpoint(step, state.str());
  dumps_.prune(step + 1);  // that of a refused step is kept
}

void SimulateRun::finish() {
  try {
    if (writer_) {
      const std::optional<Checkpoint>& latest = writer_->latest_checkpoint();
      if (!latest || latest->step != simulation_.world().steps()) checkpoint();
      writer_->finish();
    } else if (begun_) {
      dumps_.keep();
    }
  } catch (const Error& error) {
    status_ = RunStatus::stopped;
    fmt::print(stderr, "slipstick: {}\n", error.what());
  }
}

void SimulateRun::warn_about_start() const {
  const std::string warning = describe_start_penetration(simulation_.world().scene(), frame_);
  if (!warning.empty()) fmt::print(stderr, "slipstick: warning: {}\n", warning);
}

void SimulateRun::explain_refusal() const {
  const World& world = simulation_.world();
  const DriverResult& result = world.result();
  fmt::print(stderr, "slipstick: step {} from {:g} s was refused: ", world.steps() + 1, world.time());
  const auto refused = std::find_if(result.islands.begin(), result.islands.end(),
                                    [](const auto& island) { return island.remedy == Remedy::refused; });
  if (result.status == Status::unsupported || refused == result.islands.end()) {
    fmt::print(stderr, "{}{}{}\n", name(result.status), result.message.empty() ? "" : ", ", result.message);
  } else {
    fmt::print(stderr, "island {} of {} contacts and {} rows misses the tolerance {:g} ({})\n",
               refused - result.islands.begin(), refused->contacts, refused->rows, job_.tolerance,
               name(refused->status));
  }
}

SimulateReport SimulateRun::report() const {
  SimulateReport report = empty_report(job_);
  report.status = status_;
  report.bodies = simulation_.world().bodies();
  report.summary = summary_;
  report.halvings = simulation_.halvings();
  report.stops = stops_;
  report.dumps = dumps_.files();
  report.seconds = seconds_;
  if (summary_.steps > 0) report.output = job_.arguments.output;  // else nothing was written
  return report;
}

}  // namespace slipstick::internal::cli
