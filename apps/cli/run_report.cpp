// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/utf8.hpp"

namespace slipstick::internal::cli {
namespace {

// What the steps of a run say together.
struct RunFacts {
  double time = 0.0;  ///< after the last step
  Index most_contacts = 0;
  double largest_error = 0.0;
  double deepest_penetration = 0.0;
  Index flagged = 0;
  double seconds = 0.0;
  std::optional<std::int64_t> checkpoint;
};

RunFacts look_at_run(const RunReader& run) {
  constexpr Index at_once = 4096;
  RunFacts facts;
  std::vector<StepRecord> steps;
  for (Index first = 0; first < run.steps(); first += at_once) {
    run.read_steps(first, std::min(at_once, run.steps() - first), steps);
    for (const StepRecord& step : steps) {
      facts.time = step.time;
      facts.most_contacts = std::max(facts.most_contacts, step.contacts);
      facts.largest_error = std::max(facts.largest_error, step.error);
      facts.deepest_penetration = std::max(facts.deepest_penetration, step.penetration);
      facts.flagged += step.flagged ? 1 : 0;
      facts.seconds += step.seconds;
    }
  }
  if (const std::optional<Checkpoint> checkpoint = run.latest_checkpoint())
    facts.checkpoint = checkpoint->step;
  return facts;
}

std::string run_json(const std::string& file, const RunReader& run, const RunFacts& facts) {
  const RunHeader& header = run.header();
  JsonWriter json;
  json.begin_object()
      .member("file", file)
      .member("format", "run")
      .member("finished", run.finished())
      .member("steps", run.steps())
      .member("frames", run.frames())
      .member("record_every", header.record_every)
      .member("time", facts.time)
      .member("step", header.step)
      .member("bodies", header.bodies.size())
      .member("joints", header.joints.size())
      .member("most_contacts", facts.most_contacts)
      .member("law", header.law)
      .member("solver", header.solver)
      .member("tolerance", header.tolerance)
      .member("settings", header.settings)
      .member("seed", header.seed)
      .member("largest_error", facts.largest_error)
      .member("flagged", facts.flagged)
      .member("penetration", facts.deepest_penetration)
      .member("seconds", facts.seconds)
      .key("checkpoint");
  if (facts.checkpoint) {
    json.value(*facts.checkpoint);
  } else {
    json.null();
  }
  return json.member("program_version", header.program_version).end_object().text() + "\n";
}

std::string run_text(const std::string& file, const RunReader& run, const RunFacts& facts) {
  const RunHeader& header = run.header();
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    append_format(text, "{:<12} {}\n", label, content);
  };
  line("file", fmt::format("{} (run{})", file, run.finished() ? "" : ", not finished"));
  line("steps", fmt::format("{} of {:g} s, to {:g} s", run.steps(), header.step, facts.time));
  line("frames",
       fmt::format("{}, every {} recorded", run.frames(), format_count(header.record_every, "step")));
  line("bodies", fmt::format("{}, {}", header.bodies.size(),
                             format_count(static_cast<long>(header.joints.size()), "joint")));
  line("contacts", fmt::format("{} at most, penetration {:.3g} m at most", facts.most_contacts,
                               facts.deepest_penetration));
  line("law", one_line(header.law));
  line("solver", fmt::format("{}, tolerance {:g}", one_line(header.solver), header.tolerance));
  if (!header.settings.empty()) line("settings", one_line(header.settings));
  line("seed", fmt::format("{}", header.seed));
  line("errors",
       fmt::format("{:.3g} at most, {} flagged", facts.largest_error, format_count(facts.flagged, "step")));
  line("time", format_seconds(facts.seconds));
  line("checkpoint", facts.checkpoint ? fmt::format("of step {}", *facts.checkpoint) : "none");
  line("program", fmt::format("slipstick {}", one_line(header.program_version)));
  return text;
}

}  // namespace

std::string run_name(std::filesystem::path path) {
  if (!path.has_filename()) path = path.parent_path();
  return (path.extension() == ".parts" ? path.replace_extension() : path).string();
}

RunReader open_run(const std::string& file) {
  RunReader run = about(file, [&] { return RunReader(file); });
  if (!run.finished()) {
    fmt::print(stderr, "slipstick: {}: the run is not finished; it has {} so far\n", file,
               format_count(run.steps(), "step"));
  }
  return run;
}

std::string describe_run(const std::string& file, bool json) {
  const RunReader run = open_run(file);
  const RunFacts facts = about(file, [&] { return look_at_run(run); });
  return json ? run_json(file, run, facts) : run_text(file, run, facts);
}

}  // namespace slipstick::internal::cli
