// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <string>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/history.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/solve_job.hpp"
#include "apps/cli/solve_report.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/renamed.hpp"
#include "slipstick/error.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::cli {
namespace {

// What --json prints if a signal comes while the file is still being read.
std::string cancelled_early(const std::string& file) {
  JsonWriter json;
  json.begin_object()
      .member("file", file)
      .member("status", name(Status::cancelled))
      .member("solved", false)
      .member("message", "cancelled before the solve began")
      .end_object();
  return json.text() + "\n";
}

// Solves `repeat` times, or until cancelled; `seconds` gets the shortest time.
DriverResult solve_repeatedly(const SolveJob& job, const AnyProblem& problem, CancelOnSignal& cancel,
                              BoundedHistory& history, double& seconds) {
  const std::optional<WarmStart> warm_start = job.read_warm_start(problem);
  cancel.arm();
  CancelFlag cancel_flag(cancel.flag());
  Progress progress(job.arguments.file);
  Observers observers;
  observers.add(cancel_flag);
  observers.add(progress);
  if (!job.arguments.history.empty() || !job.arguments.plot.empty()) observers.add(history);

  DriverResult result;
  seconds = infinity;
  for (int run = 0; run < job.arguments.repeat && !(run > 0 && cancel.raised()); ++run) {
    history.clear();
    const Timer timer;
    result = solve(problem, job.request, warm_start ? &*warm_start : nullptr, &observers);
    seconds = std::min(seconds, timer.seconds());
  }
  return result;
}

// The error of every iteration beside the tolerance.
std::string draw(const BoundedHistory& history, const SolveJob& job, const DriverResult& result) {
  const CsvTable table(history.csv(), "history");
  SvgPlot plot = report::convergence_plot(table, job.request.settings.tolerance);
  plot.title =
      fmt::format("Convergence of {} on {}", result.solver.empty() ? job.request.solver : result.solver,
                  std::filesystem::path(job.arguments.file).filename().string());
  return plot.render();
}

int run_solve(const SolveJob& job) {
  const SolveArguments& arguments = job.arguments;
  CancelOnSignal cancel(arguments.json ? cancelled_early(arguments.file) : "");
  const ProblemFile input = read_input(arguments.file, arguments.type);
  Eigen::setNbThreads(arguments.threads);
  BoundedHistory history;
  double seconds = 0.0;
  const DriverResult result = about(arguments.file, [&] {
    job.check(input.problem);
    return solve_repeatedly(job, input.problem, cancel, history, seconds);
  });
  if (result.status != Status::unsupported) {
    if (!arguments.output.empty()) write_solution(arguments.output, input.problem, result);
    if (!arguments.history.empty()) write_text_atomically(arguments.history, history.csv());
    if (!arguments.plot.empty()) write_text_atomically(arguments.plot, draw(history, job, result));
  }
  const SolveReport report{arguments.file, input, job.request, arguments.repeat, seconds, result};
  fmt::print("{}", arguments.json ? to_json(report) + "\n" : to_text(report));
  return result.solved() ? exit_solved : exit_not_solved;
}

// An option that has another name now.
void add_renamed(CLI::App& command, const std::string& word) {
  command
      .add_option_function<std::string>(
          word, [word](const std::string&) { check_renamed(WordKind::argument, word); })
      ->group("");
}

}  // namespace

void add_solve_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve a problem and say how well");
  command
      ->add_option("FILE", arguments->file, "Problem: FCLib .hdf5, Siconos .dat, Matrix Market .mtx or .qps")
      ->required();
  command->add_option("--type", arguments->type, "Class of a file that does not tell (Siconos .dat)")
      ->type_name("KIND");
  command->add_option("--solver", arguments->solver, "Method (see slipstick solvers), or auto")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--friction", arguments->friction,
                   "Law of contact problems: coulomb, convex, box, box-once, diamond, none [coulomb]")
      ->type_name("LAW");
  command
      ->add_option("--assemble-w", arguments->assemble_w,
                   "Whether to assemble W = H' M^-1 H of a global form: auto, yes, no [auto]")
      ->type_name("WORD");
  add_renamed(*command, "--condense");
  command->add_option("--tolerance", arguments->tolerance, "Solved means the measure is at most this")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--measure", arguments->measure, "Error measure that judges")
      ->type_name("M")
      ->capture_default_str();
  command->add_option("--max-iterations", arguments->max_iterations, "Limit [the method's own]")
      ->type_name("N");
  command->add_option("--time-limit", arguments->time_limit, "Limit in seconds [none]")->type_name("S");
  command->add_option("--threads", arguments->threads, "Threads to compute with")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--device", arguments->device, "CUDA device to compute with, from 0 on [none]")
      ->type_name("N");
  command->add_option("--repeat", arguments->repeat, "Solve so many times, report the shortest time")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--set", arguments->set,
                   "Option of the named method, or NAME.KEY of one inside it; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--warm-start", arguments->warm_start, "Start from the solution in this file")
      ->type_name("FILE");
  command->add_option("--output", arguments->output, "Write the solution: .hdf5, .h5 or .csv")
      ->type_name("FILE");
  command->add_option("--history", arguments->history, "Write iteration,seconds,error,active")
      ->type_name("FILE.csv");
  command->add_option("--plot", arguments->plot, "Draw the error per iteration beside the tolerance")
      ->type_name("FILE.svg");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick solve problem.dat\n"
      "  slipstick solve problem.dat --type lcp --solver lemke --json\n"
      "  slipstick solve heap.mtx --solver pgs --set relaxation=1.3 --time-limit 10 --history pgs.csv\n"
      "  slipstick solve heap.mtx --plot convergence.svg\n"
      "  slipstick solve heap.mtx --output x.csv && slipstick solve heap.mtx --warm-start x.csv\n"
      "Ctrl-C ends a solve with its best answer. A second Ctrl-C ends the program.\n"
      "Exit status: 0 solved, 1 ran but not solved, 2 bad input or usage.");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_solve(SolveJob(*arguments)); }; });
}

}  // namespace slipstick::internal::cli
