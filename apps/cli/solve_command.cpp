// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/friction_words.hpp"
#include "apps/cli/history.hpp"
#include "apps/cli/json_writer.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/solve_report.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/catalog/driver.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/files.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::cli {
namespace {

struct SolveArguments {
  std::string file;
  std::string type;
  std::string solver = "auto";
  std::string friction;
  std::string condense;
  double tolerance = 1e-8;
  std::string measure = "scaled_natural_map";
  std::optional<int> max_iterations;
  std::optional<double> time_limit;
  int threads = 1;
  int repeat = 1;
  std::vector<std::string> set;
  std::string warm_start;
  std::string output;
  std::string history;
  bool json = false;
};

// key=value, each key once.
Options parse_options(const std::vector<std::string>& pairs) {
  Options options;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) fail("--set: '{}' is not key=value", pair);
    const std::string key = pair.substr(0, equals);
    if (!options.emplace(key, pair.substr(equals + 1)).second) fail("--set: {} is given twice", key);
  }
  return options;
}

void check_measure(std::string_view word) {
  const MeasureName* measure = find_measure(word);
  if (measure != nullptr && measure->judges) return;
  std::vector<std::string_view> names;
  for (const MeasureName& known : measure_names()) {
    if (known.judges) names.push_back(known.name);
  }
  fail("--measure: '{}' {}; it may be: {}", word,
       measure == nullptr ? "is not known" : "does not tell whether a problem is solved",
       fmt::join(names, ", "));
}

// Complains about the method and its options as far as that is possible before the file is read: without a
// law the problem may be of any class.
void check_method(const SolveRequest& request, const FrictionWord* friction) {
  const FrictionLaw law = friction != nullptr ? friction->law : FrictionLaw::coulomb;
  const bool pair = request.solver.find('+') != std::string::npos;
  if (request.solver != "auto" && !pair) check_solver_name(request.solver, law);
  if (friction == nullptr) {
    if (request.solver == "auto" || is_contact_solver(law, request.solver)) return;
    make_solver(request.solver, request.options);
  } else if (!is_convex(law)) {
    make_contact_solver(law, 2, request.solver, request.options);
  } else if (request.solver != "auto") {
    make_solver(request.solver, request.options);
  }
}

Condensation condensation(std::string_view word) {
  if (word == "auto") return Condensation::by_cost;
  if (word == "yes") return Condensation::assembled;
  if (word == "no") return Condensation::implicit;
  fail("--condense: '{}' is none of auto, yes, no", word);
}

// Everything about the command line that can be wrong without looking at the file.
SolveRequest check_arguments(const SolveArguments& arguments) {
  check_positive("--tolerance", arguments.tolerance);
  check_range("--threads", arguments.threads, 1, 1024);
  check_range("--repeat", arguments.repeat, 1, std::numeric_limits<int>::max());
  if (arguments.max_iterations) {
    check_range("--max-iterations", *arguments.max_iterations, 1, std::numeric_limits<int>::max());
  }
  if (arguments.time_limit) check_positive("--time-limit", *arguments.time_limit);
  check_measure(arguments.measure);
  if (!arguments.friction.empty()) friction_law(arguments.friction);
  if (!arguments.output.empty()) {
    check_target("--output", arguments.output, solution_extensions);
    check_distinct("--output", arguments.output, arguments.file);
  }
  if (!arguments.history.empty()) {
    check_target("--history", arguments.history, csv_extension);
    check_distinct("--history", arguments.history, arguments.file);
    if (!arguments.output.empty()) check_distinct("--history", arguments.history, arguments.output);
  }

  SolveRequest request;
  if (!arguments.condense.empty()) request.condensation = condensation(arguments.condense);
  request.settings.tolerance = arguments.tolerance;
  request.settings.threads = arguments.threads;
  request.settings.max_iterations = arguments.max_iterations.value_or(request.settings.max_iterations);
  request.settings.time_limit = arguments.time_limit.value_or(request.settings.time_limit);
  request.measure = arguments.measure;
  request.solver = arguments.solver;
  request.options = parse_options(arguments.set);
  if (arguments.friction == "staggered") request.solver = staggered_solver(request.solver);
  if (request.solver == "auto" && !request.options.empty()) {
    fail("--set {}: with --solver auto it is not known which method the option is for; name one",
         arguments.set.front());
  }
  check_method(request, find_friction(arguments.friction));
  return request;
}

bool has_contacts(const AnyProblem& problem) {
  return std::holds_alternative<LocalContactProblem>(problem) ||
         std::holds_alternative<GlobalContactProblem>(problem);
}

// Whether the measure has a value at some point of K.
bool is_defined(const MeasureName& measure, const Problem& problem) {
  Solution solution;
  solution.x = Vector::Zero(problem.b.size());
  problem.K.project(solution.x);
  if (problem.rows) solution.multipliers = Vector::Zero(problem.rows->lower.size());
  Ruler ruler;
  ruler.prepare(problem);
  Measures measures;
  slipstick::measure(problem, ruler, solution, 1, measures);
  return !std::isnan(measures.*measure.value);
}

// Complains about a measure that no answer could have.
void check_measure_fits(const SolveArguments& arguments, const AnyProblem& problem) {
  const MeasureName& measure = *find_measure(arguments.measure);
  if (measure.value == &Measures::scaled_natural_map) return;
  const bool of_contacts = measure.value == &Measures::desaxce;
  const bool fits = std::visit(Overloaded{[&](const LocalContactProblem&) { return of_contacts; },
                                          [&](const GlobalContactProblem&) { return of_contacts; },
                                          [&](const Problem& p) { return is_defined(measure, p); },
                                          [&](const auto& complementarity) {
                                            return is_defined(measure, to_problem(complementarity));
                                          }},
                               problem);
  if (fits) return;
  fail("{}: --measure {} is not defined for this problem of class {}", arguments.file, arguments.measure,
       name(classify(problem)));
}

// The law in force, nullptr where the problem has no contacts.
const FrictionWord* choose_friction(const SolveArguments& arguments, const AnyProblem& problem) {
  const bool contacts = has_contacts(problem);
  if (!contacts && !arguments.friction.empty()) {
    fail("{}: --friction is for contact problems, and this is one of class {}", arguments.file,
         name(classify(problem)));
  }
  if (!contacts && find_solver(arguments.solver) == nullptr && arguments.solver != "auto") {
    fail("{}: --solver {} is for contact problems, and this is one of class {}", arguments.file,
         arguments.solver, name(classify(problem)));
  }
  if (!contacts) return nullptr;
  return find_friction(arguments.friction.empty() ? default_friction : arguments.friction);
}

Index bilateral_rows(const AnyProblem& problem) {
  return std::visit(
      Overloaded{[](const LocalContactProblem& p) { return p.bilateral ? p.bilateral->s.size() : 0; },
                 [](const GlobalContactProblem& p) { return p.bilateral ? p.bilateral->b.size() : 0; },
                 [](const auto&) { return Index{0}; }},
      problem);
}

// The unknowns that a solution offers: impulses of contact problems, x of the others. Those of bilateral rows
// come along where the law has a method that starts from them.
WarmStart read_warm_start(const std::string& file, const AnyProblem& problem, FrictionLaw law) {
  const Solution solution = about(file, [&] { return read_solution(file); });
  const auto contact_rows = [](const auto& p) { return p.contacts() * p.dimension; };
  const bool contacts = has_contacts(problem);
  const Index expected = std::visit(Overloaded{[&](const LocalContactProblem& p) { return contact_rows(p); },
                                               [&](const GlobalContactProblem& p) { return contact_rows(p); },
                                               [&](const auto&) { return unknowns(problem); }},
                                    problem);
  WarmStart warm_start;
  warm_start.x = contacts ? solution.r : solution.x;
  if (warm_start.x.size() != expected) {
    fail("{}: --warm-start has {} values of {}, and the problem asks for {}", file, warm_start.x.size(),
         contacts ? "r" : "x", expected);
  }
  if (contacts && !is_convex(law) && solution.l.size() == bilateral_rows(problem)) {
    warm_start.x.conservativeResize(expected + solution.l.size());
    warm_start.x.tail(solution.l.size()) = solution.l;
  }
  return warm_start;
}

// What --json prints where a signal comes while the file is still being read.
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
DriverResult solve_repeatedly(const SolveArguments& arguments, const AnyProblem& problem,
                              const SolveRequest& request, CancelOnSignal& cancel, BoundedHistory& history,
                              double& seconds) {
  std::optional<WarmStart> warm_start;
  if (!arguments.warm_start.empty())
    warm_start = read_warm_start(arguments.warm_start, problem, request.friction);

  cancel.arm();
  CancelFlag cancel_flag(cancel.flag());
  Progress progress(arguments.file);
  Observers observers;
  observers.add(cancel_flag);
  observers.add(progress);
  if (!arguments.history.empty()) observers.add(history);

  DriverResult result;
  seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < arguments.repeat && !(run > 0 && cancel.raised()); ++run) {
    history.clear();
    const Timer timer;
    result = about(arguments.file,
                   [&] { return solve(problem, request, warm_start ? &*warm_start : nullptr, &observers); });
    seconds = std::min(seconds, timer.seconds());
  }
  return result;
}

int run_solve(const SolveArguments& arguments) {
  SolveRequest request = check_arguments(arguments);
  CancelOnSignal cancel(arguments.json ? cancelled_early(arguments.file) : "");
  const ProblemFile input = read_input(arguments.file, arguments.type);
  const FrictionWord* friction = choose_friction(arguments, input.problem);
  check_measure_fits(arguments, input.problem);
  if (!arguments.condense.empty() && !std::holds_alternative<GlobalContactProblem>(input.problem)) {
    fail("{}: --condense is for contact problems in global form, and this is one of class {}", arguments.file,
         name(classify(input.problem)));
  }
  Eigen::setNbThreads(arguments.threads);

  DriverResult result;
  BoundedHistory history;
  double seconds = 0.0;
  if (friction != nullptr) request.friction = friction->law;
  result = solve_repeatedly(arguments, input.problem, request, cancel, history, seconds);

  if (result.status != Status::unsupported) {
    if (!arguments.output.empty()) write_solution(arguments.output, input.problem, result);
    if (!arguments.history.empty()) write_text_atomically(arguments.history, history.csv());
  }
  const SolveReport report{arguments.file,   input,   request, friction ? std::string(friction->word) : "",
                           arguments.repeat, seconds, result};
  fmt::print("{}", arguments.json ? to_json(report) + "\n" : to_text(report));
  return result.solved() ? exit_solved : exit_not_solved;
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
                   "Law of contact problems: none, convex, coulomb, staggered, diamond, box [coulomb]")
      ->type_name("LAW");
  command
      ->add_option("--condense", arguments->condense,
                   "Whether to assemble W = H' M^-1 H of a global form: auto, yes, no [auto]")
      ->type_name("WORD");
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
  command->add_option("--repeat", arguments->repeat, "Solve so many times, report the shortest time")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--set", arguments->set, "Option of the named method; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--warm-start", arguments->warm_start, "Start from the solution in this file")
      ->type_name("FILE");
  command->add_option("--output", arguments->output, "Write the solution: .hdf5, .h5 or .csv")
      ->type_name("FILE");
  command->add_option("--history", arguments->history, "Write iteration,seconds,error,active")
      ->type_name("FILE.csv");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick solve problem.dat\n"
      "  slipstick solve problem.dat --type lcp --solver lemke --json\n"
      "  slipstick solve heap.mtx --solver pgs --set relaxation=1.3 --time-limit 10 --history pgs.csv\n"
      "  slipstick solve heap.mtx --output x.csv && slipstick solve heap.mtx --warm-start x.csv\n"
      "Ctrl-C ends a solve with the best it has; a second one ends the program.\n"
      "Exit status: 0 solved, 1 ran but not solved, 2 bad input or usage.");
  command->callback([arguments, &action] { action = [arguments] { return run_solve(*arguments); }; });
}

}  // namespace slipstick::cli
