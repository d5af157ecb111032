// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/check_joints.hpp"

#include <cmath>
#include <limits>

#include "slipstick/model/value_checks.hpp"

namespace slipstick::internal {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool immovable(const Scene& scene, int body) {
  return body < 0 || scene.bodies[body].kind != BodyKind::movable;
}

void check_breaking(const Place& place, std::string_view key, double value) {
  if (!(value > 0.0)) (place / key).fail("{}, expected a positive number", value);
}

// What only hinges and sliders have.
void check_coordinate(const Place& place, const JointSpec& joint) {
  const bool has_coordinate = joint.kind == JointKind::hinge || joint.kind == JointKind::slider;
  const auto check_kind = [&](std::string_view key, bool given) {
    if (given && !has_coordinate)
      (place / key)
          .fail("the joint is a {} joint, expected this of hinges and sliders only", name(joint.kind));
  };
  check_kind("lower", joint.lower != -infinite);
  check_kind("upper", joint.upper != infinite);
  check_kind("motor_speed", joint.motor_speed != 0.0);
  check_kind("motor_force", joint.motor_force != 0.0);
  check_kind("friction", joint.friction != 0.0);
  if (std::isnan(joint.lower) || joint.lower == infinite)
    (place / "lower").fail("{}, expected a finite number or none", joint.lower);
  if (std::isnan(joint.upper) || joint.upper == -infinite)
    (place / "upper").fail("{}, expected a finite number or none", joint.upper);
  if (joint.lower > joint.upper)
    (place / "lower").fail("{} is above the upper stop {}", joint.lower, joint.upper);
  check_finite(place, "motor_speed", joint.motor_speed);
  check_not_negative(place, "motor_force", joint.motor_force);
  check_not_negative(place, "friction", joint.friction);
}

}  // namespace

void check_joint(const Place& place, const Scene& scene, const JointSpec& joint) {
  for (const int body : joint.bodies) check_index(place, "bodies", body, scene.bodies.size(), -1);
  if (joint.bodies[0] == joint.bodies[1])
    (place / "bodies").fail("both are {}, expected two different ones", joint.bodies[0]);
  if (immovable(scene, joint.bodies[0]) && immovable(scene, joint.bodies[1]))
    (place / "bodies").fail("neither is movable, expected one that is");
  check_finite(place, "point", joint.point);
  check_finite(place, "second_point", joint.second_point);
  check_direction(place, "axis", joint.axis);
  check_direction(place, "second_axis", joint.second_axis);
  if (joint.kind == JointKind::universal) {
    const double cosine = joint.axis.normalized().dot(joint.second_axis.normalized());
    if (std::abs(cosine) > 1e-6)
      (place / "second_axis").fail("the cosine with the first axis is {}, expected a right angle", cosine);
  }
  if (joint.kind == JointKind::distance && joint.point == joint.second_point)
    (place / "second_point").fail("it is the first point, expected a distance");
  check_coordinate(place, joint);
  check_softness(place, "soft", joint.soft);
  check_turn_softness(place, joint.kind, joint.turn_soft);
  check_breaking(place, "breaking_force", joint.breaking_force);
  check_breaking(place, "breaking_torque", joint.breaking_torque);
}

void check_cable(const Place& place, const Scene& scene, const CableSpec& cable) {
  for (const int body : cable.bodies) check_index(place, "bodies", body, scene.bodies.size(), -1);
  for (const std::size_t end : {0, 1}) {
    if (!cable.points[end].allFinite()) (place / "points" / end).fail("the point is not finite");
  }
  const double length = (cable.points[1] - cable.points[0]).norm();
  if (!(length > 0.0) || !std::isfinite(length))
    (place / "points").fail("the distance is {}, expected a positive finite number", length);
  if (cable.links < 1 || cable.links > static_cast<int>(SceneLimits::bodies))
    (place / "links").fail("{}, expected 1 to {}", cable.links, SceneLimits::bodies);
  check_positive(place, "radius", cable.radius);
  check_positive(place, "mass", cable.mass);
  if (cable.joint != JointKind::ball && cable.joint != JointKind::universal &&
      cable.joint != JointKind::fixed)
    (place / "joint").fail("{}, expected ball, universal or fixed", name(cable.joint));
  check_softness(place, "soft", cable.soft);
  check_turn_softness(place, cable.joint, cable.turn_soft);
  check_index(place, "material", cable.material, scene.materials.size());
}

}  // namespace slipstick::internal
