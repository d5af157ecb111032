// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/progress.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/base/utf8.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/report/report_page.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/io/svg_plot.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> files;
  std::string solvers;
  std::string friction = std::string(name(FrictionLaw::coulomb));
  double tolerance = 1e-8;
  double time_limit = 10.0;
  int repeat = 1;
  std::optional<int> device;
  std::string output_dir;
  std::string csv;
  std::string svg;
  std::string report;
  bool json = false;
};

// One method on one file.
struct Trial {
  std::size_t file = 0;
  std::string solver;
  Status status = Status::not_run;
  std::int64_t iterations = 0;
  double seconds = 0.0;  ///< best of the repetitions
  double error = 0.0;    ///< scaled natural map
  std::string message;
  bool solved() const { return status == Status::solved; }
};

struct Comparison {
  std::vector<std::string> names;  ///< of the files
  std::vector<ProblemFile> files;
  FrictionLaw law = FrictionLaw::coulomb;
  std::vector<std::string> solvers;
  std::vector<Trial> trials;
};

void check_arguments(CompareArguments& arguments) {
  check_positive("--tolerance", arguments.tolerance);
  check_positive("--time-limit", arguments.time_limit);
  check_range("--repeat", arguments.repeat, 1, std::numeric_limits<int>::max());
  if (arguments.device) {
    check_range("--device", *arguments.device, 0, most_devices);
    if (const std::string reason = explain_wrong_device(*arguments.device); !reason.empty())
      fail("--device: {}", reason);
  }
  if (!arguments.output_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.output_dir, error);
    if (error) fail("--output-dir {}: cannot be created: {}", arguments.output_dir, error.message());
    arguments.csv = (std::filesystem::path(arguments.output_dir) / "compare.csv").string();
    arguments.svg = (std::filesystem::path(arguments.output_dir) / "profile.svg").string();
    arguments.report = (std::filesystem::path(arguments.output_dir) / "report.html").string();
  }
  if (!arguments.csv.empty()) check_target("--csv", arguments.csv, csv_extension);
  if (!arguments.svg.empty()) check_target("--svg", arguments.svg, svg_extension);
  if (!arguments.report.empty()) check_target("--output-dir", arguments.report, html_extensions);
}

std::vector<std::string> choose_solvers(const std::string& list, FrictionLaw law) {
  std::vector<std::string> solvers;
  if (list.empty()) {
    const auto is_here = [](const auto& row) { return !row.needs_device || device_info().usable(); };
    for (const CatalogRow& row : catalog()) {
      if (is_here(row)) solvers.emplace_back(row.name);
    }
    for (const ContactMethod& row : contact_methods()) {
      if (is_here(row) && takes_contacts(law, 2, row.name)) solvers.emplace_back(row.name);
    }
    return solvers;
  }
  for (std::string& solver : split_list("--solvers", list)) {
    check_solver(solver, law);
    if (std::find(solvers.begin(), solvers.end(), solver) != solvers.end()) {
      fail("--solvers: {} is given twice", solver);
    }
    solvers.push_back(std::move(solver));
  }
  return solvers;
}

// Whether the method is one for this class of problem, contacts under the law.
bool is_offered(const std::string& solver, ProblemClass problem_class, FrictionLaw law, bool asked_for) {
  if (solver == "auto") return true;
  if (is_contact(problem_class) && !is_convex(law)) {
    if (!asked_for && find_contact_method(solver) == nullptr) return false;
    const bool plane = problem_class == ProblemClass::contact2d || problem_class == ProblemClass::global2d;
    return takes_contacts(law, plane ? 2 : 3, solver);
  }
  const CatalogRow* row = find_solver(solver);
  return row != nullptr &&
         std::find(row->classes.begin(), row->classes.end(), problem_class) != row->classes.end();
}

Trial run_trial(const CompareArguments& arguments, const Comparison& comparison, std::size_t file,
                const std::string& solver, const CancelOnSignal& cancel) {
  SolveRequest request{.solver = solver, .friction = comparison.law};
  request.settings.tolerance = arguments.tolerance;
  request.settings.time_limit = arguments.time_limit;
  request.settings.device = arguments.device.value_or(request.settings.device);

  CancelFlag cancel_flag(cancel.flag());
  Progress progress(comparison.names[file] + ", " + solver);
  Observers observers;
  observers.add(cancel_flag);
  observers.add(progress);
  Trial trial{.file = file, .solver = solver, .seconds = infinity, .message = {}};
  for (int run = 0; run < arguments.repeat && !(run > 0 && cancel.raised()); ++run) {
    const Timer timer;
    const DriverResult result = about(comparison.names[file], [&] {
      return solve(comparison.files[file].problem, request, nullptr, &observers);
    });
    trial.status = result.status;
    trial.iterations = result.counts.iterations;
    trial.error = result.measures.scaled_natural_map;
    trial.message = result.message;
    trial.seconds = std::min(trial.seconds, timer.seconds());
    if (!trial.solved()) break;
  }
  return trial;
}

// Every file is read before the first solve, so that a bad one is told at once.
Comparison compare(const CompareArguments& arguments, CancelOnSignal& cancel) {
  Comparison comparison;
  comparison.names = arguments.files;
  comparison.law = parse_friction(arguments.friction);
  comparison.solvers = choose_solvers(arguments.solvers, comparison.law);
  for (const std::string& file : arguments.files) comparison.files.push_back(read_input(file, ""));

  cancel.arm();
  for (std::size_t file = 0; file < comparison.files.size(); ++file) {
    const ProblemClass problem_class = classify(comparison.files[file].problem);
    for (const std::string& solver : comparison.solvers) {
      if (!is_offered(solver, problem_class, comparison.law, !arguments.solvers.empty())) continue;
      comparison.trials.push_back(run_trial(arguments, comparison, file, solver, cancel));
      if (cancel.raised()) return comparison;
    }
  }
  // Methods that none of the files was for are not worth a line.
  std::erase_if(comparison.solvers, [&](const std::string& solver) {
    return std::none_of(comparison.trials.begin(), comparison.trials.end(),
                        [&](const Trial& trial) { return trial.solver == solver; });
  });
  return comparison;
}

// Columns as wide as their widest cell; numbers are aligned to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
  std::vector<std::size_t> width(right.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += right[c] ? fmt::format("{:>{}}", row[c], width[c]) : fmt::format("{:<{}}", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// The trials with the fastest of each file first.
std::vector<Trial> ranked(std::vector<Trial> trials) {
  std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
    if (a.file != b.file) return a.file < b.file;
    if (a.solved() != b.solved()) return a.solved();
    return a.seconds < b.seconds;
  });
  return trials;
}

struct Score {
  std::string solver;
  int solved = 0;   ///< files
  int fastest = 0;  ///< of those
};

std::vector<Score> scores_of(const Comparison& comparison) {
  std::vector<Score> scores;
  for (const std::string& solver : comparison.solvers) scores.push_back({.solver = solver});
  const std::vector<Trial> trials = ranked(comparison.trials);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    if (!trials[t].solved()) continue;
    Score& score = *std::find_if(scores.begin(), scores.end(),
                                 [&](const Score& s) { return s.solver == trials[t].solver; });
    ++score.solved;
    if (t == 0 || trials[t - 1].file != trials[t].file) ++score.fastest;
  }
  return scores;
}

bool all_solved(const Comparison& comparison) {
  std::vector<bool> solved(comparison.files.size(), false);
  for (const Trial& trial : comparison.trials) solved[trial.file] = solved[trial.file] || trial.solved();
  return std::find(solved.begin(), solved.end(), false) == solved.end();
}

// One line per trial, then one per method.
std::string to_text(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"file", "class", "n", "solver", "status", "iterations", "time", "scaled natural map"}};
  for (const Trial& trial : ranked(comparison.trials)) {
    const AnyProblem& problem = comparison.files[trial.file].problem;
    const bool ran = trial.status != Status::unsupported;
    rows.push_back({comparison.names[trial.file], std::string(name(classify(problem))),
                    fmt::format("{}", unknowns(problem)), trial.solver, std::string(name(trial.status)),
                    ran ? fmt::format("{}", trial.iterations) : "-",
                    ran ? format_seconds(trial.seconds) : "-",
                    ran ? fmt::format("{:.2e}", trial.error) : "-"});
  }
  std::string text = aligned(rows, {false, false, true, false, false, true, true, true});

  rows = {{"solver", "solved", "fastest"}};
  for (const Score& score : scores_of(comparison)) {
    rows.push_back({score.solver, fmt::format("{}/{}", score.solved, comparison.files.size()),
                    fmt::format("{}", score.fastest)});
  }
  return text + "\n" + aligned(rows, {false, true, true});
}

std::string to_csv(const Comparison& comparison, double tolerance) {
  std::string text = std::string(report::comparison_header) + "\n";
  for (const Trial& trial : comparison.trials) {
    const AnyProblem& problem = comparison.files[trial.file].problem;
    append_format(text, "{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(comparison.names[trial.file]),
                  name(classify(problem)), unknowns(problem), nonzeros(problem), trial.solver, tolerance,
                  name(trial.status), trial.solved(), trial.iterations, trial.seconds, trial.error,
                  csv_cell(trial.message));
  }
  return text;
}

// The profile that a report of the table has.
std::string to_svg(const report::ReportPart& part) {
  for (const report::Figure& figure : part.figures)
    if (figure.name == "profile") return figure.svg;
  return SvgPlot{.title = "Performance profile: nothing was run", .x_label = {}, .y_label = {}}.render();
}

std::string to_json(const CompareArguments& arguments, const Comparison& comparison) {
  JsonWriter json;
  json.begin_object()
      .member_list("files", comparison.names)
      .member("friction", name(comparison.law))
      .member("tolerance", arguments.tolerance)
      .member("time_limit", arguments.time_limit)
      .member("repeat", arguments.repeat)
      .key("trials")
      .begin_array();
  for (const Trial& trial : comparison.trials) {
    const AnyProblem& problem = comparison.files[trial.file].problem;
    json.begin_object()
        .member("file", comparison.names[trial.file])
        .member("class", name(classify(problem)))
        .member("n", unknowns(problem))
        .member("nnz", nonzeros(problem))
        .member("solver", trial.solver)
        .member("status", name(trial.status))
        .member("solved", trial.solved())
        .member("iterations", trial.iterations)
        .member("seconds", trial.seconds)
        .member("scaled_natural_map", trial.error)
        .member("message", trial.message)
        .end_object();
  }
  json.end_array().key("solvers").begin_array();
  for (const Score& score : scores_of(comparison)) {
    json.begin_object()
        .member("name", score.solver)
        .member("solved", score.solved)
        .member("fastest", score.fastest)
        .end_object();
  }
  json.end_array()
      .member("solved", all_solved(comparison))
      .member_or_null("csv", arguments.csv)
      .member_or_null("svg", arguments.svg)
      .member_or_null("report", arguments.report)
      .end_object();
  return json.text();
}

// What --json prints if a signal comes while the files are being read.
std::string cancelled_early() {
  return JsonWriter().begin_object().member("status", name(Status::cancelled)).end_object().text() + "\n";
}

void write_files(const CompareArguments& arguments, const Comparison& comparison) {
  if (arguments.csv.empty() && arguments.svg.empty()) return;
  const std::string csv = to_csv(comparison, arguments.tolerance);
  if (!arguments.csv.empty()) write_text_atomically(arguments.csv, csv);
  std::vector<report::ReportPart> parts;
  parts.emplace_back(CsvTable(valid_utf8(csv), "compare.csv"), "compare.csv");
  if (!arguments.svg.empty()) write_text_atomically(arguments.svg, to_svg(parts.front()));
  if (!arguments.report.empty())
    write_text_atomically(arguments.report, report::report_page(parts, "Slipstick: comparison of methods"));
}

// 0 if every file was solved by some method.
int run_compare(CompareArguments arguments) {
  check_arguments(arguments);
  CancelOnSignal cancel(arguments.json ? cancelled_early() : "");
  const Comparison comparison = compare(arguments, cancel);
  write_files(arguments, comparison);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, comparison));
  } else {
    fmt::print("{}", to_text(comparison));
    if (!arguments.csv.empty()) fmt::print("\nwrote {}\n", arguments.csv);
    if (!arguments.svg.empty()) fmt::print("wrote {}\n", arguments.svg);
    if (!arguments.report.empty()) fmt::print("wrote {}\n", arguments.report);
  }
  return all_solved(comparison) ? exit_solved : exit_not_solved;
}

}  // namespace

void add_compare_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Every applicable method on every file, side by side");
  command->add_option("FILE", arguments->files, "Problem files")->required();
  command->add_option("--solvers", arguments->solvers, "Methods, separated by commas; auto is one [all]")
      ->type_name("A,B,C");
  command->add_option("--friction", arguments->friction, "Law of contact problems, as for solve")
      ->type_name("LAW")
      ->capture_default_str();
  command->add_option("--tolerance", arguments->tolerance, "Of the scaled natural map")
      ->type_name("T")
      ->capture_default_str();
  command->add_option("--time-limit", arguments->time_limit, "Seconds for one solve")
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--repeat", arguments->repeat, "Solve so many times, take the shortest")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--device", arguments->device, "CUDA device to compute with, from 0 on [none]")
      ->type_name("N");
  CLI::Option* folder = command
                            ->add_option("--output-dir", arguments->output_dir,
                                         "Write compare.csv, profile.svg and report.html here")
                            ->type_name("DIR");
  command->add_option("--csv", arguments->csv, "Write the results")->type_name("FILE.csv")->excludes(folder);
  command->add_option("--svg", arguments->svg, "Draw the performance profile")
      ->type_name("FILE.svg")
      ->excludes(folder);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick compare a.mtx b.mtx\n"
      "  slipstick compare *.dat --solvers lemke,pgs,auto --repeat 3 --output-dir comparison\n"
      "Exit status: 0 every file was solved by some method, 1 not, 2 bad input or usage.");
  command->callback([arguments, &action] { action = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace slipstick::internal::cli
