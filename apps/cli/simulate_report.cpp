// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/utf8.hpp"
#include "slipstick/step_solver.hpp"
#include "slipstick/version.hpp"

namespace slipstick::internal::cli {
namespace {

// The words of --policy and how often each was used: for islands, for steps that were halved, for the end.
std::vector<std::pair<std::string_view, std::int64_t>> policy_counts(const SimulateReport& report) {
  const auto islands = [&](Remedy remedy) {
    return report.summary.remedies[static_cast<std::size_t>(remedy)];
  };
  return {{"next", islands(Remedy::retried)},      {"loosen", islands(Remedy::looser)},
          {"convex", islands(Remedy::convex_law)}, {"halve", report.halvings},
          {"keep", islands(Remedy::kept)},         {"stop", report.stops}};
}

}  // namespace

void SimulationSummary::add(const StepRecord& record) {
  ++steps;
  flagged += record.flagged ? 1 : 0;
  time = record.time;
  worst_error = std::max(worst_error, record.error);
  contacts_max = std::max(contacts_max, record.contacts);
  islands_max = std::max(islands_max, record.islands);
  penetration_max = std::max(penetration_max, record.penetration);
  joint_error_max = std::max(joint_error_max, record.joint_error);
  momentum_error = std::max(momentum_error, record.momentum_error);
  for (std::size_t k = 0; k < remedies.size(); ++k) remedies[k] += record.remedies[k];
  unexplained_ += record.energy.unexplained;
  most_unexplained_ = std::max(most_unexplained_, std::abs(unexplained_));
  largest_energy_ = std::max(
      {largest_energy_, std::abs(record.energy.kinetic + record.energy.potential), record.energy.kinetic});
}

double SimulationSummary::energy_error() const {
  if (!(most_unexplained_ > 0.0)) return 0.0;
  return largest_energy_ > 0.0 ? most_unexplained_ / largest_energy_ : 1.0;
}

std::string to_json(const SimulateReport& report) {
  const SimulationSummary& summary = report.summary;
  JsonWriter json;
  json.begin_object()
      .member("version", version())
      .member("scene", report.scene)
      .member("seed", report.seed)
      .member("law", report.law)
      .member("solver", report.solver)
      .member("tolerance", report.tolerance)
      .member("status", name(report.status))
      .member("steps", summary.steps)
      .member("time", summary.time)
      .member("flagged", summary.flagged)
      .member("worst_error", summary.worst_error)
      .member("bodies", report.bodies)
      .member("contacts_max", summary.contacts_max)
      .member("islands_max", summary.islands_max)
      .member("penetration_max", summary.penetration_max)
      .member("joint_error_max", summary.joint_error_max)
      .member("momentum_error", summary.momentum_error)
      .member("energy_error", summary.energy_error())
      .key("policy_used")
      .begin_object();
  for (const auto& [word, count] : policy_counts(report)) json.member(word, count);
  json.end_object()
      .member_list("dumps", report.dumps)
      .member("seconds", report.seconds)
      .member_or_null("output", report.output)
      .end_object();
  return json.text();
}

std::string to_text(const SimulateReport& report) {
  const SimulationSummary& summary = report.summary;
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    append_format(text, "{:<10} {}\n", label, content);
  };
  line("scene", fmt::format("{}: {} bodies, seed {}, friction {}", one_line(report.scene), report.bodies,
                            report.seed, report.law));
  line("solver", fmt::format("{}, tolerance {:g}", report.solver, report.tolerance));
  line("status", fmt::format("{} after {}, at {:g} s", name(report.status),
                             format_count(summary.steps, "step"), summary.time));
  std::string used;
  for (const auto& [word, count] : policy_counts(report))
    if (count > 0) append_format(used, "{}{} {}", used.empty() ? "; " : ", ", word, count);
  line("flagged", format_count(summary.flagged, "step") + used);
  line("error", fmt::format("{:.3e} of the worst island", summary.worst_error));
  line("contacts", fmt::format("{} at most, in {} at most", summary.contacts_max,
                               format_count(summary.islands_max, "island")));
  line("depth", fmt::format("penetration {:.3g} m at most, joints off by {:.3g} m at most",
                            summary.penetration_max, summary.joint_error_max));
  line("balance", fmt::format("momentum {:.3e}, energy {:.3e} unexplained", summary.momentum_error,
                              summary.energy_error()));
  for (const std::string& dump : report.dumps) line("dump", dump);
  line("time", fmt::format("{}{}", format_seconds(report.seconds),
                           report.seconds > 0.0 ? fmt::format(", {:.3g} s simulated", summary.time) : ""));
  if (!report.output.empty()) line("output", report.output);
  return text;
}

}  // namespace slipstick::internal::cli
