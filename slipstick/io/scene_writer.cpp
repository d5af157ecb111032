// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scene_files.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/model/check.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

void append_json(std::string& text, double value) {
  if (value == 0.0 && std::signbit(value)) {
    text += "-0.0";  // "-0" would be read as an integer
  } else {
    append_format(text, "{}", value);
  }
}
void append_json(std::string& text, std::integral auto value) {
  append_format(text, "{}", value);
}
void append_json(std::string& text, bool value) {
  text += value ? "true" : "false";
}

void append_json(std::string& text, std::string_view value) {
  text += '"';
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;  // check() has refused control characters
  }
  text += '"';
}
void append_json(std::string& text, const std::string& value) {
  append_json(text, std::string_view(value));
}

// A list in brackets. `append` writes item i.
template <class Append>
void append_list(std::string& text, std::size_t count, const Append& append) {
  text += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    append(i);
  }
  text += ']';
}

void append_json(std::string& text, const Vector3d& vector) {
  append_list(text, 3, [&](std::size_t i) { append_json(text, vector[static_cast<int>(i)]); });
}
void append_json(std::string& text, const Quaterniond& q) {
  const double parts[] = {q.w(), q.x(), q.y(), q.z()};
  append_list(text, 4, [&](std::size_t i) { append_json(text, parts[i]); });
}
void append_json(std::string& text, const Matrix3d& matrix) {
  append_list(text, 3, [&](std::size_t row) {
    append_json(text, Vector3d(matrix.row(static_cast<int>(row)).transpose()));
  });
}
void append_json(std::string& text, const std::array<int, 3>& numbers) {
  append_list(text, 3, [&](std::size_t i) { append_json(text, numbers[i]); });
}
template <class Value>
void append_json(std::string& text, const std::vector<Value>& values) {
  append_list(text, values.size(), [&](std::size_t i) { append_json(text, values[i]); });
}
void append_json(std::string& text, const Eigen::MatrixXd& heights) {
  append_list(text, static_cast<std::size_t>(heights.rows()), [&](std::size_t row) {
    append_list(text, static_cast<std::size_t>(heights.cols()), [&](std::size_t column) {
      append_json(text, heights(static_cast<int>(row), static_cast<int>(column)));
    });
  });
}

bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool is_same(const Vector3d& a, const Vector3d& b) {
  return is_same(a.x(), b.x()) && is_same(a.y(), b.y()) && is_same(a.z(), b.z());
}
bool is_same(const Quaterniond& a, const Quaterniond& b) {
  return is_same(a.w(), b.w()) && is_same(a.vec(), b.vec());
}
template <class Value>
bool is_same(const Value& a, const Value& b) {
  return a == b;
}

// Writes the members of one object, on one line.
class ObjectText {
 public:
  explicit ObjectText(std::string& text) : text_(text) { text_ += '{'; }
  void end() { text_ += '}'; }

  std::string& key(std::string_view its_key) {
    if (!first_) text_ += ", ";
    first_ = false;
    append_json(text_, its_key);
    text_ += ": ";
    return text_;
  }
  template <class Value>
  void add(std::string_view its_key, const Value& value) {
    append_json(key(its_key), value);
  }
  // Unless it is the default.
  template <class Value>
  void add(std::string_view its_key, const Value& value, const std::type_identity_t<Value>& its_default) {
    if (!is_same(value, its_default)) add(its_key, value);
  }
  template <class Value>
  void add(std::string_view its_key, const std::optional<Value>& value) {
    if (value) add(its_key, *value);
  }
  void add(std::string_view its_key, const std::optional<Stiffness>& soft) {
    if (!soft) return;
    ObjectText object(key(its_key));
    object.add("stiffness", soft->stiffness);
    object.add("damping", soft->damping, Stiffness{}.damping);
    object.end();
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add_choice(std::string_view its_key, Enum value, Enum its_default) {
    if (value != its_default) add(its_key, name(value));
  }

 private:
  std::string& text_;
  bool first_ = true;
};

void append_shape(std::string& text, const ShapeSpec& shape) {
  ObjectText object(text);
  object.add("name", shape.name);
  const auto add_round = [&](std::string_view type, const auto& round) {
    object.add("type", type);
    object.add("radius", round.radius);
    object.add("height", round.height);
  };
  std::visit(Overloaded{
                 [&](const SphereShape& sphere) {
                   object.add("type", std::string_view("sphere"));
                   object.add("radius", sphere.radius);
                 },
                 [&](const BoxShape& box) {
                   object.add("type", std::string_view("box"));
                   object.add("size", box.size);
                 },
                 [&](const CapsuleShape& capsule) { add_round("capsule", capsule); },
                 [&](const CylinderShape& cylinder) { add_round("cylinder", cylinder); },
                 [&](const ConeShape& cone) { add_round("cone", cone); },
                 [&](const HullShape& hull) {
                   object.add("type", std::string_view("hull"));
                   object.add("points", hull.points);
                 },
                 [&](const PlaneShape&) { object.add("type", std::string_view("plane")); },
                 [&](const MeshShape& mesh) {
                   object.add("type", std::string_view("mesh"));
                   object.add("points", mesh.points);
                   object.add("triangles", mesh.triangles);
                 },
                 [&](const HeightFieldShape& field) {
                   object.add("type", std::string_view("height_field"));
                   object.add("spacing", field.spacing);
                   object.add("heights", field.heights);
                 },
             },
             shape.geometry);
  object.end();
}

void append_motion(std::string& text, const Motion& motion) {
  ObjectText object(text);
  const auto add_twist = [&](std::string_view type, const auto& twist) {
    object.add("type", type);
    object.add("velocity", twist.velocity, Vector3d::Zero());
    object.add("spin", twist.spin, Vector3d::Zero());
  };
  std::visit(Overloaded{
                 [](const std::monostate&) {},
                 [&](const SteadyMotion& steady) { add_twist("steady", steady); },
                 [&](const Oscillation& wave) {
                   const Oscillation defaults;
                   object.add("type", std::string_view("oscillation"));
                   object.add("amplitude", wave.amplitude, defaults.amplitude);
                   object.add("turn", wave.turn, defaults.turn);
                   object.add("frequency", wave.frequency);
                   object.add("phase", wave.phase, defaults.phase);
                 },
                 [&](const KeyFrames& frames) {
                   object.add("type", std::string_view("key_frames"));
                   object.add("times", frames.times);
                   object.add("positions", frames.positions);
                   object.add("orientations", frames.orientations);
                 },
                 [&](const BeltMotion& belt) { add_twist("belt", belt); },
             },
             motion);
  object.end();
}

void append_material(std::string& text, const MaterialSpec& material) {
  const MaterialSpec defaults;
  ObjectText object(text);
  object.add("name", material.name);
  object.add("friction", material.friction);
  object.add("restitution", material.restitution, defaults.restitution);
  object.add("tangential_restitution", material.tangential_restitution, defaults.tangential_restitution);
  object.add("density", material.density);
  object.end();
}

void append_pair(std::string& text, const Scene& scene, const MaterialPair& pair) {
  ObjectText object(text);
  append_list(object.key("materials"), 2,
              [&](std::size_t i) { append_json(text, scene.materials[pair.materials[i]].name); });
  object.add("friction", pair.friction);
  object.add("restitution", pair.restitution);
  object.add("tangential_restitution", pair.tangential_restitution);
  object.end();
}

void append_body(std::string& text, const Scene& scene, const BodySpec& body) {
  const BodySpec defaults;
  ObjectText object(text);
  object.add("name", body.name);
  object.add_choice("kind", body.kind, defaults.kind);
  if (!body.shapes.empty()) {
    append_list(object.key("shapes"), body.shapes.size(), [&](std::size_t i) {
      const ShapePlace& part = body.shapes[i];
      ObjectText place(text);
      place.add("shape", scene.shapes[part.shape].name);
      place.add("position", part.position, Vector3d::Zero());
      place.add("orientation", part.orientation, Quaterniond::Identity());
      if (part.material != 0) place.add("material", scene.materials[part.material].name);
      place.end();
    });
  }
  object.add("mass", body.mass);
  object.add("centre_of_mass", body.centre_of_mass);
  object.add("inertia", body.inertia);
  object.add("position", body.position, defaults.position);
  object.add("orientation", body.orientation, defaults.orientation);
  object.add("velocity", body.velocity, defaults.velocity);
  object.add("spin", body.spin, defaults.spin);
  if (!std::holds_alternative<std::monostate>(body.motion)) append_motion(object.key("motion"), body.motion);
  object.add("group", body.group, defaults.group);
  object.add("collides", body.collides, defaults.collides);
  object.end();
}

// Two bodies by name; null for the world.
void append_bodies(std::string& text, const Scene& scene, const std::array<int, 2>& bodies) {
  append_list(text, 2, [&](std::size_t i) {
    if (bodies[i] < 0) {
      text += "null";
    } else {
      append_json(text, scene.bodies[bodies[i]].name);
    }
  });
}

void append_joint(std::string& text, const Scene& scene, const JointSpec& joint) {
  const JointSpec defaults;
  ObjectText object(text);
  object.add("name", joint.name, defaults.name);
  object.add("kind", name(joint.kind));
  append_bodies(object.key("bodies"), scene, joint.bodies);
  object.add("point", joint.point, defaults.point);
  object.add("second_point", joint.second_point, defaults.second_point);
  object.add("axis", joint.axis, defaults.axis);
  object.add("second_axis", joint.second_axis, defaults.second_axis);
  object.add("lower", joint.lower, defaults.lower);
  object.add("upper", joint.upper, defaults.upper);
  object.add("motor_speed", joint.motor_speed, defaults.motor_speed);
  object.add("motor_force", joint.motor_force, defaults.motor_force);
  object.add("friction", joint.friction, defaults.friction);
  object.add("soft", joint.soft);
  object.add("turn_soft", joint.turn_soft);
  object.add("breaking_force", joint.breaking_force, defaults.breaking_force);
  object.add("breaking_torque", joint.breaking_torque, defaults.breaking_torque);
  object.add("touching", joint.touching, defaults.touching);
  object.end();
}

void append_cable(std::string& text, const Scene& scene, const CableSpec& cable) {
  const CableSpec defaults;
  ObjectText object(text);
  object.add("name", cable.name);
  append_bodies(object.key("bodies"), scene, cable.bodies);
  append_list(object.key("points"), 2, [&](std::size_t i) { append_json(text, cable.points[i]); });
  object.add("links", cable.links);
  object.add("radius", cable.radius);
  object.add("mass", cable.mass);
  object.add_choice("joint", cable.joint, defaults.joint);
  object.add("soft", cable.soft);
  object.add("turn_soft", cable.turn_soft);
  if (cable.material != 0) object.add("material", scene.materials[cable.material].name);
  object.add("touching", cable.touching, defaults.touching);
  object.end();
}

void append_stepping(std::string& text, const Stepping& stepping) {
  const Stepping defaults;
  ObjectText object(text);
  object.add("scheme", name(stepping.scheme));
  object.add("projection", stepping.projection);
  object.add("baumgarte", stepping.baumgarte, defaults.baumgarte);
  object.add("contact_softness", stepping.contact_softness);
  object.add("restitution", name(stepping.restitution));
  object.add("restitution_threshold", stepping.restitution_threshold);
  object.add("geometric_stiffness", stepping.geometric_stiffness);
  object.add("sleeping", stepping.sleeping);
  object.end();
}

}  // namespace
}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;

std::string scene_text(const Scene& scene) {
  check(scene);
  std::string text = "{\n";
  const auto key = [&](std::string_view its_key) -> std::string& {
    if (text.size() > 2) text += ",\n";
    text += "  ";
    append_json(text, its_key);
    text += ": ";
    return text;
  };
  const auto add = [&](std::string_view its_key, const auto& value) { append_json(key(its_key), value); };
  add("version", scene_file_version);
  add("name", scene.name);
  if (!scene.summary.empty()) add("summary", scene.summary);
  add("seed", scene.seed);
  if (!scene.parameters.empty()) {
    ObjectText object(key("parameters"));
    for (const auto& [its_key, value] : scene.parameters) object.add(its_key, value);
    object.end();
  }
  add("gravity", scene.gravity);
  add("duration", scene.duration);
  add("step", scene.step);
  add("law", name(scene.law));
  add("tolerance", scene.tolerance);
  append_stepping(key("stepping"), scene.stepping);
  add("friction_rule", name(scene.friction_rule));
  add("restitution_rule", name(scene.restitution_rule));

  // One item per line.
  const auto add_items = [&](std::string_view its_key, const auto& items, const auto& append) {
    if (items.empty() && its_key != "materials") return;
    key(its_key) += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      text += i == 0 ? "\n    " : ",\n    ";
      append(items[i]);
    }
    text += items.empty() ? "]" : "\n  ]";
  };
  add_items("materials", scene.materials, [&](const MaterialSpec& item) { append_material(text, item); });
  add_items("pairs", scene.pairs, [&](const MaterialPair& item) { append_pair(text, scene, item); });
  add_items("shapes", scene.shapes, [&](const ShapeSpec& item) { append_shape(text, item); });
  add_items("bodies", scene.bodies, [&](const BodySpec& item) { append_body(text, scene, item); });
  add_items("joints", scene.joints, [&](const JointSpec& item) { append_joint(text, scene, item); });
  add_items("cables", scene.cables, [&](const CableSpec& item) { append_cable(text, scene, item); });
  return text + "\n}\n";
}

void write_scene(const std::filesystem::path& path, const Scene& scene) {
  write_text_atomically(path, scene_text(scene));
}

}  // namespace slipstick
