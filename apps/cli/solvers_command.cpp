// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "json_writer.hpp"
#include "slipstick/catalog/catalog.hpp"

namespace slipstick::cli {
namespace {

std::vector<std::string_view> class_names(const CatalogRow& row) {
  std::vector<std::string_view> names;
  for (const ProblemClass problem_class : row.classes) names.push_back(name(problem_class));
  return names;
}

std::string to_json() {
  JsonWriter json;
  json.begin_array();
  for (const CatalogRow& row : catalog()) {
    json.begin_object()
        .member("name", row.name)
        .member("summary", row.summary)
        .member("paper", row.paper)
        .member("advice", row.advice)
        .member_list("classes", class_names(row))
        .member("nonsymmetric", row.nonsymmetric)
        .member("matrix_free", row.matrix_free)
        .key("options")
        .begin_array();
    for (const OptionInfo& option : row.options()) {
      json.begin_object()
          .member("name", option.key)
          .member("type", option.type)
          .member("default", option.default_value)
          .member("summary", option.summary)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
  return json.text() + "\n";
}

std::string to_text() {
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    fmt::format_to(std::back_inserter(text), "  {:<9} {}\n", label, content);
  };
  for (const CatalogRow& row : catalog()) {
    fmt::format_to(std::back_inserter(text), "{}\n  {}\n", row.name, row.summary);
    line("paper", row.paper);
    line("use", row.advice);
    line("classes", fmt::format("{}{}{}", fmt::join(class_names(row), ", "),
                                row.nonsymmetric ? "; nonsymmetric matrices too" : "",
                                row.matrix_free ? "; needs products alone" : ""));
    for (const OptionInfo& option : row.options()) {
      line("--set",
           fmt::format("{}={} ({}): {}", option.key, option.default_value, option.type, option.summary));
    }
  }
  return text;
}

}  // namespace

void add_solvers_command(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("solvers", "List the methods and their options");
  command->add_flag("--json", *json, "Print one JSON array instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick solvers\n"
      "  slipstick solvers --json");
  command->callback([json, &action] {
    action = [json] {
      fmt::print("{}", *json ? to_json() : to_text());
      return exit_solved;
    };
  });
}

}  // namespace slipstick::cli
