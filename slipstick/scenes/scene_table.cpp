// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/scene_table.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/base/nearest_name.hpp"
#include "slipstick/model/check.hpp"
#include "slipstick/scenes/bucket_scene.hpp"
#include "slipstick/scenes/cable_scenes.hpp"
#include "slipstick/scenes/chain_scene.hpp"
#include "slipstick/scenes/masonry_scenes.hpp"
#include "slipstick/scenes/pile_scenes.hpp"
#include "slipstick/scenes/small_scenes.hpp"

namespace slipstick::internal {
namespace {

const SceneRow& find_row(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SceneRow& row : scene_rows()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  fail("there is no scene '{}'{}", name, suggestion(name, names));
}

void check_value(const SceneRow& row, const SceneParameter& parameter, double value) {
  if (!(value >= parameter.low && value <= parameter.high)) {
    fail("scene {}: {} is {}, expected {} to {}", row.name, parameter.name, value, parameter.low,
         parameter.high);
  }
  if (parameter.type != ParameterType::real && value != std::floor(value))
    fail("scene {}: {} is {}, expected an integer", row.name, parameter.name, value);
}

// All parameters: those given, else the defaults.
SceneParameters complete(const SceneRow& row, const SceneParameters& given) {
  SceneParameters values;
  std::vector<std::string_view> names;
  for (const SceneParameter& parameter : row.parameters) {
    values.emplace(parameter.name, parameter.default_value);
    names.push_back(parameter.name);
  }
  for (const auto& [key, value] : given) {
    const auto found = std::find(names.begin(), names.end(), key);
    if (found == names.end())
      fail("scene {}: there is no parameter '{}'{}", row.name, key, suggestion(key, names));
    check_value(row, row.parameters[static_cast<std::size_t>(found - names.begin())], value);
    values[key] = value;
  }
  return values;
}

}  // namespace

std::span<const SceneRow> scene_rows() {
  static const std::vector<SceneRow> rows = {
      boxes_scene(), tower_scene(),  spinner_scene(), chain_scene(),    trucks_scene(),   rocks_scene(),
      wall_scene(),  stack_scene(),  incline_scene(), rolling_scene(),  painleve_scene(), arch_scene(),
      cards_scene(), bucket_scene(), top_scene(),     conveyor_scene(),
  };
  return rows;
}

Scene make_scene(std::string_view name, const SceneParameters& parameters) {
  const SceneRow& row = find_row(name);
  Scene scene;
  scene.name = row.name;
  scene.summary = row.summary;
  scene.parameters = complete(row, parameters);
  scene.duration = row.duration;
  scene.step = row.step;
  scene.law = row.law;
  const SceneValues values(scene.parameters);
  if (scene.parameters.contains("seed")) scene.seed = static_cast<std::uint64_t>(values["seed"]);
  row.build(values, scene);
  check(scene);
  return scene;
}

}  // namespace slipstick::internal
