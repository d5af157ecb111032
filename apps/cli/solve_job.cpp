// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/solve_job.hpp"

#include <cmath>
#include <limits>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/measures/ruler.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal::cli {
namespace {

Condensation parse_assembly(std::string_view word) {
  if (word.empty() || word == "auto") return Condensation::by_cost;
  if (word == "yes") return Condensation::assembled;
  if (word == "no") return Condensation::implicit;
  fail("--assemble-w: '{}' is none of auto, yes, no", word);
}

void check_files(const SolveArguments& given) {
  if (!given.output.empty()) {
    check_target("--output", given.output, solution_extensions);
    check_distinct("--output", given.output, given.file);
  }
  if (!given.plot.empty()) {
    check_target("--plot", given.plot, svg_extension);
    check_distinct("--plot", given.plot, given.file);
  }
  if (given.history.empty()) return;
  check_target("--history", given.history, csv_extension);
  check_distinct("--history", given.history, given.file);
  if (!given.output.empty()) check_distinct("--history", given.history, given.output);
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
  internal::measure(problem, ruler, solution, 1, measures);
  return !std::isnan(measures.*measure.value);
}

bool fits(const MeasureName& measure, const AnyProblem& problem) {
  if (measure.value == &Measures::scaled_natural_map) return true;
  if (is_contact(classify(problem))) return measure.value == &Measures::desaxce;
  return std::visit(Overloaded{[&](const Problem& p) { return is_defined(measure, p); },
                               [](const LocalContactProblem&) { return false; },
                               [](const GlobalContactProblem&) { return false; },
                               [&](const auto& p) { return is_defined(measure, to_problem(p)); }},
                    problem);
}

}  // namespace

SolveJob::SolveJob(const SolveArguments& given) : arguments(given) {
  check_positive("--tolerance", given.tolerance);
  check_range("--threads", given.threads, 1, 1024);
  if (given.device) check_range("--device", *given.device, 0, most_devices);
  check_range("--repeat", given.repeat, 1, std::numeric_limits<int>::max());
  if (given.max_iterations)
    check_range("--max-iterations", *given.max_iterations, 1, std::numeric_limits<int>::max());
  if (given.time_limit) check_positive("--time-limit", *given.time_limit);
  check_files(given);
  request.settings.tolerance = given.tolerance;
  request.settings.threads = given.threads;
  request.settings.device = given.device.value_or(request.settings.device);
  request.settings.max_iterations = given.max_iterations.value_or(request.settings.max_iterations);
  request.settings.time_limit = given.time_limit.value_or(request.settings.time_limit);
  request.measure = given.measure;
  request.solver = given.solver;
  request.options = parse_options(given.set);
  if (!given.friction.empty()) request.friction = parse_friction(given.friction);
  request.condensation = parse_assembly(given.assemble_w);
  const Driver complains_about(request);
}

void SolveJob::check(const AnyProblem& problem) const {
  const std::string_view problem_class = name(classify(problem));
  if (!arguments.friction.empty() && !is_contact(classify(problem)))
    fail("--friction is for contact problems, and this is one of class {}", problem_class);
  if (!arguments.assemble_w.empty() && !std::holds_alternative<GlobalContactProblem>(problem))
    fail("--assemble-w is for contact problems in global form, and this is one of class {}", problem_class);
  if (!fits(*find_measure(request.measure), problem))
    fail("--measure {} is not defined for this problem of class {}", request.measure, problem_class);
}

std::optional<WarmStart> SolveJob::read_warm_start(const AnyProblem& problem) const {
  const std::string& file = arguments.warm_start;
  if (file.empty()) return std::nullopt;
  const Solution solution = about(file, [&] { return read_solution(file); });
  const bool contacts = is_contact(classify(problem));
  WarmStart start{contacts ? solution.r : solution.x};
  const auto check_size = [&](Index expected, Index joints) {
    if (start.x.size() != expected && start.x.size() != expected + joints)
      fail("{}: --warm-start has {} values of {}, but the problem needs {}", file, start.x.size(),
           contacts ? "r" : "x", expected);
  };
  std::visit(Overloaded{[&](const LocalContactProblem& p) { check_size(p.contact_rows(), p.joint_rows()); },
                        [&](const GlobalContactProblem& p) { check_size(p.contact_rows(), p.joint_rows()); },
                        [&](const auto&) { check_size(unknowns(problem), 0); }},
             problem);
  return start;
}

}  // namespace slipstick::internal::cli
