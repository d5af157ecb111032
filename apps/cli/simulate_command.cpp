// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/simulate_job.hpp"
#include "apps/cli/simulate_report.hpp"
#include "apps/cli/simulate_run.hpp"
#include "slipstick/error.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"
#include "slipstick/scene_files.hpp"

namespace slipstick::internal::cli {
namespace {

int tell(const SimulateReport& report, bool json) {
  fmt::print("{}", json ? to_json(report) + "\n" : to_text(report));
  return report.status == RunStatus::complete && report.summary.flagged == 0 ? exit_solved : exit_not_solved;
}

// What --json prints if a signal comes before the first step.
std::string early_report(const SimulateJob& job, bool json) {
  if (!json) return "";
  SimulateReport report = empty_report(job);
  report.status = RunStatus::cancelled;
  return to_json(report) + "\n";
}

int start_run(const SimulateArguments& arguments, Scene scene) {
  const SimulateJob job(arguments, std::move(scene));
  check_output(job);
  CancelOnSignal cancel(early_report(job, arguments.json));
  Eigen::setNbThreads(job.threads);
  SimulateRun run(job);
  cancel.arm();
  run.run(cancel);
  return tell(run.report(), arguments.json);
}

int start_scene(const SimulateArguments& arguments) {
  if (arguments.scene.empty()) fail("simulate: expected a scene, a scene file, --like RUN or --resume RUN");
  return start_run(arguments, named_scene(arguments));
}

// The scene and the settings of a run, but for what the command line says.
int start_like(const SimulateArguments& given, const CLI::App& command) {
  if (!given.scene.empty()) fail("--like: the scene is that of the run; {} cannot be given", given.scene);
  const std::string file = run_name(given.like);
  if (!is_run(file)) fail("--like {}: this is not a run, or it is not there", given.like);
  const RunHeader header = about(file, [&] { return RunReader(file).header(); });
  SimulateArguments arguments = about(file, [&] { return read_settings(header.settings); });
  const auto take = [&](const char* option, auto SimulateArguments::*member) {
    if (command.count(option) > 0) arguments.*member = given.*member;
  };
  take("--set", &SimulateArguments::set);
  take("--solver", &SimulateArguments::solver);
  take("--friction", &SimulateArguments::friction);
  take("--tolerance", &SimulateArguments::tolerance);
  take("--duration", &SimulateArguments::duration);
  take("--step", &SimulateArguments::step);
  take("--threads", &SimulateArguments::threads);
  take("--device", &SimulateArguments::device);
  take("--collision", &SimulateArguments::collision);
  take("--record", &SimulateArguments::record);
  take("--checkpoint", &SimulateArguments::checkpoint);
  take("--policy", &SimulateArguments::policy);
  arguments.dump = given.dump;
  arguments.output = given.output;
  arguments.force = given.force;
  arguments.json = given.json;
  if (!arguments.output.empty()) check_distinct("--output", arguments.output, file);
  return start_run(arguments, about(file, [&] { return parse_scene(header.scene, ""); }));
}

int resume_run(const SimulateArguments& arguments, const CLI::App& command) {
  const std::string file = run_name(arguments.resume);
  if (!is_run(file)) fail("--resume {}: this is not a run, or it is not there", arguments.resume);
  return about(file, [&] {
    std::optional<RunReader> reader;
    reader.emplace(file);
    SimulateArguments stored = read_settings(reader->header().settings);
    stored.output = file;
    stored.json = arguments.json;
    if (arguments.duration) stored.duration = arguments.duration;
    if (arguments.threads) stored.threads = arguments.threads;
    if (arguments.device) stored.device = arguments.device;
    if (command.count("--collision") > 0) stored.collision = arguments.collision;
    const SimulateJob job(stored, parse_scene(reader->header().scene, ""));
    CancelOnSignal cancel(early_report(job, arguments.json));
    Eigen::setNbThreads(job.threads);
    {
      SimulateRun done(job);
      done.look_at(*reader);
      const double time = done.simulation().world().time();
      if (arguments.duration && time > job.duration + 0.5 * job.step)
        fail("--duration: the run has reached {:g} s already, expected more", time);
      if (reader->finished() && done.simulation().complete()) {
        remove_leftover(file);
        return tell(done.report(), arguments.json);
      }
    }
    reader.reset();
    SimulateRun run(job);
    RunWriter writer = RunWriter::resume(file, {.any_run = true});
    writer.set_settings(job.settings());
    run.go_on(std::move(writer));
    cancel.arm();
    run.run(cancel);
    return tell(run.report(), arguments.json);
  });
}

// A run goes on with what it was started with.
void refuse_changes(const CLI::App& command) {
  constexpr std::array<std::string_view, 6> allowed = {"--resume", "--duration",  "--threads",
                                                       "--device", "--collision", "--json"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string word = option->get_name();
    if (option->count() == 0 || std::find(allowed.begin(), allowed.end(), word) != allowed.end()) continue;
    fail(
        "--resume: {} cannot be changed; the run goes on with what it was started with, and only "
        "--duration, --threads, --device and --collision may be given",
        word);
  }
}

}  // namespace

void add_simulate_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command = app.add_subcommand("simulate", "Simulate a scene and record it");
  command->add_option("SCENE", arguments->scene, "Scene (see slipstick scenes), or a scene file .json");
  command
      ->add_option("--set", arguments->set,
                   "scene.KEY=VALUE of a built-in scene, KEY=VALUE of the method; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--solver", arguments->solver, "Method (see slipstick solvers), or auto")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--friction", arguments->friction,
                   "Law: coulomb, convex, box, box-once, diamond, none [the scene's]")
      ->type_name("LAW");
  command->add_option("--tolerance", arguments->tolerance, "Of the error of an island [the scene's]")
      ->type_name("T");
  command->add_option("--duration", arguments->duration, "Simulated time in seconds [the scene's]")
      ->type_name("S");
  command->add_option("--step", arguments->step, "Time step in seconds [the scene's]")->type_name("H");
  command->add_option("--threads", arguments->threads, "Threads to compute with [1]")->type_name("N");
  command->add_option("--device", arguments->device, "CUDA device to compute with, from 0 on [none]")
      ->type_name("N");
  command
      ->add_option("--collision", arguments->collision,
                   "Where shapes near each other are found: host, device. The steps do not depend on it")
      ->type_name("PLACE")
      ->capture_default_str();
  command->add_option("--record", arguments->record, "Steps whose bodies and contacts are recorded")
      ->type_name("every:N")
      ->capture_default_str();
  command
      ->add_option("--dump", arguments->dump,
                   "Write problems of islands beside the run: worst:K, failed, every:N, step:N")
      ->type_name("RULE");
  command->add_option("--checkpoint", arguments->checkpoint, "Steps from which the run can be resumed")
      ->type_name("every:N")
      ->capture_default_str();
  command
      ->add_option("--policy", arguments->policy,
                   "What to do for a step that misses the tolerance, in order: next, loosen:FACTOR, convex, "
                   "halve, keep, stop")
      ->type_name("LIST")
      ->capture_default_str();
  command->add_flag("--force", arguments->force, "Replace a run of the same name");
  command->add_option("-o,--output", arguments->output, "Write the run: .h5 or .hdf5")->type_name("RUN");
  command
      ->add_option(
          "--resume", arguments->resume,
          "Go on with a run; only --duration, --threads, --device and --collision may be given with it")
      ->type_name("RUN");
  command
      ->add_option("--like", arguments->like,
                   "Simulate again, with the scene and the settings of a run unless others are given")
      ->type_name("RUN")
      ->excludes("--resume");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick simulate scene.json\n"
      "  slipstick simulate scene.json --duration 5 -o run.h5\n"
      "  slipstick simulate --resume run.h5 --duration 10\n"
      "  slipstick simulate --like run.h5 --dump step:123 -o again.h5\n"
      "  slipstick simulate scene.json --solver nsgs --policy next,halve,stop --dump worst:5 -o run.h5\n"
      "  slipstick solve run.dumps/step-000123-island-004.h5 --warm-start "
      "run.dumps/step-000123-island-004.h5\n"
      "Ctrl-C ends after the step with a complete run. A second Ctrl-C ends the program.\n"
      "Exit status: 0 every step is certified, 1 flagged, stopped or cancelled, 2 bad input or usage.");
  command->callback([arguments, command, &action] {
    const bool resumes = command->count("--resume") > 0;
    if (resumes) refuse_changes(*command);
    const bool like = command->count("--like") > 0;
    action = [arguments, command, resumes, like] {
      return resumes ? resume_run(*arguments, *command)
             : like  ? start_like(*arguments, *command)
                     : start_scene(*arguments);
    };
  });
}

}  // namespace slipstick::internal::cli
