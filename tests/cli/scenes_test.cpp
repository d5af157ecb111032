// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scene_files.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "tests/cli/program.hpp"

namespace slipstick::internal::cli::scenes_test {

using Scenes = CliTest;

TEST_F(Scenes, AsText) {
  const Outcome outcome = run(0, {"scenes"});
  EXPECT_NE(outcome.out.find("\ntower\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("scene.logs=160 (integer, 1 to 100000)"), std::string::npos) << outcome.out;
}

TEST_F(Scenes, ExportWritesTheScene) {
  const std::string text = scene_text(make_scene("stack", {{"boxes", 3.0}, {"top_mass", 50.0}}));
  const std::vector<std::string> settings = {"--set", "scene.boxes=3", "--set", "scene.top_mass=5e1"};
  std::vector<std::string> arguments = {"scenes", "--export", "stack"};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  EXPECT_EQ(run(0, arguments).out, text);
  arguments.insert(arguments.end(), {"-o", "stack.json"});
  EXPECT_EQ(run(0, arguments).out, "stack.json: stack, bodies 4, joints 0\n");
  EXPECT_EQ(read("stack.json"), text);
  EXPECT_EQ(list(), std::vector<std::string>{"stack.json"});
}

TEST_F(Scenes, BadInputHasOneMessage) {
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run(2, arguments);
    EXPECT_EQ(lines(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(list().empty());
  };
  expect({"scenes", "--export", "towr"}, "there is no scene 'towr', did you mean 'tower'?");
  expect({"scenes", "--export", "tower", "--set", "scene.log=3"}, "no parameter 'log', did you mean 'logs'?");
  expect({"scenes", "--export", "tower", "--set", "logs=3"}, "--set: 'logs=3' is not scene.KEY=VALUE");
  expect({"scenes", "--export", "tower", "--set", "scene.=3"}, "is not scene.KEY=VALUE");
  expect({"scenes", "--export", "tower", "--set", "scene.logs"}, "is not scene.KEY=VALUE");
  expect({"scenes", "--export", "tower", "--set", "scene.logs=many"},
         "--set scene.logs: 'many' is not a number");
  expect({"scenes", "--export", "tower", "--set", "scene.logs=1e400"}, "is not a number");
  expect({"scenes", "--export", "tower", "--set", "scene.logs=nan"}, "logs is nan, expected 1 to 100000");
  expect({"scenes", "--export", "tower", "--set", "scene.logs=-3"}, "logs is -3, expected 1 to 100000");
  expect({"scenes", "--export", "tower", "--set", "scene.logs=3", "--set", "scene.logs=4"},
         "it is set twice");
  expect({"scenes", "--export", "tower", "-o", "tower.txt"}, "the extension '.txt' is none of .json");
  expect({"scenes", "--export", "tower", "-o", "missing/tower.json"}, "there is no folder missing");
  expect({"scenes", "--set", "scene.logs=3"}, "--set requires --export");
  expect({"scenes", "-o", "a.json"}, "requires --export");
  expect({"scenes", "--export", ""}, "there is no scene ''");
}

#ifdef SLIPSTICK_HAS_JSON

TEST_F(Scenes, AsJson) {
  const Json json = parse(run(0, {"scenes", "--json"}).out);
  ASSERT_EQ(json.size(), scene_rows().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const SceneRow& row = scene_rows()[i];
    EXPECT_EQ(json[i].at("name"), row.name);
    EXPECT_EQ(json[i].at("summary"), row.summary);
    EXPECT_EQ(json[i].at("duration").get<double>(), row.duration);
    EXPECT_EQ(json[i].at("step").get<double>(), row.step);
    EXPECT_EQ(json[i].at("law"), name(row.law));
    ASSERT_EQ(json[i].at("parameters").size(), row.parameters.size());
    for (std::size_t j = 0; j < row.parameters.size(); ++j) {
      const Json& parameter = json[i]["parameters"][j];
      EXPECT_EQ(parameter.at("name"), row.parameters[j].name);
      EXPECT_EQ(parameter.at("type"), name(row.parameters[j].type));
      EXPECT_EQ(parameter.at("default").get<double>(), row.parameters[j].default_value);
      EXPECT_EQ(parameter.at("unit"), row.parameters[j].unit);
      EXPECT_EQ(parameter.at("low").get<double>(), row.parameters[j].low);
      EXPECT_EQ(parameter.at("high").get<double>(), row.parameters[j].high);
      EXPECT_EQ(parameter.at("summary"), row.parameters[j].summary);
    }
  }
}

#endif

}  // namespace slipstick::internal::cli::scenes_test
