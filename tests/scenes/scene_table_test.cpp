// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/scene_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "slipstick/model/check.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::scene_table_test {

TEST(SceneTable, HasTheScenesInOrder) {
  std::string names;
  for (const SceneRow& row : scene_rows()) names += std::string(row.name) + " ";
  EXPECT_EQ(
      names,
      "boxes tower spinner chain trucks rocks wall stack incline rolling painleve arch cards bucket top "
      "conveyor ");
}

TEST(SceneTable, RowsAreComplete) {
  for (const SceneRow& row : scene_rows()) {
    EXPECT_FALSE(row.summary.empty());
    EXPECT_GT(row.duration, 0.0);
    EXPECT_GT(row.step, 0.0);
    std::set<std::string_view> names;
    for (const SceneParameter& parameter : row.parameters) {
      EXPECT_TRUE(names.insert(parameter.name).second) << row.name << " " << parameter.name;
      EXPECT_FALSE(parameter.summary.empty()) << row.name << " " << parameter.name;
      EXPECT_LT(parameter.low, parameter.high);
      EXPECT_LE(parameter.low, parameter.default_value);
      EXPECT_LE(parameter.default_value, parameter.high);
    }
  }
}

TEST(SceneTable, EveryDefaultSceneIsValid) {
  for (const SceneRow& row : scene_rows()) {
    const Scene scene = make_scene(row.name);
    EXPECT_EQ(scene.name, row.name);
    EXPECT_EQ(scene.duration, row.duration);
    EXPECT_EQ(scene.step, row.step);
    EXPECT_EQ(scene.law, row.law);
    EXPECT_EQ(scene.parameters.size(), row.parameters.size());
    EXPECT_FALSE(scene.bodies.empty());
    for (const SceneParameter& parameter : row.parameters)
      EXPECT_EQ(scene.parameters.at(std::string(parameter.name)), parameter.default_value);
  }
}

// Parameters at the ends of their ranges give valid scenes too. Counts stay small.
TEST(SceneTable, EveryParameterMayBeAtItsEnds) {
  for (const SceneRow& row : scene_rows()) {
    for (const SceneParameter& parameter : row.parameters) {
      for (const double value : {parameter.low, parameter.high}) {
        if (parameter.type == ParameterType::integer && value > 200 && parameter.name != "seed") continue;
        EXPECT_EQ(message_of([&] {
                    make_scene(row.name, {{std::string(parameter.name), value}});
                  }),
                  "")
            << row.name << " " << parameter.name << " = " << value;
      }
    }
  }
}

TEST(SceneTable, RefusesWhatItDoesNotKnow) {
  const auto message = [](std::string_view name, const SceneParameters& parameters) {
    return message_of([&] { make_scene(name, parameters); });
  };
  EXPECT_EQ(message("towr", {}), "there is no scene 'towr', did you mean 'tower'?");
  EXPECT_EQ(message("tower", {{"log", 3.0}}),
            "scene tower: there is no parameter 'log', did you mean 'logs'?");
  EXPECT_EQ(message("tower", {{"logs", 0.0}}), "scene tower: logs is 0, expected 1 to 100000");
  EXPECT_EQ(message("tower", {{"logs", 1.5}}), "scene tower: logs is 1.5, expected an integer");
  EXPECT_EQ(message("stack", {{"gap", std::nan("")}}), "scene stack: gap is nan, expected 0 to 1");
}

TEST(SceneTable, SeedsMakeADifference) {
  const auto position = [](double seed, std::size_t body) {
    return make_scene("boxes", {{"seed", seed}}).bodies.at(body).position;
  };
  EXPECT_EQ(make_scene("boxes", {{"seed", 3.0}}).seed, 3u);
  EXPECT_EQ(position(3.0, 7), position(3.0, 7));
  EXPECT_NE(position(3.0, 7), position(4.0, 7));
}

}  // namespace slipstick::internal::scene_table_test
