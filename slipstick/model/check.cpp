// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/check.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "slipstick/base/utf8.hpp"
#include "slipstick/model/check_bodies.hpp"
#include "slipstick/model/check_joints.hpp"
#include "slipstick/model/check_shapes.hpp"
#include "slipstick/model/value_checks.hpp"

namespace slipstick::internal {
namespace {

constexpr std::size_t summary_bytes = 10'000;

// UTF-8 without control characters.
void check_text(const Place& place, std::string_view key, std::string_view text, std::size_t most) {
  if (text.size() > most) (place / key).fail("{} bytes, expected at most {}", text.size(), most);
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) (place / key).fail("the text is not UTF-8");
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x20 || first == 0x7F) (place / key).fail("the text has control characters");
    text.remove_prefix(length);
  }
}

// Each name is there once. Only joints may have none.
template <class Thing>
void check_names(std::string_view list, const std::vector<Thing>& things, bool required = true) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string& its_name = things[i].name;
    if (its_name.empty()) {
      if (required) (Place() / list / i / "name").fail("empty, expected a name");
      continue;
    }
    check_text(Place() / list / i, "name", its_name, SceneLimits::name_bytes);
    const auto [earlier, is_new] = numbers.emplace(its_name, i);
    if (!is_new)
      (Place() / list / i / "name").fail("\"{}\" is the name of /{}/{} too", its_name, list, earlier->second);
  }
}

// What the links of cables are called is not the name of anything else.
template <class Thing>
void check_cable_names(std::string_view list, const std::vector<Thing>& things,
                       const std::unordered_set<std::string_view>& cables) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string_view its_name = things[i].name;
    for (const std::string_view part : {"/link", "/joint"}) {
      const std::size_t at = its_name.rfind(part);
      if (at != its_name.npos && cables.contains(its_name.substr(0, at)))
        (Place() / list / i / "name").fail("\"{}\" is the name of a part of a cable", its_name);
    }
  }
}

void check_names(const Scene& scene) {
  check_names("materials", scene.materials);
  check_names("shapes", scene.shapes);
  check_names("bodies", scene.bodies);
  check_names("joints", scene.joints, false);
  check_names("cables", scene.cables);
  if (scene.cables.empty()) return;
  std::unordered_set<std::string_view> cables;
  for (const CableSpec& cable : scene.cables) cables.insert(cable.name);
  check_cable_names("shapes", scene.shapes, cables);
  check_cable_names("bodies", scene.bodies, cables);
  check_cable_names("joints", scene.joints, cables);
  check_cable_names("cables", scene.cables, cables);
}

void check_counts(const Scene& scene) {
  const Place root;
  check_count(root, "materials", scene.materials.size(), SceneLimits::materials);
  check_count(root, "pairs", scene.pairs.size(), SceneLimits::pairs);
  check_count(root, "shapes", scene.shapes.size(), SceneLimits::shapes);
  check_count(root, "bodies", scene.bodies.size(), SceneLimits::bodies);
  check_count(root, "joints", scene.joints.size(), SceneLimits::joints);
  check_count(root, "cables", scene.cables.size(), SceneLimits::cables);
  check_count(root, "parameters", scene.parameters.size(), SceneLimits::parameters);
  std::size_t links = scene.bodies.size();
  for (const CableSpec& cable : scene.cables) links += static_cast<std::size_t>(std::max(cable.links, 0));
  if (links > SceneLimits::bodies)
    (root / "cables").fail("{} bodies with the links, expected at most {}", links, SceneLimits::bodies);
}

void check_run(const Scene& scene) {
  const Place root;
  check_text(root, "name", scene.name, SceneLimits::name_bytes);
  check_text(root, "summary", scene.summary, summary_bytes);
  for (const auto& [key, value] : scene.parameters) {
    check_text(root, "parameters", key, SceneLimits::name_bytes);
    check_finite(root / "parameters", key, value);
  }
  check_finite(root, "gravity", scene.gravity);
  check_positive(root, "step", scene.step);
  check_positive(root, "duration", scene.duration);
  if (scene.duration / scene.step > SceneLimits::steps)
    (root / "duration")
        .fail("{} steps, expected at most {}", scene.duration / scene.step, SceneLimits::steps);
  check_positive(root, "tolerance", scene.tolerance);

  const Place stepping = root / "stepping";
  check_share(stepping, "baumgarte", scene.stepping.baumgarte);
  check_softness(stepping, "contact_softness", scene.stepping.contact_softness);
  if (scene.stepping.contact_softness && scene.stepping.scheme != SteppingScheme::baumgarte)
    (stepping / "contact_softness").fail("the scheme is {}, expected baumgarte", name(scene.stepping.scheme));
  if (scene.stepping.restitution_threshold)
    check_not_negative(stepping, "restitution_threshold", *scene.stepping.restitution_threshold);
}

void check_tangential(const Place& place, const Scene& scene, double value) {
  check_share(place, "tangential_restitution", value);
  if (value != 0.0 && scene.stepping.restitution != RestitutionLaw::moreau) {
    (place / "tangential_restitution")
        .fail("{} with the restitution law {}, expected 0, or the law moreau", value,
              name(scene.stepping.restitution));
  }
}

void check_materials(const Scene& scene) {
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const MaterialSpec& material = scene.materials[i];
    const Place place = (Place() / "materials" / i).named(material.name);
    check_not_negative(place, "friction", material.friction);
    check_share(place, "restitution", material.restitution);
    check_tangential(place, scene, material.tangential_restitution);
    check_positive(place, "density", material.density);
  }
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
    const MaterialPair& pair = scene.pairs[i];
    const Place place = Place() / "pairs" / i;
    for (const int material : pair.materials)
      check_index(place, "materials", material, scene.materials.size());
    if (!seen.insert(std::minmax(pair.materials[0], pair.materials[1])).second)
      (place / "materials").fail("an earlier pair has the same materials");
    if (pair.friction) check_not_negative(place, "friction", *pair.friction);
    if (pair.restitution) check_share(place, "restitution", *pair.restitution);
    if (pair.tangential_restitution) check_tangential(place, scene, *pair.tangential_restitution);
  }
}

}  // namespace

void check(const Scene& scene) {
  check_counts(scene);
  check_run(scene);
  check_names(scene);
  check_materials(scene);
  const auto place = [](std::string_view list, std::size_t i, const std::string& its_name) {
    return (Place() / list / i).named(its_name);
  };
  for (std::size_t i = 0; i < scene.shapes.size(); ++i)
    check_geometry(place("shapes", i, scene.shapes[i].name), scene.shapes[i].geometry);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    check_body(place("bodies", i, scene.bodies[i].name), scene, scene.bodies[i]);
  for (std::size_t i = 0; i < scene.joints.size(); ++i)
    check_joint(place("joints", i, scene.joints[i].name), scene, scene.joints[i]);
  for (std::size_t i = 0; i < scene.cables.size(); ++i)
    check_cable(place("cables", i, scene.cables[i].name), scene, scene.cables[i]);
}

}  // namespace slipstick::internal
