// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/solve_report.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr Index worst_shown = 3;

// The rows (or contacts) that keep an iterate from being a solution.
std::vector<WorstRow> worst(const AnyProblem& problem, FrictionLaw law, const Solution& solution) {
  const auto of_rows = [&](const Problem& p) {
    if (solution.x.size() != p.b.size() || solution.w.size() != p.b.size()) return std::vector<WorstRow>{};
    return worst_rows(p, solution, worst_shown);
  };
  return std::visit(
      Overloaded{[&](const Problem& p) { return of_rows(p); },
                 [&](const LocalContactProblem& p) {
                   if (solution.r.size() != p.q.size() || solution.u.size() != p.q.size()) {
                     return std::vector<WorstRow>{};
                   }
                   return worst_contacts(p, law, solution, worst_shown);
                 },
                 [&](const GlobalContactProblem&) { return std::vector<WorstRow>{}; },
                 [&](const auto& complementarity) { return of_rows(to_problem(complementarity)); }},
      problem);
}

// How many contacts are in each state. Empty if there are no contacts, or no answer.
std::vector<Index> count_states(const SolveReport& report) {
  const DriverResult& result = report.result;
  if (!result.law || result.r.size() == 0 || result.u.size() != result.r.size()) return {};
  std::vector<ContactState> states;
  std::visit(
      Overloaded{[&](const auto&) {},
                 [&](const LocalContactProblem& p) { contact_states(p, *result.law, result, states); },
                 [&](const GlobalContactProblem& p) { contact_states(p, *result.law, result, states); }},
      report.input.problem);
  std::vector<Index> counts(3);
  for (const ContactState state : states) ++counts[static_cast<std::size_t>(state)];
  return counts;
}

// The measure that judged first, then those that most people look at.
std::vector<const MeasureName*> key_measures(const SolveReport& report) {
  std::vector<const MeasureName*> list;
  for (const std::string_view name :
       {std::string_view(report.request.measure), std::string_view("scaled_natural_map"),
        std::string_view("natural_map"), std::string_view("complementarity_gap"),
        std::string_view("linear_rows"), std::string_view("desaxce"), std::string_view("objective")}) {
    const MeasureName* measure = find_measure(name);
    if (measure == nullptr || std::isnan(report.result.measures.*(measure->value))) continue;
    if (std::find(list.begin(), list.end(), measure) == list.end()) list.push_back(measure);
  }
  return list;
}

// Whether a method had something to do. If the starting point is a solution, `auto` runs none.
bool has_solver(const DriverResult& result) {
  return !result.solver.empty() && result.solver != "auto";
}

std::string method_line(const SolveReport& report) {
  if (!has_solver(report.result))
    return report.result.solved() ? "none, the starting point is a solution" : "none";
  return fmt::format("{}{}{}", report.result.solver,
                     report.request.solver == "auto" ? ", chosen by auto" : "",
                     report.result.implicit ? ", without assembling W" : "");
}

// The message alone if it begins with the status, as most do.
std::string status_line(const DriverResult& result) {
  if (result.message.starts_with(name(result.status))) return result.message;
  return fmt::format("{}{}{}", name(result.status), result.message.empty() ? "" : ": ", result.message);
}

// What the proof of a problem without a solution is.
std::string_view proof_of(const DriverResult& result) {
  if (!result.proved) return "none";
  return result.farkas.size() > 0 ? "multipliers" : "direction";
}

}  // namespace

void write_measures(JsonWriter& json, const Measures& measures) {
  json.key("measures").begin_object();
  for (const MeasureName& measure : measure_names()) {
    const double value = measures.*measure.value;
    if (!std::isnan(value)) json.member(measure.name, value);
  }
  json.end_object();
}

std::string to_json(const SolveReport& report) {
  const DriverResult& result = report.result;
  JsonWriter json;
  json.begin_object()
      .member("file", report.file)
      .member("class", name(classify(report.input.problem)))
      .member("n", unknowns(report.input.problem))
      .member("nnz", nonzeros(report.input.problem))
      .member("requested", report.request.solver);
  if (!has_solver(result)) {
    json.key("solver").null();
  } else {
    json.member("solver", result.solver);
  }
  if (result.law) {
    json.member("friction", name(*result.law));
  } else {
    json.key("friction").null();
  }
  if (std::holds_alternative<GlobalContactProblem>(report.input.problem))
    json.member("condensed", !result.implicit);
  json.member("status", name(result.status))
      .member("solved", result.solved())
      .member("iterations", result.counts.iterations)
      .member("seconds", report.seconds)
      .member("tolerance", report.request.settings.tolerance)
      .member("measure", report.request.measure);
  write_measures(json, result.measures);
  if (const std::vector<Index> counts = count_states(report); !counts.empty()) {
    json.key("contacts").begin_object();
    for (std::size_t k = 0; k < counts.size(); ++k) json.member(name(ContactState(k)), counts[k]);
    json.end_object();
  }
  json.member("message", result.message)
      .member("proof", proof_of(result))
      .member("products", result.counts.products)
      .member("factorizations", result.counts.factorizations)
      .member("threads", report.request.settings.threads)
      .member("repeat", report.repeat)
      .key("attempts")
      .begin_array();
  for (const Attempt& attempt : result.attempts) json.value(describe(attempt));
  json.end_array().key("warnings").begin_array();
  for (const std::string& warning : report.input.warnings) json.value(warning);
  for (const std::string& warning : result.warnings) json.value(warning);
  json.end_array().end_object();
  return json.text();
}

std::string to_text(const SolveReport& report) {
  const DriverResult& result = report.result;
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    append_format(text, "{:<10} {}\n", label, content);
  };
  line("problem", fmt::format("{}: {}, {}, {}{}", report.file, name(classify(report.input.problem)),
                              format_count(unknowns(report.input.problem), "unknown"),
                              format_count(nonzeros(report.input.problem), "nonzero"),
                              result.law ? fmt::format(", friction {}", name(*result.law)) : ""));
  for (const std::string& warning : report.input.warnings) line("warning", warning);
  for (const std::string& warning : result.warnings) line("warning", warning);
  line("method", method_line(report));
  for (const Attempt& attempt : result.attempts) line("tried", describe(attempt));
  line("status", status_line(result));
  if (result.status == Status::infeasible || result.status == Status::unbounded)
    line("proof", proof_of(result));
  for (const MeasureName* measure : key_measures(report)) {
    const bool judge = measure->name == report.request.measure;
    line(judge ? "error" : "",
         fmt::format("{:<22} {:.3e}{}", measure->name, result.measures.*(measure->value),
                     judge ? fmt::format(" (asked for {:g})", report.request.settings.tolerance) : ""));
  }
  if (const std::vector<Index> counts = count_states(report); !counts.empty())
    line("contacts", fmt::format("{} open, {} stick, {} slip", counts[0], counts[1], counts[2]));
  if (!result.solved() && result.status != Status::unsupported) {
    for (const WorstRow& row : worst(report.input.problem, report.request.friction, result)) {
      line("worst", fmt::format("{} {} (from 0): {:.3e} of the scaled natural map",
                                result.law ? "contact" : "row", row.index, row.error));
    }
  }
  line("time", fmt::format("{}{}; {}, {}, {}", format_seconds(report.seconds),
                           report.repeat > 1 ? fmt::format(" (best of {})", report.repeat) : "",
                           format_count(result.counts.iterations, "iteration"),
                           format_count(result.counts.products, "product"),
                           format_count(report.request.settings.threads, "thread")));
  return text;
}

}  // namespace slipstick::internal::cli
