// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/commands.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick::internal::cli {
namespace {

std::vector<std::string_view> class_names(std::span<const ProblemClass> classes) {
  std::vector<std::string_view> names;
  for (const ProblemClass problem_class : classes) names.push_back(name(problem_class));
  return names;
}

std::vector<std::string_view> law_names(const ContactMethod& row) {
  std::vector<std::string_view> names;
  for (const FrictionLaw law : row.laws) names.push_back(name(law));
  return names;
}

void begin_row(JsonWriter& json, const auto& row) {
  json.begin_object()
      .member("name", row.name)
      .member("summary", row.summary)
      .member("paper", row.paper)
      .member("advice", row.advice);
}

void end_row(JsonWriter& json, const std::vector<OptionInfo>& options) {
  json.key("options").begin_array();
  for (const OptionInfo& option : options) {
    json.begin_object()
        .member("name", option.key)
        .member("type", option.type)
        .member("default", option.default_value)
        .member("summary", option.summary)
        .end_object();
  }
  json.end_array().end_object();
}

std::string to_json() {
  constexpr ProblemClass contacts[] = {ProblemClass::contact2d, ProblemClass::contact3d,
                                       ProblemClass::global2d, ProblemClass::global3d};
  JsonWriter json;
  json.begin_array();
  for (const CatalogRow& row : catalog()) {
    begin_row(json, row);
    json.member_list("classes", class_names(row.classes))
        .member("nonsymmetric", row.nonsymmetric)
        .member("matrix_free", row.matrix_free)
        .member("warm_start", row.warm_start)
        .member("needs_device", row.needs_device)
        .member_list("laws", std::vector<std::string_view>{name(FrictionLaw::none), name(FrictionLaw::convex),
                                                           name(FrictionLaw::box_once)});
    end_row(json, row.options());
  }
  for (const ContactMethod& row : contact_methods()) {
    begin_row(json, row);
    json.member_list("classes", class_names(contacts))
        .member("nonsymmetric", true)
        .member("matrix_free", row.matrix_free)
        .member("warm_start", row.warm_start)
        .member("needs_device", row.needs_device)
        .member_list("laws", law_names(row));
    end_row(json, row.options());
  }
  json.end_array();
  return json.text() + "\n";
}

// What methods that need a device find here.
std::string device_line() {
  const DeviceInfo& device = device_info();
  return device.usable() ? "needs a CUDA device; here: " + device.name
                         : "needs a CUDA device, and " + device.reason;
}

std::string to_text() {
  std::string text;
  const auto line = [&](std::string_view label, std::string_view content) {
    append_format(text, "  {:<9} {}\n", label, content);
  };
  const auto begin = [&](const auto& row) {
    append_format(text, "{}\n  {}\n", row.name, row.summary);
    line("paper", row.paper);
    line("use", row.advice);
  };
  const auto end = [&](const std::vector<OptionInfo>& options) {
    for (const OptionInfo& option : options) {
      line("--set",
           fmt::format("{}={} ({}): {}", option.key, option.default_value, option.type, option.summary));
    }
  };
  for (const CatalogRow& row : catalog()) {
    begin(row);
    line("classes", fmt::format("{}{}{}", fmt::join(class_names(row.classes), ", "),
                                row.nonsymmetric ? "; nonsymmetric matrices too" : "",
                                row.matrix_free ? "; needs products alone" : ""));
    if (row.needs_device) line("device", device_line());
    end(row.options());
  }
  for (const ContactMethod& row : contact_methods()) {
    begin(row);
    line("classes", fmt::format("contact problems under {}", fmt::join(law_names(row), ", ")));
    if (row.needs_device) line("device", device_line());
    end(row.options());
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

}  // namespace slipstick::internal::cli
