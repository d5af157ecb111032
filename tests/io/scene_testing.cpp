// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/scene_testing.hpp"

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include "tests/support/sample_scene.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

// Structured bindings fail to compile if a member is added that is missing here.
class BitText {
 public:
  std::string text;

  template <class... Values>
  void all(const Values&... values) {
    text += '(';
    (add(values), ...);
    text += ')';
  }

 private:
  void add(double value) { text += fmt::format("{:016x} ", std::bit_cast<std::uint64_t>(value)); }
  void add(std::integral auto value) { text += fmt::format("{} ", value); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add(Enum value) { add(static_cast<int>(value)); }
  void add(const std::string& value) { text += fmt::format("'{}' ", value); }
  template <class Value>
  void add(const std::optional<Value>& value) {
    text += value ? "some " : "none ";
    if (value) add(*value);
  }
  template <class Value, std::size_t count>
  void add(const std::array<Value, count>& values) {
    for (const Value& value : values) add(value);
  }
  template <class Value>
  void add(const std::vector<Value>& values) {
    add(values.size());
    for (const Value& value : values) add(value);
  }
  template <class Key, class Value, class Less>
  void add(const std::map<Key, Value, Less>& values) {
    for (const auto& [key, value] : values) all(key, value);
  }
  template <class Derived>
  void add(const Eigen::MatrixBase<Derived>& matrix) {
    for (int i = 0; i < matrix.rows(); ++i)
      for (int j = 0; j < matrix.cols(); ++j) add(matrix(i, j));
  }
  void add(const Eigen::Quaterniond& q) { add(q.coeffs()); }
  template <class... Kinds>
  void add(const std::variant<Kinds...>& value) {
    add(value.index());
    std::visit([&](const auto& kind) { add(kind); }, value);
  }
  void add(const std::monostate&) {}
  void add(const Stiffness& value) {
    const auto& [stiffness, damping] = value;
    all(stiffness, damping);
  }
  void add(const SphereShape& value) { all(value.radius); }
  void add(const BoxShape& value) { all(value.size); }
  template <class Round>
  requires requires(Round round) { round.height; }
  void add(const Round& value) {
    const auto& [radius, height] = value;
    all(radius, height);
  }
  void add(const HullShape& value) { all(value.points); }
  void add(const PlaneShape&) {}
  void add(const MeshShape& value) {
    const auto& [points, triangles] = value;
    all(points, triangles);
  }
  void add(const HeightFieldShape& value) {
    const auto& [heights, spacing] = value;
    all(heights.rows(), heights, spacing);
  }
  void add(const ShapeSpec& value) {
    const auto& [name, geometry] = value;
    all(name, geometry);
  }
  void add(const ShapePlace& value) {
    const auto& [shape, position, orientation, material] = value;
    all(shape, position, orientation, material);
  }
  void add(const MaterialSpec& value) {
    const auto& [name, friction, restitution, tangential, density] = value;
    all(name, friction, restitution, tangential, density);
  }
  void add(const MaterialPair& value) {
    const auto& [materials, friction, restitution, tangential] = value;
    all(materials, friction, restitution, tangential);
  }
  void add(const SteadyMotion& value) { all(value.velocity, value.spin); }
  void add(const BeltMotion& value) { all(value.velocity, value.spin); }
  void add(const Oscillation& value) {
    const auto& [amplitude, turn, frequency, phase] = value;
    all(amplitude, turn, frequency, phase);
  }
  void add(const KeyFrames& value) {
    const auto& [times, positions, orientations] = value;
    all(times, positions, orientations);
  }
  void add(const BodySpec& value) {
    const auto& [name, kind, shapes, mass, centre, inertia, position, orientation, velocity, spin, motion,
                 group, collides] = value;
    all(name, kind, shapes, mass, centre, inertia, position, orientation, velocity, spin, motion, group,
        collides);
  }
  void add(const JointSpec& value) {
    const auto& [name, kind, bodies, point, second_point, axis, second_axis, lower, upper, motor_speed,
                 motor_force, friction, soft, turn_soft, breaking_force, breaking_torque, touching] = value;
    all(name, kind, bodies, point, second_point, axis, second_axis, lower, upper, motor_speed, motor_force,
        friction, soft, turn_soft, breaking_force, breaking_torque, touching);
  }
  void add(const CableSpec& value) {
    const auto& [name, bodies, points, links, radius, mass, joint, soft, turn_soft, material, touching] =
        value;
    all(name, bodies, points, links, radius, mass, joint, soft, turn_soft, material, touching);
  }

 public:
  void add(const Stepping& value) {
    const auto& [scheme, projection, baumgarte, softness, restitution, threshold, stiffness, sleeping] =
        value;
    all(scheme, projection, baumgarte, softness, restitution, threshold, stiffness, sleeping);
  }
};

}  // namespace

Scene rich_scene() {
  Scene scene = sample_scene();
  scene.name = "rich \"quoted\" \\ name";
  scene.summary =
      "Gr\xc3\xbc\xc3\x9f"
      "e";
  scene.seed = std::numeric_limits<std::uint64_t>::max();
  scene.parameters["third"] = 1.0 / 3.0;
  scene.gravity = {-0.0, 1e-300, -9.80665};
  scene.duration = 0.1 + 0.2;
  scene.step = 1.0 / 60.0;
  scene.law = FrictionLaw::box;
  scene.tolerance = 1e-7;
  scene.stepping = {.scheme = SteppingScheme::baumgarte,
                    .projection = false,
                    .baumgarte = 0.3,
                    .contact_softness = Stiffness{1e9, 1.0 / 7.0},
                    .restitution = RestitutionLaw::moreau,
                    .restitution_threshold = 0.0,
                    .geometric_stiffness = false,
                    .sleeping = true};
  scene.friction_rule = Combination::product;
  scene.restitution_rule = Combination::smaller;
  scene.materials[1].tangential_restitution = 0.25;
  scene.materials[1].density = 7800.0;
  scene.pairs[0].restitution = 0.125;
  scene.pairs[0].tangential_restitution = 1.0;
  scene.shapes[8].geometry =
      HeightFieldShape{Eigen::MatrixXd{{0.1, 0.2}, {-0.0, 1.0 / 3.0}, {4.0, 5.0}}, 0.7};
  BodySpec& lid = scene.bodies[1];
  lid.shapes[0].position = {0.1, -0.0, 0.3};
  lid.shapes[0].orientation = Eigen::Quaterniond(1, 2, 3, 4).normalized();
  lid.centre_of_mass = Vector3d(0.1, 0.2, 0.3);
  lid.inertia = Eigen::Matrix3d{{1.0, 0.1, 0.2}, {0.1, 1.1, 0.3}, {0.2, 0.3, 1.2}};
  lid.position = {1e22, -1e-7, 123456789.125};
  // Off by a rounding error, which must stay.
  lid.orientation = Eigen::Quaterniond(4, 3, 2, 1).normalized();
  lid.orientation.w() = std::nextafter(lid.orientation.w(), 1.0);
  lid.velocity = {1, 2, 3};
  lid.spin = {4, 5, 6};
  lid.group = 6;
  lid.collides = 0x80000001;
  scene.bodies[4].motion = BeltMotion{{1, 0, -0.0}, {0, 2, 0}};
  scene.bodies[6].motion = Oscillation{{1, 2, 3}, {0.1, 0.2, 0.3}, 2.5, 0.7};
  scene.bodies[7].motion = SteadyMotion{{1, 2, 3}, {0.1, 0.2, 0.3}};
  scene.joints[0] = {.name = "hinge",
                     .kind = JointKind::hinge,
                     .bodies = {1, -1},
                     .point = {1, 2, 3},
                     .second_point = {3, 2, 1},
                     .axis = {0.1, 0.2, 0.3},
                     .second_axis = {1, 1, 1},
                     .lower = -0.1,
                     .upper = 0.2,
                     .motor_speed = -3.0,
                     .motor_force = 10.0,
                     .friction = 0.5,
                     .soft = Stiffness{100.0, 3.0},
                     .turn_soft = Stiffness{50.0, 0.0},
                     .breaking_force = 1e4,
                     .breaking_torque = 1e3,
                     .touching = true};
  scene.joints.push_back({.name = "slide", .kind = JointKind::slider, .bodies = {2, 1}, .upper = 2.0});
  scene.joints.push_back({.name = "glue", .kind = JointKind::fixed, .bodies = {-1, 2}});
  scene.cables[0].links = 3;
  scene.cables[0].radius = 0.02;
  scene.cables[0].mass = 2.5;
  scene.cables[0].joint = JointKind::universal;
  scene.cables[0].soft = Stiffness{1e6, 0.0};
  scene.cables[0].turn_soft = Stiffness{10.0, 0.5};
  scene.cables[0].material = 1;
  scene.cables[0].touching = true;
  return scene;
}

std::string all_bits(const Scene& scene) {
  const auto& [name, summary, seed, parameters, gravity, duration, step, law, tolerance, stepping,
               friction_rule, restitution_rule, materials, pairs, shapes, bodies, joints, cables] = scene;
  BitText bits;
  bits.add(stepping);
  bits.all(name, summary, seed, parameters, gravity, duration, step, law, tolerance, friction_rule,
           restitution_rule, materials, pairs, shapes, bodies, joints, cables);
  return bits.text;
}

}  // namespace slipstick::internal
