// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The study of the UIC survey, section 5: ten thousand pressure problems at several resolutions, solved by
// its six methods, and by ours.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr const char* survey_and_ours[] = {"pgs",    "pgs-sm", "pjacobi", "pjacobi-sm", "mprgp",
                                           "pmprgp", "auto",   "gp-sm",   "newton-fb"};

constexpr std::int64_t hopeless_after = 5;  // problems of a resolution without one solved

// A method with the workspace it keeps from problem to problem; `auto` is the driver, which keeps nothing.
struct Method {
  StudyRow row;
  std::unique_ptr<Solver> solver;
  Result result;

  bool done() const { return !row.outcome.empty(); }
};

std::vector<std::string> chosen_solvers(const StudyOptions& options) {
  if (!options.solvers.empty()) return options.solvers;
  std::vector<std::string> names;
  for (const char* name : survey_and_ours) {
    if (std::string_view(name) == "auto" || find_solver(name) != nullptr) names.emplace_back(name);
  }
  return names;
}

std::vector<Method> make_methods(const StudyOptions& options, int resolution) {
  std::vector<Method> methods;
  for (const std::string& name : chosen_solvers(options)) {
    Method& method = methods.emplace_back();
    method.row.solver = name;
    method.row.dimension = options.dimension;
    method.row.resolution = resolution;
    if (name != "auto") method.solver = make_solver(name);
  }
  return methods;
}

void solve_one(Method& method, const AnyProblem& problem, const StudyOptions& options) {
  const Settings settings{.tolerance = options.tolerance, .time_limit = options.time_limit};
  const Timer timer;
  if (method.solver) {
    method.solver->solve(std::get<Problem>(problem), settings, method.result);
  } else {
    method.result = solve(problem, {.settings = settings});
  }
  const double seconds = timer.seconds();

  StudyRow& row = method.row;
  if (method.result.status == Status::unsupported) {
    row.outcome = "unsupported";
    return;
  }
  ++row.finished;
  row.solved += method.result.solved();
  row.seconds += seconds;
  row.iterations += method.result.counts.iterations;
  row.products += method.result.counts.products;
  row.worst_error = std::max(row.worst_error, method.result.measures.scaled_natural_map);
  if (row.seconds > options.budget && row.finished < row.problems) row.outcome = "over budget";
  if (row.solved == 0 && row.finished == hopeless_after) row.outcome = "none solved";
}

void show_progress(const std::vector<Method>& methods, std::int64_t problem) {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal) return;
  const StudyRow& first = methods.front().row;
  fmt::print(stderr, "\r\033[K{}^{}: {} of {}", first.resolution, first.dimension, problem, first.problems);
  for (const Method& method : methods)
    fmt::print(stderr, "  {} {:.1f} s", method.row.solver, method.row.seconds);
  if (problem == first.problems) fmt::print(stderr, "\n");
}

std::vector<StudyRow> study_resolution(const StudyOptions& options, int resolution) {
  std::vector<Method> methods = make_methods(options, resolution);
  UicOptions uic{.dimension = options.dimension, .resolution = resolution};
  const std::int64_t problems =
      options.problems > 0 ? options.problems : default_problems(options.dimension, resolution);
  for (Method& method : methods) method.row.problems = problems;
  for (std::int64_t k = 0; k < problems; ++k) {
    uic.seed = options.seed + static_cast<std::uint64_t>(k);
    const AnyProblem problem = uic_pressure(uic);
    // Another method goes first each time.
    for (std::size_t turn = 0; turn < methods.size(); ++turn) {
      Method& method = methods[(turn + static_cast<std::size_t>(k)) % methods.size()];
      method.row.unknowns = unknowns(problem);
      if (!method.done()) solve_one(method, problem, options);
    }
    if (k % std::max<std::int64_t>(1, problems / 100) == 0) show_progress(methods, k);
  }
  show_progress(methods, problems);

  std::vector<StudyRow> rows;
  for (Method& method : methods) {
    if (!method.done()) method.row.outcome = "complete";
    rows.push_back(method.row);
  }
  return rows;
}

}  // namespace

int default_problems(int dimension, int resolution) {
  if (dimension == 2) return resolution <= 32 ? 10000 : 100;
  if (resolution <= 32) return 10;
  return resolution <= 64 ? 3 : 1;
}

void run_study(const StudyOptions& options, std::FILE* csv) {
  for (const std::string& name : chosen_solvers(options)) {
    if (name != "auto") make_solver(name);  // fails early if there is no such method
  }
  fmt::print(
      csv, "# tolerance {:g} of the scaled natural map, {:g} s per solve, {:g} s per method and resolution\n",
      options.tolerance, options.time_limit, options.budget);
  print_header(csv);
  std::vector<StudyRow> all;
  for (const int resolution : options.resolutions) {
    for (const StudyRow& row : study_resolution(options, resolution)) {
      print_row(csv, row);
      all.push_back(row);
    }
  }
  for (const std::string& solver : solvers_in(all)) {
    const double growth = iteration_growth(rows_of(all, solver));
    if (std::isfinite(growth))
      fmt::print(csv, "# iterations of {} grow as unknowns^{:.3f}\n", solver, growth);
  }
}

}  // namespace slipstick::internal::bench
