// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/scene_document.hpp"

#ifdef SLIPSTICK_HAVE_JSON

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "slipstick/base/error.hpp"
#include "slipstick/io/json_reading.hpp"
#include "slipstick/io/obj_mesh.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/scene_files.hpp"

namespace slipstick::internal {
namespace {

using Names = std::unordered_map<std::string, int>;

template <class Thing>
Names numbers_of(const std::vector<Thing>& things) {
  Names numbers;
  for (const Thing& thing : things) numbers.emplace(thing.name, static_cast<int>(numbers.size()));
  return numbers;
}

// The number of the thing that a value names.
int find_named(const Json& value, const Place& place, std::string_view what, const Names& numbers) {
  const std::string word = to_text(value, place);
  const auto found = numbers.find(word);
  if (found != numbers.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [its_name, number] : numbers) names.push_back(its_name);
  std::sort(names.begin(), names.end());
  place.fail("there is no {} \"{}\"{}", what, word, suggestion(word, names));
}

// Calls read(item, place) for every item of a list. The name of the item is in the place.
template <class Read>
void for_each_item(const JsonObject& object, std::string_view key, std::size_t most, const Read& read) {
  const Json* list = object.find(key);
  if (list == nullptr) return;
  const Place place = object.place(key);
  to_list(*list, place, 0, most);
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& item = (*list)[i];
    std::string_view its_name;
    if (item.is_object()) {
      const auto found = item.find("name");
      if (found != item.end() && found->is_string()) its_name = found->get_ref<const std::string&>();
    }
    read(item, (place / i).named(its_name));
  }
}

MaterialSpec read_material(const Json& value, const Place& place) {
  constexpr std::string_view known[] = {"name", "friction", "restitution", "tangential_restitution",
                                        "density"};
  const JsonObject object(value, place, known);
  MaterialSpec material;
  material.name = to_text(object.require("name"), object.place("name"));
  object.read("friction", material.friction);
  object.read("restitution", material.restitution);
  object.read("tangential_restitution", material.tangential_restitution);
  object.read("density", material.density);
  return material;
}

MaterialPair read_pair(const Json& value, const Place& place, const Names& materials) {
  constexpr std::string_view known[] = {"materials", "friction", "restitution", "tangential_restitution"};
  const JsonObject object(value, place, known);
  MaterialPair pair;
  const Place list = object.place("materials");
  const Json& both = to_list(object.require("materials"), list, 2, 2);
  for (const std::size_t i : {0, 1}) pair.materials[i] = find_named(both[i], list / i, "material", materials);
  object.read("friction", pair.friction);
  object.read("restitution", pair.restitution);
  object.read("tangential_restitution", pair.tangential_restitution);
  return pair;
}

std::vector<Eigen::Vector3d> read_points(const JsonObject& object, std::string_view key, std::size_t most) {
  const Place place = object.place(key);
  const Json& list = to_list(object.require(key), place, 0, most);
  std::vector<Eigen::Vector3d> points;
  points.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) points.push_back(to_vector(list[i], place / i));
  return points;
}

MeshShape read_mesh(const JsonObject& object, const std::filesystem::path& folder) {
  if (const Json* file = object.find("file")) {
    const Place place = object.place("file");
    if (object.find("points") != nullptr || object.find("triangles") != nullptr)
      place.fail("there are points or triangles too, expected one of both");
    try {
      return read_obj(folder, to_text(*file, place));
    } catch (const Error& error) {
      place.fail("{}", error.what());
    }
  }
  MeshShape mesh;
  mesh.points = read_points(object, "points", SceneLimits::mesh_points);
  const Place place = object.place("triangles");
  const Json& list = to_list(object.require("triangles"), place, 0, SceneLimits::triangles);
  mesh.triangles.reserve(list.size());
  for (std::size_t t = 0; t < list.size(); ++t) {
    const Place here = place / t;
    const Json& corners = to_list(list[t], here, 3, 3);
    std::array<int, 3>& triangle = mesh.triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const bool whole = corners[i].is_number_unsigned();
      if (!whole || corners[i].get<std::uint64_t>() >= mesh.points.size())
        (place / t / i).fail("expected the number of one of {} points, from 0", mesh.points.size());
      triangle[i] = corners[i].get<int>();
    }
  }
  return mesh;
}

HeightFieldShape read_heights(const JsonObject& object) {
  HeightFieldShape field;
  field.spacing = to_number(object.require("spacing"), object.place("spacing"));
  const Place place = object.place("heights");
  const Json& rows = to_list(object.require("heights"), place, 2, SceneLimits::heights);
  const std::size_t columns = to_list(rows[0], place / std::size_t{0}, 2, SceneLimits::heights).size();
  if (rows.size() > SceneLimits::heights / columns)
    place.fail("{} x {} heights, expected at most {}", rows.size(), columns, SceneLimits::heights);
  for (std::size_t i = 0; i < rows.size(); ++i) to_list(rows[i], place / i, columns, columns);
  field.heights.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Json& value = rows[i][j];
      if (!value.is_number()) to_number(value, place / i / j);
      field.heights(static_cast<Index>(i), static_cast<Index>(j)) = value.get<double>();
    }
  }
  return field;
}

template <class Round>
Round read_round(const JsonObject& object) {
  Round round;
  round.radius = to_number(object.require("radius"), object.place("radius"));
  round.height = to_number(object.require("height"), object.place("height"));
  return round;
}

ShapeSpec read_shape(const Json& value, const Place& place, const std::filesystem::path& folder) {
  constexpr std::string_view types[] = {"sphere", "box",   "capsule", "cylinder",    "cone",
                                        "hull",   "plane", "mesh",    "height_field"};
  constexpr std::string_view all[] = {"name",   "type",      "radius", "size",    "height",
                                      "points", "triangles", "file",   "spacing", "heights"};
  const JsonObject any(value, place, all);
  ShapeSpec shape;
  shape.name = to_text(any.require("name"), any.place("name"));
  const std::size_t type = any.word_number("type", any.require("type"), types);

  using Keys = std::vector<std::string_view>;
  const Keys own[] = {{"radius"},
                      {"size"},
                      {"radius", "height"},
                      {"radius", "height"},
                      {"radius", "height"},
                      {"points"},
                      {},
                      {"points", "triangles", "file"},
                      {"spacing", "heights"}};
  Keys known = own[type];
  known.insert(known.begin(), {"name", "type"});
  const JsonObject object(value, place, known);
  switch (type) {
    case 0:
      shape.geometry = SphereShape{to_number(object.require("radius"), object.place("radius"))};
      break;
    case 1:
      shape.geometry = BoxShape{to_vector(object.require("size"), object.place("size"))};
      break;
    case 2:
      shape.geometry = read_round<CapsuleShape>(object);
      break;
    case 3:
      shape.geometry = read_round<CylinderShape>(object);
      break;
    case 4:
      shape.geometry = read_round<ConeShape>(object);
      break;
    case 5:
      shape.geometry = HullShape{read_points(object, "points", SceneLimits::hull_points)};
      break;
    case 6:
      shape.geometry = PlaneShape{};
      break;
    case 7:
      shape.geometry = read_mesh(object, folder);
      break;
    default:
      shape.geometry = read_heights(object);
  }
  return shape;
}

// Without orientations the body keeps its own.
KeyFrames read_frames(const JsonObject& object, const Eigen::Quaterniond& orientation) {
  KeyFrames frames;
  const Place place = object.place("times");
  const Json& times = to_list(object.require("times"), place, 0, SceneLimits::key_frames);
  for (std::size_t i = 0; i < times.size(); ++i) frames.times.push_back(to_number(times[i], place / i));
  frames.positions = read_points(object, "positions", SceneLimits::key_frames);
  const Json* list = object.find("orientations");
  if (list == nullptr) {
    frames.orientations.assign(frames.times.size(), orientation);
    return frames;
  }
  to_list(*list, object.place("orientations"), 0, SceneLimits::key_frames);
  for (std::size_t i = 0; i < list->size(); ++i)
    frames.orientations.push_back(to_quaternion((*list)[i], object.place("orientations") / i));
  return frames;
}

Motion read_motion(const Json& value, const Place& place, const Eigen::Quaterniond& orientation) {
  constexpr std::string_view types[] = {"steady", "oscillation", "key_frames", "belt"};
  constexpr std::string_view twist_keys[] = {"type", "velocity", "spin"};
  constexpr std::string_view wave_keys[] = {"type", "amplitude", "turn", "frequency", "phase"};
  constexpr std::string_view frame_keys[] = {"type", "times", "positions", "orientations"};
  const std::span<const std::string_view> known[] = {twist_keys, wave_keys, frame_keys, twist_keys};
  constexpr std::string_view all[] = {"type",      "velocity", "spin",  "amplitude", "turn",
                                      "frequency", "phase",    "times", "positions", "orientations"};
  const JsonObject any(value, place, all);
  const std::size_t type = any.word_number("type", any.require("type"), types);
  const JsonObject object(value, place, known[type]);
  const auto read_twist = [&](auto twist) {
    object.read("velocity", twist.velocity);
    object.read("spin", twist.spin);
    return twist;
  };
  if (type == 0) return read_twist(SteadyMotion{});
  if (type == 2) return read_frames(object, orientation);
  if (type == 3) return read_twist(BeltMotion{});
  Oscillation wave;
  object.read("amplitude", wave.amplitude);
  object.read("turn", wave.turn);
  object.read("frequency", wave.frequency);
  object.read("phase", wave.phase);
  return wave;
}

// The names that a document has defined.
struct Known {
  Names materials;
  Names shapes;
  Names bodies;
};

BodySpec read_body(const Json& value, const Place& place, const Known& names) {
  constexpr std::string_view known[] = {"name",    "kind",     "shapes",      "mass",     "centre_of_mass",
                                        "inertia", "position", "orientation", "velocity", "spin",
                                        "motion",  "group",    "collides"};
  const JsonObject object(value, place, known);
  BodySpec body;
  body.name = to_text(object.require("name"), object.place("name"));
  object.read("kind", body.kind, BodyKind::moved);
  if (const Json* list = object.find("shapes")) {
    to_list(*list, object.place("shapes"), 0, SceneLimits::shapes_of_body);
    for (std::size_t i = 0; i < list->size(); ++i) {
      constexpr std::string_view part_keys[] = {"shape", "position", "orientation", "material"};
      const JsonObject part((*list)[i], object.place("shapes") / i, part_keys);
      ShapePlace& shape = body.shapes.emplace_back();
      shape.shape = find_named(part.require("shape"), part.place("shape"), "shape", names.shapes);
      part.read("position", shape.position);
      part.read("orientation", shape.orientation);
      if (const Json* material = part.find("material"))
        shape.material = find_named(*material, part.place("material"), "material", names.materials);
    }
  }
  object.read("mass", body.mass);
  object.read("centre_of_mass", body.centre_of_mass);
  object.read("inertia", body.inertia);
  object.read("position", body.position);
  object.read("orientation", body.orientation);
  object.read("velocity", body.velocity);
  object.read("spin", body.spin);
  if (const Json* motion = object.find("motion"))
    body.motion = read_motion(*motion, object.place("motion"), body.orientation);
  object.read("group", body.group);
  object.read("collides", body.collides);
  return body;
}

// Two names, or null for the world.
std::array<int, 2> read_bodies(const JsonObject& object, const Names& names) {
  const Place place = object.place("bodies");
  const Json& both = to_list(object.require("bodies"), place, 2, 2);
  std::array<int, 2> bodies = {-1, -1};
  for (const std::size_t i : {0, 1}) {
    if (!both[i].is_null()) bodies[i] = find_named(both[i], place / i, "body", names);
  }
  return bodies;
}

JointSpec read_joint(const Json& value, const Place& place, const Known& names) {
  constexpr std::string_view known[] = {
      "name",        "kind",      "bodies",         "point",           "second_point", "axis",
      "second_axis", "lower",     "upper",          "motor_speed",     "motor_force",  "friction",
      "soft",        "turn_soft", "breaking_force", "breaking_torque", "touching"};
  const JsonObject object(value, place, known);
  JointSpec joint;
  object.read("name", joint.name);
  object.require("kind");
  object.read("kind", joint.kind, JointKind::distance);
  joint.bodies = read_bodies(object, names.bodies);
  object.read("point", joint.point);
  object.read("second_point", joint.second_point);
  object.read("axis", joint.axis);
  object.read("second_axis", joint.second_axis);
  object.read("lower", joint.lower);
  object.read("upper", joint.upper);
  object.read("motor_speed", joint.motor_speed);
  object.read("motor_force", joint.motor_force);
  object.read("friction", joint.friction);
  object.read("soft", joint.soft);
  object.read("turn_soft", joint.turn_soft);
  object.read("breaking_force", joint.breaking_force);
  object.read("breaking_torque", joint.breaking_torque);
  object.read("touching", joint.touching);
  return joint;
}

CableSpec read_cable(const Json& value, const Place& place, const Known& names) {
  constexpr std::string_view known[] = {"name",  "bodies", "points",    "links",    "radius",  "mass",
                                        "joint", "soft",   "turn_soft", "material", "touching"};
  const JsonObject object(value, place, known);
  CableSpec cable;
  cable.name = to_text(object.require("name"), object.place("name"));
  cable.bodies = read_bodies(object, names.bodies);
  const std::vector<Eigen::Vector3d> ends = read_points(object, "points", 2);
  if (ends.size() != 2) object.place("points").fail("{} items, expected 2", ends.size());
  cable.points = {ends[0], ends[1]};
  object.read("links", cable.links);
  object.read("radius", cable.radius);
  object.read("mass", cable.mass);
  object.read("joint", cable.joint, JointKind::distance);
  object.read("soft", cable.soft);
  object.read("turn_soft", cable.turn_soft);
  if (const Json* material = object.find("material"))
    cable.material = find_named(*material, object.place("material"), "material", names.materials);
  object.read("touching", cable.touching);
  return cable;
}

void read_stepping(const JsonObject& root, Stepping& stepping) {
  const Json* value = root.find("stepping");
  if (value == nullptr) return;
  constexpr std::string_view known[] = {"scheme",
                                        "projection",
                                        "baumgarte",
                                        "contact_softness",
                                        "restitution",
                                        "restitution_threshold",
                                        "geometric_stiffness",
                                        "sleeping"};
  const JsonObject object(*value, root.place("stepping"), known);
  object.read("scheme", stepping.scheme, SteppingScheme::baumgarte);
  object.read("projection", stepping.projection);
  object.read("baumgarte", stepping.baumgarte);
  object.read("contact_softness", stepping.contact_softness);
  object.read("restitution", stepping.restitution, RestitutionLaw::moreau);
  object.read("restitution_threshold", stepping.restitution_threshold);
  object.read("geometric_stiffness", stepping.geometric_stiffness);
  object.read("sleeping", stepping.sleeping);
}

void read_parameters(const JsonObject& root, Scene& scene) {
  const Json* value = root.find("parameters");
  if (value == nullptr) return;
  const Place place = root.place("parameters");
  if (!value->is_object()) place.fail("{}, expected an object", kind_of(*value));
  if (value->size() > SceneLimits::parameters)
    place.fail("{} items, expected at most {}", value->size(), SceneLimits::parameters);
  for (const auto& item : value->items())
    scene.parameters[item.key()] = to_number(item.value(), place / item.key());
}

// Before anything else: a newer document may have keys that we do not know.
void check_version(const Json& document) {
  if (!document.is_object()) Place().fail("{}, expected an object", kind_of(document));
  const Place place = Place() / "version";
  const auto version = document.find("version");
  if (version == document.end()) place.fail("missing, expected {}", scene_file_version);
  if (!version->is_number_unsigned()) place.fail("{}, expected {}", kind_of(*version), scene_file_version);
  const auto number = version->get<std::uint64_t>();
  if (number > scene_file_version)
    place.fail("{} is newer than this program, which reads version {}", number, scene_file_version);
  if (number < scene_file_version) place.fail("{}, expected {}", number, scene_file_version);
}

// Where the parser is: in lists and objects, each in the one before.
class Whereabouts {
 public:
  void see(Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      levels_.emplace_back();
      levels_.back().is_list = event == Event::array_start;
    } else if (event == Event::key) {
      Level& object = levels_.back();
      object.key = value.get_ref<const std::string&>();
      if (!object.keys.insert(object.key).second) place().fail("the key is twice in an object");
    } else {
      if (event != Event::value) levels_.pop_back();
      if (!levels_.empty()) ++levels_.back().items;
    }
  }

 private:
  struct Level {
    bool is_list = false;
    std::size_t items = 0;  // before the present one
    std::string key;
    std::set<std::string> keys;
  };
  Place place() const {
    Place place;
    for (const Level& level : levels_) place = level.is_list ? place / level.items : place / level.key;
    return place;
  }

  std::vector<Level> levels_;
};

// The document. A key that is there twice is refused.
Json parse_document(std::string_view text) {
  Whereabouts whereabouts;
  const auto watch = [&](int, Json::parse_event_t event, const Json& value) {
    whereabouts.see(event, value);
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::exception& error) {
    std::string_view message = error.what();
    message.remove_prefix(std::min(message.find("] ") + 2, message.size()));  // the library's own number
    fail("no JSON: {}", printable(message, 300));
  }
}

}  // namespace

bool reads_scenes() {
  return true;
}

Scene scene_of_document(std::string_view text, const std::filesystem::path& folder) {
  constexpr std::string_view known[] = {
      "version", "name",   "summary",   "seed",     "parameters",    "gravity",          "duration",
      "step",    "law",    "tolerance", "stepping", "friction_rule", "restitution_rule", "materials",
      "pairs",   "shapes", "bodies",    "joints",   "cables"};
  const Json document = parse_document(text);
  check_version(document);
  const JsonObject root(document, Place(), known);
  Scene scene;
  root.read("name", scene.name);
  root.read("summary", scene.summary);
  root.read("seed", scene.seed);
  read_parameters(root, scene);
  root.read("gravity", scene.gravity);
  root.read("duration", scene.duration);
  root.read("step", scene.step);
  root.read("law", scene.law, FrictionLaw::box_once);
  root.read("tolerance", scene.tolerance);
  read_stepping(root, scene.stepping);
  root.read("friction_rule", scene.friction_rule, Combination::product);
  root.read("restitution_rule", scene.restitution_rule, Combination::product);

  Known names;
  if (root.find("materials") != nullptr) scene.materials.clear();
  for_each_item(root, "materials", SceneLimits::materials, [&](const Json& item, const Place& place) {
    scene.materials.push_back(read_material(item, place));
  });
  names.materials = numbers_of(scene.materials);
  for_each_item(root, "pairs", SceneLimits::pairs, [&](const Json& item, const Place& place) {
    scene.pairs.push_back(read_pair(item, place, names.materials));
  });
  for_each_item(root, "shapes", SceneLimits::shapes, [&](const Json& item, const Place& place) {
    scene.shapes.push_back(read_shape(item, place, folder));
  });
  names.shapes = numbers_of(scene.shapes);
  for_each_item(root, "bodies", SceneLimits::bodies, [&](const Json& item, const Place& place) {
    scene.bodies.push_back(read_body(item, place, names));
  });
  names.bodies = numbers_of(scene.bodies);
  for_each_item(root, "joints", SceneLimits::joints, [&](const Json& item, const Place& place) {
    scene.joints.push_back(read_joint(item, place, names));
  });
  for_each_item(root, "cables", SceneLimits::cables, [&](const Json& item, const Place& place) {
    scene.cables.push_back(read_cable(item, place, names));
  });
  return scene;
}

}  // namespace slipstick::internal

#else

#include "slipstick/base/error.hpp"

namespace slipstick::internal {

bool reads_scenes() {
  return false;
}

Scene scene_of_document(std::string_view, const std::filesystem::path&) {
  fail("scenes cannot be read: this build was made without nlohmann-json");
}

}  // namespace slipstick::internal

#endif
