// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/solve_report.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/base/utf8.hpp"
#include "slipstick/error.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal::cli {
namespace {

struct InfoArguments {
  std::string file;
  std::string type;
  bool json = false;
};

struct Range {
  double low = 0.0;
  double high = 0.0;
};

// What is worth knowing about a problem before solving it.
struct Facts {
  std::optional<Index> contacts;
  std::optional<Index> bilateral;  ///< rows of joints
  std::optional<Index> bounded;    ///< rows of limits and motors
  std::string_view storage;        ///< of the matrix
  std::optional<Range> diagonal;   ///< of A, M or W; absent if there are no rows
  double asymmetry = 0.0;          ///< max |a_ij - a_ji| / max |a_ij|
  std::optional<Range> friction;   ///< of mu
  std::vector<std::string> warnings;
  std::optional<Measures> stored;  ///< of the stored solution; Coulomb's law for contacts
};

std::optional<Range> range(const Vector& values) {
  if (values.size() == 0) return std::nullopt;
  return Range{values.minCoeff(), values.maxCoeff()};
}

void look_at_matrix(const Operator& matrix, Facts& facts) {
  Vector diagonal(matrix.rows());
  matrix.diagonal(diagonal);
  facts.storage = matrix.kind();
  facts.diagonal = range(diagonal);
  facts.asymmetry = matrix.asymmetry();
}

// Absent if the file's solution lacks the unknowns.
std::optional<Measures> judge(const AnyProblem& any, Solution solution) {
  Measures measures;
  const auto rows = [&](const Problem& problem) {
    if (solution.x.size() != problem.b.size()) return false;
    const Index linear_rows = problem.rows ? problem.rows->G->rows() : 0;
    if (solution.multipliers.size() != linear_rows) solution.multipliers.setZero(linear_rows);
    Ruler ruler;
    ruler.prepare(problem);
    measure(problem, ruler, solution, 1, measures);
    return true;
  };
  const auto contacts = [&](const auto& problem) {
    if (solution.r.size() != problem.contacts() * problem.dimension) return false;
    measure(problem, FrictionLaw::coulomb, solution, measures);
    return true;
  };
  const bool judged = std::visit(
      Overloaded{[&](const LcpProblem& p) { return rows(to_problem(p)); },
                 [&](const MixedLcp& p) { return rows(to_problem(p)); },
                 [&](const Problem& p) { return rows(p); }, [&](const auto& p) { return contacts(p); }},
      any);
  return judged ? std::optional(measures) : std::nullopt;
}

Facts look_at(const ProblemFile& file) {
  const Validation validation = inspect(file.problem);
  if (!validation.ok()) throw Error(validation.defect);

  Facts facts;
  const auto count_joints = [&](const auto& p) {
    if (p.joint_rows() == 0) return;
    const auto free = p.lower.array() == -infinity && p.upper.array() == infinity;
    facts.bilateral = free.count();
    facts.bounded = p.joint_rows() - free.count();
  };
  std::visit(Overloaded{[&](const LcpProblem& p) { look_at_matrix(p.M, facts); },
                        [&](const MixedLcp& p) { look_at_matrix(p.M, facts); },
                        [&](const Problem& p) { look_at_matrix(p.A, facts); },
                        [&](const LocalContactProblem& p) {
                          look_at_matrix(p.W, facts);
                          facts.contacts = p.contacts();
                          facts.friction = range(p.mu);
                          count_joints(p);
                        },
                        [&](const GlobalContactProblem& p) {
                          look_at_matrix(Operator(p.M), facts);
                          facts.contacts = p.contacts();
                          facts.friction = range(p.mu);
                          count_joints(p);
                        }},
             file.problem);
  facts.warnings = file.warnings;
  facts.warnings.insert(facts.warnings.end(), validation.warnings.begin(), validation.warnings.end());
  if (file.solution) facts.stored = judge(file.problem, *file.solution);
  return facts;
}

std::string to_json(const InfoArguments& arguments, const ProblemFile& file, const Facts& facts) {
  JsonWriter json;
  const auto member = [&](std::string_view name, const auto& optional, const auto& write) {
    json.key(name);
    if (optional) {
      write(*optional);
    } else {
      json.null();
    }
  };
  const auto count = [&](Index value) { json.value(value); };
  const auto pair = [&](const Range& r) { json.begin_array().value(r.low).value(r.high).end_array(); };
  json.begin_object()
      .member("file", arguments.file)
      .member("format", name(file.format))
      .member("class", name(classify(file.problem)))
      .member("title", file.title)
      .member("description", file.description)
      .member("n", unknowns(file.problem))
      .member("nnz", nonzeros(file.problem))
      .member("storage", facts.storage);
  member("contacts", facts.contacts, count);
  member("bilateral", facts.bilateral, count);
  member("bounded", facts.bounded, count);
  member("diagonal", facts.diagonal, pair);
  json.member("asymmetry", facts.asymmetry);
  member("mu", facts.friction, pair);
  json.member("guesses", file.guesses.size()).key("solution");
  if (file.solution) {
    json.begin_object();
    member("friction", facts.contacts, [&](Index) { json.value(name(FrictionLaw::coulomb)); });
    write_measures(json, facts.stored.value_or(Measures{}));
    json.end_object();
  } else {
    json.null();
  }
  json.member_list("warnings", facts.warnings).end_object();
  return json.text() + "\n";
}

std::string to_text(const InfoArguments& arguments, const ProblemFile& file, const Facts& facts) {
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    append_format(text, "{:<12} {}\n", label, content);
  };
  const auto in_words = [](const Range& r) {
    return r.low == r.high ? fmt::format("{:g}", r.low) : fmt::format("{:g} to {:g}", r.low, r.high);
  };
  line("file", fmt::format("{} ({})", arguments.file, name(file.format)));
  if (!file.title.empty()) line("title", one_line(file.title));
  if (!file.description.empty()) line("about", one_line(file.description));
  line("class", name(classify(file.problem)));
  line("size", fmt::format("{}, {}, {} matrix", format_count(unknowns(file.problem), "unknown"),
                           format_count(nonzeros(file.problem), "nonzero"), facts.storage));
  if (facts.contacts) line("contacts", fmt::format("{}", *facts.contacts));
  if (facts.bilateral) line("bilateral", format_count(*facts.bilateral, "row"));
  if (facts.bounded) line("bounded", format_count(*facts.bounded, "row"));
  if (facts.diagonal) line("diagonal", in_words(*facts.diagonal));
  line("asymmetry", fmt::format("{:.3g} of the largest entry", facts.asymmetry));
  if (facts.friction) line("mu", in_words(*facts.friction));
  line("guesses", fmt::format("{}", file.guesses.size()));
  if (!file.solution) {
    line("solution", "none stored");
  } else if (!facts.stored) {
    line("solution", "stored, but without the unknowns that the measures need");
  } else {
    line("solution", fmt::format("stored{}", facts.contacts ? ", judged by Coulomb's law" : ""));
    for (const MeasureName& measure : measure_names()) {
      const double value = (*facts.stored).*measure.value;
      if (!std::isnan(value)) line("", fmt::format("{:<22} {:.3e}", measure.name, value));
    }
  }
  for (const std::string& warning : facts.warnings) line("warning", warning);
  return text;
}

int run_info(const InfoArguments& arguments) {
  if (is_run(arguments.file)) {
    if (!arguments.type.empty()) fail("--type: {} holds a run, not a problem", arguments.file);
    fmt::print("{}", describe_run(arguments.file, arguments.json));
    return exit_solved;
  }
  const ProblemFile file = read_input(arguments.file, arguments.type);
  const Facts facts = about(arguments.file, [&] { return look_at(file); });
  fmt::print("{}", arguments.json ? to_json(arguments, file, facts) : to_text(arguments, file, facts));
  return exit_solved;
}

struct ConvertArguments {
  std::string input;
  std::string output;
  std::string type;
  bool json = false;
};

int run_convert(const ConvertArguments& arguments) {
  check_target("OUT", arguments.output, problem_extensions);
  const ProblemFile file = read_input(arguments.input, arguments.type);
  for (const std::string& warning : file.warnings) {
    fmt::print(stderr, "slipstick: {}: warning: {}\n", arguments.input, warning);
  }
  about(arguments.output, [&] { write_problem(arguments.output, file); });
  if (arguments.json) {
    JsonWriter json;
    json.begin_object()
        .member("input", arguments.input)
        .member("output", arguments.output)
        .member("class", name(classify(file.problem)))
        .member("n", unknowns(file.problem))
        .member("nnz", nonzeros(file.problem))
        .member_list("warnings", file.warnings)
        .end_object();
    fmt::print("{}\n", json.text());
  } else {
    fmt::print("{}: {}, {}\n", arguments.output, name(classify(file.problem)),
               format_count(unknowns(file.problem), "unknown"));
  }
  return exit_solved;
}

}  // namespace

void add_info_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "Say what a file holds: a problem or a run");
  command->add_option("FILE", arguments->file, "Problem or run")->required();
  command->add_option("--type", arguments->type, "Class of a file that does not tell (Siconos .dat)")
      ->type_name("KIND");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick info problem.hdf5\n"
      "  slipstick info problem.dat --type contact3d --json\n"
      "  slipstick info run.h5");
  command->callback([arguments, &action] { action = [arguments] { return run_info(*arguments); }; });
}

void add_convert_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = app.add_subcommand("convert", "Write a problem in another format");
  command->add_option("IN", arguments->input, "Problem file")->required();
  command->add_option("OUT", arguments->output, "FCLib .hdf5 or .h5 (contact problems), Matrix Market .mtx")
      ->required();
  command->add_option("--type", arguments->type, "Class of a file that does not tell (Siconos .dat)")
      ->type_name("KIND");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick convert problem.dat problem.hdf5\n"
      "  slipstick convert problem.dat problem.mtx --type lcp");
  command->callback([arguments, &action] { action = [arguments] { return run_convert(*arguments); }; });
}

}  // namespace slipstick::internal::cli
