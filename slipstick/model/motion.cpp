// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <variant>

#include "slipstick/base/overloaded.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond turned_by(const Vector3d& vector, const Quaterniond& start) {
  if (vector == Vector3d::Zero()) return start;
  return (rotation_by(vector) * start).normalized();
}

Pose pose_between(const KeyFrames& frames, double t) {
  const auto next = std::upper_bound(frames.times.begin(), frames.times.end(), t);
  const auto after = static_cast<std::size_t>(next - frames.times.begin());
  if (after == 0) return {frames.positions.front(), frames.orientations.front()};
  const std::size_t before = after - 1;
  if (after == frames.times.size() || t == frames.times[before])
    return {frames.positions[before], frames.orientations[before]};
  const double share = (t - frames.times[before]) / (frames.times[after] - frames.times[before]);
  const Quaterniond& from = frames.orientations[before];
  const Vector3d turn = rotation_vector(frames.orientations[after] * from.conjugate());
  return {frames.positions[before] + share * (frames.positions[after] - frames.positions[before]),
          turned_by(share * turn, from)};
}

}  // namespace

Quaterniond rotation_by(const Vector3d& vector) {
  const double half = 0.5 * vector.norm();
  // sin(half) / (2 half), with its series where the quotient is lost
  const double factor = half < 1e-4 ? 0.5 - half * half / 12.0 : 0.5 * std::sin(half) / half;
  Quaterniond rotation;
  rotation.w() = std::cos(half);
  rotation.vec() = factor * vector;
  return rotation;
}

Vector3d rotation_vector(const Quaterniond& rotation) {
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;
  const double sine = rotation.vec().norm();
  const double cosine = sign * rotation.w();
  const double factor = sine < 1e-12 * cosine
                            ? 2.0 / cosine
                            : 2.0 * std::atan2(sine, cosine) / sine;  // sine and cosine are not both 0
  return sign * factor * rotation.vec();
}

Pose pose_at(const Motion& motion, const Pose& start, double t) {
  return std::visit(
      Overloaded{
          [&](const std::monostate&) { return start; },
          [&](const SteadyMotion& steady) {
            return Pose{start.position + t * steady.velocity, turned_by(t * steady.spin, start.orientation)};
          },
          [&](const Oscillation& wave) {
            const double share = std::sin(2.0 * std::numbers::pi * wave.frequency * t + wave.phase);
            return Pose{start.position + share * wave.amplitude,
                        turned_by(share * wave.turn, start.orientation)};
          },
          [&](const KeyFrames& frames) { return pose_between(frames, t); },
          [&](const BeltMotion&) { return start; },
      },
      motion);
}

Twist twist_over(const Motion& motion, const Pose& start, double t, double step) {
  // A steady spin may be more than half a turn in a step.
  if (const auto* steady = std::get_if<SteadyMotion>(&motion)) return {steady->velocity, steady->spin};
  const Pose from = pose_at(motion, start, t);
  const Pose to = pose_at(motion, start, t + step);
  if (from.orientation.coeffs() == to.orientation.coeffs())
    return {(to.position - from.position) / step, Vector3d::Zero()};
  return {(to.position - from.position) / step,
          rotation_vector(to.orientation * from.orientation.conjugate()) / step};
}

Twist belt_twist(const Motion& motion) {
  const auto* belt = std::get_if<BeltMotion>(&motion);
  return belt != nullptr ? Twist{belt->velocity, belt->spin} : Twist{};
}

}  // namespace slipstick::internal
