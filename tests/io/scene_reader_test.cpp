// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scene_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/io/scene_document.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/io/scene_testing.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/sanitized.hpp"

#ifdef SLIPSTICK_HAS_JSON
#include <nlohmann/json.hpp>
#endif

namespace slipstick::internal::scene_reader_test {

#ifdef SLIPSTICK_HAS_JSON

using Json = nlohmann::json;

// A document with these members.
std::string with(const std::string& members) {
  return R"({"version": 1, "shapes": [{"name": "ball", "type": "sphere", "radius": 1}], )" + members + "}";
}

void expect_message(const std::string& text, const std::string& part) {
  EXPECT_TRUE(has(message_of([&] { parse_scene(text, {}); }), part)) << text;
}

// An Error or a valid scene, nothing else. True if it is a scene.
bool survives(const std::string& text) {
  try {
    parse_scene(text, {});
    return true;
  } catch (const Error& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return false;
  }
}

TEST(SceneReader, ReadsWhatWasWrittenToTheBit) {
  const Scene scene = rich_scene();
  const std::string text = scene_text(scene);
  const Scene read = parse_scene(text, {});
  EXPECT_EQ(all_bits(read), all_bits(scene));
  EXPECT_EQ(scene_text(read), text);
  EXPECT_EQ(all_bits(parse_scene(scene_text(Scene{}), {})), all_bits(Scene{}));
}

TEST(SceneReader, RandomNumbersKeepTheirBits) {
  Random random(7);
  Scene scene;
  for (int i = 0; i < 500; ++i) {
    const double value = std::bit_cast<double>(random.bits());
    if (std::isfinite(value)) scene.parameters[std::to_string(i)] = value;
  }
  scene.parameters["denormal"] = 5e-324;
  scene.parameters["largest"] = std::numeric_limits<double>::max();
  scene.parameters["2^63"] = 0x1p63;
  scene.parameters["2^64"] = 0x1p64;
  scene.parameters["negative zero"] = -0.0;
  EXPECT_EQ(all_bits(parse_scene(scene_text(scene), {})), all_bits(scene));
}

TEST(SceneReader, Defaults) {
  EXPECT_EQ(all_bits(parse_scene(R"({"version": 1})", {})), all_bits(Scene{}));
  const Scene scene =
      parse_scene(with(R"("bodies": [{"name": "a", "shapes": [{"shape": "ball"}], "mass": null}],
              "joints": [{"kind": "hinge", "bodies": ["a", null], "lower": null}])"),
                  {});
  EXPECT_FALSE(scene.bodies[0].mass.has_value());
  EXPECT_EQ(scene.joints[0].bodies, (std::array<int, 2>{0, -1}));
  EXPECT_EQ(scene.joints[0].lower, -std::numeric_limits<double>::infinity());
}

TEST(SceneReader, OrientationsAreNormalizedIfNeeded) {
  const auto read = [](const std::string& numbers) {
    return parse_scene(with(R"("bodies": [{"name": "a", "kind": "fixed", "orientation": )" + numbers + "}]"),
                       {})
        .bodies[0]
        .orientation;
  };
  const double half = std::sqrt(0.5);
  EXPECT_LT((read("[1, 1, 0, 0]").coeffs() - Eigen::Vector4d(half, 0, 0, half)).norm(), 1e-15);
  EXPECT_EQ(read("[0.70710678118, 0.70710678118, 0, 0]").w(), 0.70710678118);  // near enough: kept
  expect_message(with(R"("bodies": [{"name": "a", "orientation": [0, 0, 0, 0]}])"),
                 R"(/bodies/0/orientation ("a"): the norm of the quaternion is 0)");
}

TEST(SceneReader, VersionsAreChecked) {
  expect_message("{}", "/version: missing, expected 1");
  expect_message(R"({"version": 2, "new": 1})",
                 "/version: 2 is newer than this program, which reads version 1");
  expect_message(R"({"version": 0})", "/version: 0, expected 1");
  expect_message(R"({"version": "1"})", "/version: a text, expected 1");
  expect_message("[]", "the scene: a list, expected an object");
}

TEST(SceneReader, MessagesNameThePlace) {
  expect_message(R"({"version": 1, "stp": 0.1})", "/stp: 'stp' is not known, did you mean 'step'?");
  expect_message(with(R"("bodies": [{"name": "lid", "maas": 3}])"),
                 R"(/bodies/0/maas ("lid"): 'maas' is not known, did you mean 'mass'?)");
  expect_message(with(R"("bodies": [{"name": "lid", "mass": "3"}])"),
                 R"(/bodies/0/mass ("lid"): a text, expected a number)");
  expect_message(with(R"("bodies": [{"name": "lid", "mass": 0, "shapes": [{"shape": "ball"}]}])"),
                 R"(/bodies/0/mass ("lid"): 0, expected a positive finite number)");
  expect_message(with(R"("bodies": [{"name": "lid", "shapes": [{"shape": "bal"}]}])"),
                 R"(/bodies/0/shapes/0/shape ("lid"): there is no shape "bal", did you mean 'ball'?)");
  expect_message(with(R"("bodies": [{"name": "lid", "shapes": [{"shape": "ball", "material": "x"}]}])"),
                 R"(/bodies/0/shapes/0/material ("lid"): there is no material "x", expected one of default)");
  expect_message(with(R"("bodies": [{"name": "lid", "position": [0, 0]}])"),
                 R"(/bodies/0/position ("lid"): 2 items, expected 3)");
  expect_message(with(R"("bodies": [{"name": "lid", "position": [0, 0, "z"]}])"),
                 R"(/bodies/0/position/2 ("lid"): a text, expected a number)");
  expect_message(with(R"("bodies": [{"name": "lid", "kind": "movable "}])"),
                 R"(/bodies/0/kind ("lid"): 'movable ' is not known, did you mean 'movable'?)");
  expect_message(with(R"("bodies": [{"mass": 1}])"), "/bodies/0/name: missing");
  expect_message(with(R"("bodies": [{"name": "a", "group": -1}])"),
                 R"(/bodies/0/group ("a"): -1, expected an integer from 0 to 4294967295)");
  expect_message(with(R"("bodies": [{"name": "a", "group": 4294967296}])"),
                 "4294967296, expected an integer");
  expect_message(with(R"("bodies": [{"name": "a", "group": 1.5}])"), "1.5, expected an integer");
  expect_message(with(R"("joints": [{"kind": "ball", "bodies": ["nobody", null]}])"),
                 R"(/joints/0/bodies/0: there is no body "nobody")");
  expect_message(with(R"("materials": [{"name": "tar", "rolling_friction": 0.1}])"),
                 R"(/materials/0/rolling_friction ("tar"): rolling friction is not available)");
  expect_message(with(R"("pairs": [{"materials": ["default", "default"], "rolling_friction": 0.1}])"),
                 "/pairs/0/rolling_friction: rolling friction is not available");
  expect_message(with(R"("stepping": {"scheme": "gap"})"),
                 "/stepping/scheme: 'gap' is not known, did you mean 'gaps'?");
  expect_message(with(R"("bodies": [{"name": "a"}, {"name": "a"}])"),
                 "/bodies/1/name: \"a\" is the name of /bodies/0");
  expect_message(R"({"version": 1, "shapes": [{"name": "s", "type": "sphere", "size": [1, 1, 1]}]})",
                 R"(/shapes/0/size ("s"): 'size' is not known)");
  expect_message(R"({"version": 1, "shapes": [{"name": "s", "type": "torus"}]})",
                 R"(/shapes/0/type ("s"): 'torus' is not known, expected one of sphere)");
  expect_message(
      R"({"version": 1, "shapes": [{"name": "m", "type": "mesh", "points": [[0,0,0]], "triangles": [[0,0,1]]}]})",
      R"(/shapes/0/triangles/0/2 ("m"): expected the number of one of 1 points)");
  expect_message(R"({"version": 1, "version": 1})", "/version: the key is twice in an object");
  expect_message(
      R"({"version": 1, "gravity": [0, 0, 1], "bodies": [{}, {"x": [1], "shapes": [{}], "x": 2}]})",
      "/bodies/1/x: the key is twice in an object");
  expect_message(R"({"version": 1, "name": "a\nb"})", "/name: the text has control characters");
}

TEST(SceneReader, KeyFramesWithoutOrientationsKeepThatOfTheBody) {
  const Scene scene = parse_scene(
      R"({"version": 1, "bodies": [{"name": "door", "kind": "moved", "orientation": [0.6, 0, 0.8, 0],
    "motion": {"type": "key_frames", "times": [0, 1], "positions": [[0, 0, 0], [1, 0, 0]]}}]})");
  const auto& frames = std::get<KeyFrames>(scene.bodies[0].motion);
  ASSERT_EQ(frames.orientations.size(), 2u);
  for (const Eigen::Quaterniond& orientation : frames.orientations)
    EXPECT_EQ(orientation.coeffs(), scene.bodies[0].orientation.coeffs());
}

TEST(SceneReader, TextsThatAreNoScene) {
  expect_message("", "no JSON: parse error at line 1");
  expect_message("{\"version\": 1,\n \"step\": }", "no JSON: parse error at line 2");
  expect_message(R"({"version": 1} {})", "no JSON");
  expect_message(R"({"version": 1, "step": 1e400})", "no JSON: number overflow");
  expect_message(R"({"version": 1, "step": NaN})", "no JSON");
  expect_message(R"({"version": 1, "step": Infinity})", "no JSON");
  expect_message("{\"version\": 1, \"name\": \"\xff\"}", "no JSON");
  expect_message(std::string(1000000, '['), "brackets are nested more than 16 deep");
  expect_message(R"({"version": 1, "a": )" + std::string(100000, '[') + std::string(100000, ']') + "}",
                 "brackets are nested more than 16 deep");
  expect_message(std::string(20, ']'), "no JSON");
  // A long key is cut in the message.
  EXPECT_LT(message_of([&] {
              parse_scene("{\"version\": 1, \"" + std::string(1000000, 'k') + "\": 1}", {});
            }).size(),
            1100u);
}

TEST(SceneReader, HugeListsAreRefused) {
  std::string list = "[0";
  for (int i = 1; i < 1001; ++i) list += ",0";
  std::string pairs = "[" + list + "]";
  expect_message(with(R"("bodies": [{"name": "a", "position": )" + list + "]}]"), "1001 items, expected 3");
  std::string parameters;
  for (int i = 0; i <= 1000; ++i) parameters += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\": 1";
  expect_message(with("\"parameters\": {" + parameters + "}"),
                 "/parameters: 1001 items, expected at most 1000");
  std::string points = "[0,0,0]";
  for (int i = 0; i < 5000; ++i) points += ",[0,0,0]";
  expect_message(R"({"version": 1, "shapes": [{"name": "h", "type": "hull", "points": [)" + points + "]}]}",
                 R"(/shapes/0/points ("h"): 5001 items, expected 0 to 4096)");
  expect_message(
      with(
          R"("cables": [{"name": "c", "bodies": [null, null], "points": [[0,0,0],[1,0,0]], "links": 2000000000}])"),
      "/cables: 2000000000 bodies with the links");
  // Too many values are refused by counting, before they are kept.
  std::string commas(sanitized ? 1 : 41000000, ',');
  if (!sanitized) expect_message("[" + commas + "]", "41000000 values, expected at most 40000000");
}

TEST(SceneReader, TruncatedTexts) {
  const std::string text = scene_text(rich_scene());
  const std::size_t end = text.rfind('}');
  const std::size_t stride = sanitized ? 37 : 3;
  for (std::size_t size = 0; size <= end; size += stride)
    EXPECT_FALSE(survives(text.substr(0, size))) << size;
}

TEST(SceneReader, RandomChanges) {
  const std::string text = scene_text(rich_scene());
  Random random(3);
  const auto place = [&] {
    return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(text.size())));
  };
  for (int round = 0; round < (sanitized ? 300 : 3000); ++round) {
    std::string changed = text;
    for (int i = 0; i <= round % 3; ++i) changed[place()] = static_cast<char>(random.below(256));
    survives(changed);
    // A piece of the text elsewhere.
    const std::size_t from = place();
    survives(
        std::string(text).insert(place(), text.substr(from, static_cast<std::size_t>(random.below(30)))));
    survives(std::string(text).erase(place(), static_cast<std::size_t>(random.below(30))));
  }
}

// Calls visit with a copy of the document and the place of each value in it.
void for_each_value(const Json& document,
                    const std::function<void(Json&, const Json::json_pointer&)>& visit) {
  const Json flat = document.flatten();
  for (const auto& item : flat.items()) {
    for (Json::json_pointer at(item.key()); !at.empty(); at.pop_back()) {
      Json copy = document;
      visit(copy, at);
    }
  }
}

TEST(SceneReader, WrongTypesEverywhere) {
  const Json document = Json::parse(scene_text(rich_scene()));
  const Json others[] = {nullptr, true,          "word",         1e300,      -1,
                         0.5,     Json::array(), Json::object(), {{"a", 1}}, {1, 2}};
  int count = 0;
  for_each_value(document, [&](Json& copy, const Json::json_pointer& at) {
    if (sanitized && ++count % 10 != 0) return;
    for (const Json& other : others) {
      copy[at] = other;
      survives(copy.dump());
    }
  });
}

TEST(SceneReader, UnknownKeysEverywhere) {
  const Json document = Json::parse(scene_text(rich_scene()));
  int objects = 0;
  for_each_value(document, [&](Json& copy, const Json::json_pointer& at) {
    if (!copy[at].is_object() || at.back() == "parameters") return;
    ++objects;
    if (sanitized && objects % 10 != 0) return;
    copy[at]["something"] = 1;
    EXPECT_TRUE(has(message_of([&] { parse_scene(copy.dump(), {}); }), at.to_string() + "/something"));
  });
  EXPECT_GT(objects, 40);
}

TEST(SceneReader, MeshesFromFiles) {
  const ScratchFolder folder;
  folder.file("hill.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.file("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  folder.file("bad.obj", "v 0 0 0\nf 1 2 3\n");
  const auto scene_with = [&](const std::string& members) {
    return folder.file("scene.json",
                       R"({"version": 1, "shapes": [{"name": "hill", "type": "mesh", )" + members + "}]}");
  };
  const Scene scene = read_scene(scene_with(R"("file": "hill.obj")"));
  EXPECT_EQ(std::get<MeshShape>(scene.shapes[0].geometry).triangles.size(), 1u);
  const auto message = [&](const std::string& members) {
    return message_of([&] { read_scene(scene_with(members)); });
  };
  EXPECT_TRUE(has(message(R"("file": "../hill.obj")"),
                  "scene.json: /shapes/0/file (\"hill\"): '../hill.obj' is not below"));
  EXPECT_TRUE(has(message(R"("file": "/etc/passwd")"), "is not below the folder"));
  EXPECT_TRUE(has(message(R"("file": "none.obj")"), "none.obj: no such file"));
  EXPECT_TRUE(has(message(R"("file": "bad.obj")"), "a face has point 2, expected at most 1"));
  EXPECT_TRUE(
      has(message(R"("file": "flat.obj")"), "/shapes/0/triangles/0 (\"hill\"): the triangle has no area"));
  EXPECT_TRUE(has(message(R"("file": "hill.obj", "points": [])"), "there are points or triangles too"));
  EXPECT_TRUE(has(message(R"("file": 3)"), "a number, expected a text"));
  EXPECT_TRUE(has(message(R"("points": [])"), "/shapes/0/triangles (\"hill\"): missing"));
}

TEST(SceneReader, Files) {
  const ScratchFolder folder;
  write_scene(folder / "scene.json", rich_scene());
  EXPECT_EQ(all_bits(read_scene(folder / "scene.json")), all_bits(rich_scene()));
  EXPECT_TRUE(has(message_of([&] { read_scene(folder / "none.json"); }), "none.json: no such file"));
  EXPECT_TRUE(has(message_of([&] { read_scene(folder / "."); }), "is a folder"));
  EXPECT_TRUE(has(message_of([&] { read_scene(folder.file("bad.json", "{")); }), "bad.json: no JSON"));
}

#else

TEST(SceneReader, IsRefusedWithoutItsLibrary) {
  EXPECT_FALSE(reads_scenes());
  EXPECT_TRUE(
      has(message_of([] { parse_scene(scene_text(rich_scene()), {}); }), "made without nlohmann-json"));
}

#endif

}  // namespace slipstick::internal::scene_reader_test
