// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/progress.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/atomic_file.hpp"
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
  std::string output_dir;
  std::string csv;
  std::string svg;
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
  if (!arguments.output_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.output_dir, error);
    if (error) fail("--output-dir {}: cannot be created: {}", arguments.output_dir, error.message());
    arguments.csv = (std::filesystem::path(arguments.output_dir) / "compare.csv").string();
    arguments.svg = (std::filesystem::path(arguments.output_dir) / "profile.svg").string();
  }
  if (!arguments.csv.empty()) check_target("--csv", arguments.csv, csv_extension);
  if (!arguments.svg.empty()) check_target("--svg", arguments.svg, svg_extension);
}

std::vector<std::string> choose_solvers(const std::string& list, FrictionLaw law) {
  std::vector<std::string> solvers;
  if (list.empty()) {
    for (const CatalogRow& row : catalog()) solvers.emplace_back(row.name);
    for (const ContactMethod& row : contact_methods()) {
      if (takes_contacts(law, 2, row.name)) solvers.emplace_back(row.name);
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

// One line per trial, the fastest of each file first, then one per method.
std::string to_text(const Comparison& comparison) {
  std::vector<Trial> trials = comparison.trials;
  std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
    if (a.file != b.file) return a.file < b.file;
    if (a.solved() != b.solved()) return a.solved();
    return a.seconds < b.seconds;
  });
  std::vector<std::vector<std::string>> rows = {
      {"file", "class", "n", "solver", "status", "iterations", "time", "scaled natural map"}};
  std::map<std::string, std::pair<int, int>> score;  // solved, fastest
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    const AnyProblem& problem = comparison.files[trial.file].problem;
    const bool ran = trial.status != Status::unsupported;
    rows.push_back({comparison.names[trial.file], std::string(name(classify(problem))),
                    fmt::format("{}", unknowns(problem)), trial.solver, std::string(name(trial.status)),
                    ran ? fmt::format("{}", trial.iterations) : "-",
                    ran ? format_seconds(trial.seconds) : "-",
                    ran ? fmt::format("{:.2e}", trial.error) : "-"});
    if (!trial.solved()) continue;
    ++score[trial.solver].first;
    if (t == 0 || trials[t - 1].file != trial.file) ++score[trial.solver].second;
  }
  std::string text = aligned(rows, {false, false, true, false, false, true, true, true});

  rows = {{"solver", "solved", "fastest"}};
  for (const std::string& solver : comparison.solvers) {
    rows.push_back({solver, fmt::format("{}/{}", score[solver].first, comparison.files.size()),
                    fmt::format("{}", score[solver].second)});
  }
  return text + "\n" + aligned(rows, {false, true, true});
}

// A CSV field (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::string to_csv(const Comparison& comparison, double tolerance) {
  std::string text =
      "file,class,n,nnz,solver,tolerance,status,solved,iterations,seconds,scaled_natural_map,message\n";
  for (const Trial& trial : comparison.trials) {
    const AnyProblem& problem = comparison.files[trial.file].problem;
    append_format(text, "{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(comparison.names[trial.file]),
                  name(classify(problem)), unknowns(problem), nonzeros(problem), trial.solver, tolerance,
                  name(trial.status), trial.solved(), trial.iterations, trial.seconds, trial.error,
                  quoted(trial.message));
  }
  return text;
}

// Performance profile (Dolan and More 2002): for each method the share of the files it solves within 2^x
// times the time of the fastest.
std::string to_svg(const Comparison& comparison) {
  std::vector<double> fastest(comparison.files.size(), infinity);
  for (const Trial& trial : comparison.trials) {
    if (trial.solved()) fastest[trial.file] = std::min(fastest[trial.file], trial.seconds);
  }
  SvgPlot plot;
  plot.title = fmt::format("Performance profile of {}", format_count(comparison.files.size(), "problem"));
  plot.x_label = "log2(time / time of the fastest)";
  plot.y_label = "share solved";
  double rightmost = 1.0;
  std::map<std::string, std::vector<double>> ratios;
  for (const Trial& trial : comparison.trials) {
    std::vector<double>& list = ratios[trial.solver];  // made also if nothing is solved
    if (!trial.solved()) continue;
    list.push_back(trial.seconds > 0.0 ? std::log2(trial.seconds / fastest[trial.file]) : 0.0);
    rightmost = std::max(rightmost, list.back());
  }
  for (const std::string& solver : comparison.solvers) {
    if (!ratios.contains(solver)) continue;
    std::vector<double>& list = ratios[solver];
    std::sort(list.begin(), list.end());
    SvgPlot::Series series{.label = solver, .x = {0.0}, .y = {0.0}, .steps = true};
    for (std::size_t i = 0; i < list.size(); ++i) {
      series.x.push_back(list[i]);
      series.y.push_back(static_cast<double>(i + 1) / static_cast<double>(comparison.files.size()));
    }
    series.x.push_back(1.05 * rightmost);
    series.y.push_back(series.y.back());
    plot.series.push_back(std::move(series));
  }
  return plot.render();
}

// 0 if every file was solved by some method.
int run_compare(CompareArguments arguments) {
  check_arguments(arguments);
  CancelOnSignal cancel("");
  const Comparison comparison = compare(arguments, cancel);
  if (!arguments.csv.empty()) write_text_atomically(arguments.csv, to_csv(comparison, arguments.tolerance));
  if (!arguments.svg.empty()) write_text_atomically(arguments.svg, to_svg(comparison));
  fmt::print("{}", to_text(comparison));
  if (!arguments.csv.empty()) fmt::print("\nwrote {}\n", arguments.csv);
  if (!arguments.svg.empty()) fmt::print("wrote {}\n", arguments.svg);

  std::vector<bool> solved(comparison.files.size(), false);
  for (const Trial& trial : comparison.trials) solved[trial.file] = solved[trial.file] || trial.solved();
  return std::find(solved.begin(), solved.end(), false) == solved.end() ? exit_solved : exit_not_solved;
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
  CLI::Option* folder =
      command->add_option("--output-dir", arguments->output_dir, "Write compare.csv and profile.svg here")
          ->type_name("DIR");
  command->add_option("--csv", arguments->csv, "Write the results")->type_name("FILE.csv")->excludes(folder);
  command->add_option("--svg", arguments->svg, "Draw the performance profile")
      ->type_name("FILE.svg")
      ->excludes(folder);
  command->footer(
      "Examples:\n"
      "  slipstick compare a.mtx b.mtx\n"
      "  slipstick compare *.dat --solvers lemke,pgs,auto --repeat 3 --output-dir comparison\n"
      "Exit status: 0 every file was solved by some method, 1 not, 2 bad input or usage.");
  command->callback([arguments, &action] { action = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace slipstick::internal::cli
