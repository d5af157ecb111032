// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/commands.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/model/expanded.hpp"
#include "slipstick/scene_files.hpp"
#include "slipstick/scenes/scene_table.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr std::string_view scene_extension[] = {".json"};

struct ScenesOptions {
  bool json = false;
  std::string name;
  std::vector<std::string> set;
  std::string output;
};

std::string scenes_as_json() {
  JsonWriter json;
  json.begin_array();
  for (const SceneRow& row : scene_rows()) {
    json.begin_object()
        .member("name", row.name)
        .member("summary", row.summary)
        .member("duration", row.duration)
        .member("step", row.step)
        .member("law", name(row.law))
        .key("parameters")
        .begin_array();
    for (const SceneParameter& parameter : row.parameters) {
      json.begin_object()
          .member("name", parameter.name)
          .member("type", name(parameter.type))
          .member("default", parameter.default_value)
          .member("unit", parameter.unit)
          .member("low", parameter.low)
          .member("high", parameter.high)
          .member("summary", parameter.summary)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
  return json.text() + "\n";
}

std::string scenes_as_text() {
  std::string text;
  for (const SceneRow& row : scene_rows()) {
    append_format(text, "{}\n  {}\n  {:g} s in steps of {:.4g} s, law {}\n", row.name, row.summary,
                  row.duration, row.step, name(row.law));
    for (const SceneParameter& parameter : row.parameters) {
      append_format(text, "  --set     scene.{}={}{}{} ({}, {} to {}): {}\n", parameter.name,
                    parameter.default_value, parameter.unit.empty() ? "" : " ", parameter.unit,
                    name(parameter.type), parameter.low, parameter.high, parameter.summary);
    }
  }
  return text;
}

std::string written_as_text(const std::string& output, const Scene& scene) {
  const Scene all = expanded(scene);
  return fmt::format("{}: {}, bodies {}, joints {}\n", output, scene.name, all.bodies.size(),
                     all.joints.size());
}

std::string written_as_json(const std::string& output, const Scene& scene) {
  const Scene all = expanded(scene);
  JsonWriter json;
  json.begin_object()
      .member("output", output)
      .member("scene", scene.name)
      .member("bodies", all.bodies.size())
      .member("joints", all.joints.size())
      .end_object();
  return json.text() + "\n";
}

// The parameters of --set scene.KEY=VALUE.
SceneParameters parse_scene_parameters(const std::vector<std::string>& assignments) {
  SceneParameters parameters;
  for (const std::string& assignment : assignments) add_scene_parameter(assignment, parameters);
  return parameters;
}

}  // namespace

void add_scenes_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ScenesOptions>();
  CLI::App* command = app.add_subcommand("scenes", "List the scenes, or write one as a file");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  CLI::Option* target =
      command->add_option("--export", options->name, "Write this scene as a scene file")->type_name("NAME");
  command->add_option("--set", options->set, "A parameter of the scene: scene.KEY=VALUE")
      ->type_name("KEY=VALUE")
      ->needs(target)
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "The file, .json; none: the standard output")
      ->type_name("FILE")
      ->needs(target);
  command->footer(
      "Examples:\n"
      "  slipstick scenes\n"
      "  slipstick scenes --json\n"
      "  slipstick scenes --export tower --set scene.logs=40 -o tower.json");
  command->callback([options, target, &action] {
    const bool writes = target->count() > 0;
    action = [options, writes] {
      if (!writes) {
        fmt::print("{}", options->json ? scenes_as_json() : scenes_as_text());
        return exit_solved;
      }
      if (!options->output.empty()) check_target("--output", options->output, scene_extension);
      const Scene scene = make_scene(options->name, parse_scene_parameters(options->set));
      if (options->output.empty()) {
        fmt::print("{}", scene_text(scene));
      } else {
        write_scene(options->output, scene);
        fmt::print("{}", options->json ? written_as_json(options->output, scene)
                                       : written_as_text(options->output, scene));
      }
      return exit_solved;
    };
  });
}

}  // namespace slipstick::internal::cli
