// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// docs/scene.schema.json and docs/scene-files.md, held against what is written and read.
#ifdef SLIPSTICK_HAS_JSON

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "slipstick/io/text_scanner.hpp"
#include "slipstick/scene_files.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "tests/io/scene_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::scene_schema_test {

using Json = nlohmann::json;

Json read_schema() {
  return Json::parse(read_file(std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "docs/scene.schema.json"));
}

// The keywords of JSON Schema (draft 7) that our schema uses. Others fail the test.
class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& schema) : root_(schema) {}

  /// Empty, or what is wrong.
  std::string explain(const Json& value) const { return explain(value, root_, ""); }

 private:
  std::string explain(const Json& value, const Json& schema, const std::string& at) const {
    for (const auto& item : schema.items()) {
      const std::string wrong = explain_keyword(value, schema, item.key(), item.value(), at);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  std::string explain_keyword(const Json& value, const Json& schema, const std::string& key, const Json& rule,
                              const std::string& at) const {
    const auto wrong_if = [&](bool wrong) {
      return wrong ? fmt::format("{}: {} {}", at, key, rule.dump()) : "";
    };
    if (key == "$ref")
      return explain(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), at);
    if (key == "type") return wrong_if(!has_type(value, rule.get<std::string>()));
    if (key == "const") return wrong_if(value != rule);
    if (key == "enum") return wrong_if(std::find(rule.begin(), rule.end(), value) == rule.end());
    if (key == "minimum") return wrong_if(value.is_number() && value < rule);
    if (key == "maximum") return wrong_if(value.is_number() && value > rule);
    if (key == "exclusiveMinimum") return wrong_if(value.is_number() && value <= rule);
    if (key == "minItems") return wrong_if(value.is_array() && value.size() < rule.get<std::size_t>());
    if (key == "maxItems") return wrong_if(value.is_array() && value.size() > rule.get<std::size_t>());
    if (key == "minLength")
      return wrong_if(value.is_string() && value.get<std::string>().size() < rule.get<std::size_t>());
    if (key == "maxLength")
      return wrong_if(value.is_string() && value.get<std::string>().size() > rule.get<std::size_t>());
    if (key == "allOf" || key == "anyOf" || key == "oneOf") return explain_choice(value, key, rule, at);
    if (key == "items" && value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string wrong = explain(value[i], rule, fmt::format("{}/{}", at, i));
        if (!wrong.empty()) return wrong;
      }
    } else if (key == "required" && value.is_object()) {
      for (const Json& member : rule) {
        if (!value.contains(member.get<std::string>())) return fmt::format("{}: lacks {}", at, member.dump());
      }
    } else if (key == "properties" && value.is_object()) {
      for (const auto& member : rule.items()) {
        if (!value.contains(member.key())) continue;
        const std::string wrong = explain(value[member.key()], member.value(), at + "/" + member.key());
        if (!wrong.empty()) return wrong;
      }
    } else if (key == "additionalProperties" && value.is_object()) {
      for (const auto& member : value.items()) {
        if (schema.contains("properties") && schema["properties"].contains(member.key())) continue;
        if (rule == false) return fmt::format("{}: {} is not known", at, member.key());
        const std::string wrong = explain(member.value(), rule, at + "/" + member.key());
        if (!wrong.empty()) return wrong;
      }
    }
    static const std::set<std::string> known = {
        "items",       "required", "properties",  "additionalProperties",
        "definitions", "title",    "description", "$schema"};
    EXPECT_TRUE(known.contains(key)) << "this test does not know the keyword " << key;
    return {};
  }

  std::string explain_choice(const Json& value, const std::string& key, const Json& rules,
                             const std::string& at) const {
    std::size_t fits = 0;
    std::string last;
    for (const Json& rule : rules) {
      const std::string wrong = explain(value, rule, at);
      fits += wrong.empty() ? 1 : 0;
      if (!wrong.empty()) last = wrong;
    }
    const bool good = key == "allOf" ? fits == rules.size() : key == "oneOf" ? fits == 1 : fits > 0;
    return good ? "" : fmt::format("{}: {} of {} fit {}, {}", at, fits, rules.size(), key, last);
  }

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    EXPECT_EQ(type, "number");
    return value.is_number();
  }

  const Json& root_;
};

// Calls visit with every definition of an object's members.
void for_each_object(const Json& schema, const std::function<void(const Json& properties)>& visit) {
  if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object())
    visit(schema["properties"]);
  if (!schema.is_structured()) return;
  for (const Json& part : schema) for_each_object(part, visit);
}

TEST(SceneSchema, TakesWhatIsWritten) {
  const Json schema = read_schema();
  const SchemaCheck check(schema);
  EXPECT_EQ(check.explain(Json::parse(scene_text(rich_scene()))), "");
  EXPECT_EQ(check.explain(Json::parse(scene_text(Scene{}))), "");
  EXPECT_EQ(check.explain(
                Json::parse(R"({"version": 1, "shapes": [{"name": "a", "type": "mesh", "file": "a.obj"}]})")),
            "");
}

// Built-in scenes fit the schema, and are read back as they were built.
TEST(SceneSchema, TakesTheBuiltInScenes) {
  const Json schema = read_schema();
  const SchemaCheck check(schema);
  for (const SceneRow& row : scene_rows()) {
    const Scene scene = make_scene(row.name);
    const std::string text = scene_text(scene);
    EXPECT_EQ(check.explain(Json::parse(text)), "") << row.name;
    EXPECT_EQ(all_bits(parse_scene(text, {})), all_bits(scene)) << row.name;
  }
}

TEST(SceneSchema, RefusesWhatTheReaderRefuses) {
  const Json schema = read_schema();
  const SchemaCheck check(schema);
  for (const char* text : {
           R"({})",
           R"({"version": 2})",
           R"({"version": 1, "stp": 1})",
           R"({"version": 1, "step": 0})",
           R"({"version": 1, "step": "1"})",
           R"({"version": 1, "gravity": [0, 0]})",
           R"({"version": 1, "materials": [{"name": "a", "friction": -1}]})",
           R"({"version": 1, "materials": [{"name": "a", "rolling_friction": 1}]})",
           R"({"version": 1, "materials": [{"name": ""}]})",
           R"({"version": 1, "shapes": [{"name": "a", "type": "box"}]})",
           R"({"version": 1, "shapes": [{"name": "a", "type": "ball", "radius": 1}]})",
           R"({"version": 1, "shapes": [{"name": "a", "type": "mesh", "file": "a.obj", "points": []}]})",
           R"({"version": 1, "bodies": [{"name": "a", "kind": "heavy"}]})",
           R"({"version": 1, "bodies": [{"name": "a", "mass": 0}]})",
           R"({"version": 1, "bodies": [{"name": "a", "group": -1}]})",
           R"({"version": 1, "joints": [{"bodies": [null, null]}]})",
       }) {
    EXPECT_NE(check.explain(Json::parse(text)), "") << text;
    EXPECT_NE(message_of([&] { parse_scene(text, {}); }), "") << text;
  }
}

// Every member that the reader takes is in the sample, so this shows that none is missing in the schema.
TEST(SceneSchema, EveryMemberIsWrittenSomewhere) {
  std::set<std::string> written;
  const std::function<void(const Json&)> collect = [&](const Json& value) {
    if (value.is_object())
      for (const auto& item : value.items()) written.insert(item.key());
    if (value.is_structured())
      for (const Json& part : value) collect(part);
  };
  collect(Json::parse(scene_text(rich_scene())));
  written.insert("file");
  for_each_object(read_schema(), [&](const Json& properties) {
    for (const auto& item : properties.items()) EXPECT_TRUE(written.contains(item.key())) << item.key();
  });
}

TEST(SceneSchema, EveryMemberIsDocumented) {
  const std::string page = read_file(std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "docs/scene-files.md");
  for_each_object(read_schema(), [&](const Json& properties) {
    for (const auto& item : properties.items())
      EXPECT_NE(page.find("`" + item.key() + "`"), std::string::npos)
          << "docs/scene-files.md lacks " << item.key();
  });
}

// The examples of the page are scenes.
TEST(SceneSchema, ExamplesOfThePageAreScenes) {
  const std::string page = read_file(std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "docs/scene-files.md");
  const Json schema = read_schema();
  const SchemaCheck check(schema);
  int count = 0;
  for (std::size_t at = page.find("```json\n"); at != page.npos; at = page.find("```json\n", at + 1)) {
    const std::size_t start = at + 8;
    const std::string text = page.substr(start, page.find("```", start) - start);
    EXPECT_EQ(message_of([&] { parse_scene(text, {}); }), "");
    EXPECT_EQ(check.explain(Json::parse(text)), "");
    ++count;
  }
  EXPECT_GE(count, 1);
}

}  // namespace slipstick::internal::scene_schema_test

#endif
