// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/check_bodies.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <variant>

#include "slipstick/base/overloaded.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/model/value_checks.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void check_frames(const Place& place, const KeyFrames& frames) {
  const std::size_t count = frames.times.size();
  check_count(place, "times", count, SceneLimits::key_frames);
  if (count == 0) (place / "times").fail("there are no key frames, expected at least one");
  if (frames.positions.size() != count)
    (place / "positions")
        .fail("{} positions, expected one for each of {} times", frames.positions.size(), count);
  if (frames.orientations.size() != count) {
    (place / "orientations")
        .fail("{} orientations, expected one for each of {} times", frames.orientations.size(), count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(frames.times[i]))
      (place / "times" / i).fail("{}, expected a finite number", frames.times[i]);
    if (i > 0 && !(frames.times[i] > frames.times[i - 1]))
      (place / "times" / i)
          .fail("{}, expected more than the {} before it", frames.times[i], frames.times[i - 1]);
    if (!(frames.positions[i].cwiseAbs().maxCoeff() <= largest_size) || !frames.positions[i].allFinite())
      (place / "positions" / i)
          .fail("the position is not finite, or has numbers of more than {}", largest_size);
    if (!(std::abs(frames.orientations[i].norm() - 1.0) <= unit_tolerance))
      check_orientation(place / "orientations", std::to_string(i), frames.orientations[i]);
  }
}

void check_motion(const Place& place, const Motion& motion) {
  std::visit(Overloaded{
                 [](const std::monostate&) {},
                 [&](const SteadyMotion& steady) {
                   check_finite(place, "velocity", steady.velocity);
                   check_finite(place, "spin", steady.spin);
                 },
                 [&](const Oscillation& wave) {
                   check_finite(place, "amplitude", wave.amplitude);
                   check_finite(place, "turn", wave.turn);
                   check_not_negative(place, "frequency", wave.frequency);
                   check_finite(place, "phase", wave.phase);
                 },
                 [&](const KeyFrames& frames) { check_frames(place, frames); },
                 [&](const BeltMotion& belt) {
                   check_finite(place, "velocity", belt.velocity);
                   check_finite(place, "spin", belt.spin);
                 },
             },
             motion);
}

void check_inertia(const Place& place, const Matrix3d& inertia) {
  if (!inertia.allFinite()) place.fail("some entries are not finite");
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * inertia.cwiseAbs().maxCoeff())
    place.fail("the tensor is not symmetric");
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvalues();
  if (!(moments[0] > 0.0)) place.fail("a principal moment is {}, expected a positive one", moments[0]);
  if (moments[0] + moments[1] < (1.0 - 1e-9) * moments[2]) {
    place.fail(
        "the principal moments are {}, {} and {}, expected none that is more than the sum of the others",
        moments[0], moments[1], moments[2]);
  }
}

void check_mass(const Place& place, const Scene& scene, const BodySpec& body) {
  if (body.mass) check_positive(place, "mass", *body.mass);
  if (body.centre_of_mass) check_finite(place, "centre_of_mass", *body.centre_of_mass);
  if (body.inertia) check_inertia(place / "inertia", *body.inertia);
  if (body.kind != BodyKind::movable || (body.mass && body.inertia)) return;
  if (body.shapes.empty()) {
    (place / (body.mass ? "inertia" : "mass")).fail("missing, expected it for a movable body without shapes");
  }
  const int number = static_cast<int>(&body - scene.bodies.data());
  const MassProperties whole = mass_properties(scene, number);
  if (!(whole.mass > 0.0 && std::isfinite(whole.mass)))
    place.fail("the mass of the shapes is {}, expected a positive finite number", whole.mass);
  const Vector3d moments = whole.inertia.diagonal();
  if (!moments.allFinite() || !(moments.minCoeff() > 0.0)) {
    place.fail("the moments of inertia of the shapes are {}, {} and {}, expected positive finite numbers",
               moments.x(), moments.y(), moments.z());
  }
}

}  // namespace

void check_body(const Place& place, const Scene& scene, const BodySpec& body) {
  const bool movable = body.kind == BodyKind::movable;
  check_count(place, "shapes", body.shapes.size(), SceneLimits::shapes_of_body);
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const ShapePlace& part = body.shapes[i];
    const Place there = place / "shapes" / i;
    check_index(there, "shape", part.shape, scene.shapes.size());
    check_index(there, "material", part.material, scene.materials.size());
    check_finite(there, "position", part.position);
    check_orientation(there, "orientation", part.orientation);
    const ShapeGeometry& geometry = scene.shapes[part.shape].geometry;
    const bool surface = std::holds_alternative<PlaneShape>(geometry) ||
                         std::holds_alternative<MeshShape>(geometry) ||
                         std::holds_alternative<HeightFieldShape>(geometry);
    if (movable && surface) {
      (there / "shape")
          .fail("\"{}\" is a plane, mesh or height field, expected a solid shape of a movable body",
                scene.shapes[part.shape].name);
    }
  }
  check_finite(place, "position", body.position);
  check_orientation(place, "orientation", body.orientation);
  check_finite(place, "velocity", body.velocity);
  check_finite(place, "spin", body.spin);
  if (!movable && body.velocity != Vector3d::Zero())
    (place / "velocity").fail("the body is {}, expected a velocity of movable bodies only", name(body.kind));
  if (!movable && body.spin != Vector3d::Zero())
    (place / "spin").fail("the body is {}, expected a spin of movable bodies only", name(body.kind));
  if (body.kind != BodyKind::moved && !std::holds_alternative<std::monostate>(body.motion))
    (place / "motion").fail("the body is {}, expected a motion of moved bodies only", name(body.kind));
  check_motion(place / "motion", body.motion);
  check_mass(place, scene, body);
}

}  // namespace slipstick::internal
