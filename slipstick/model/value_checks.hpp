// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "slipstick/model/check.hpp"
#include "slipstick/model/place.hpp"
#include "slipstick/scene.hpp"

// Checks of single values of a scene. Each throws Error with the place and the key.
namespace slipstick::internal {

/// Of coordinates, velocities and the like. Their fifth powers are finite.
inline constexpr double largest_size = 1e60;

inline void check_finite(const Place& place, std::string_view key, double value) {
  if (!std::isfinite(value)) (place / key).fail("{}, expected a finite number", value);
}
inline void check_positive(const Place& place, std::string_view key, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    (place / key).fail("{}, expected a positive finite number", value);
}
inline void check_not_negative(const Place& place, std::string_view key, double value) {
  if (!(value >= 0.0) || !std::isfinite(value))
    (place / key).fail("{}, expected a finite number that is not negative", value);
}
inline void check_share(const Place& place, std::string_view key, double value) {
  if (!(value >= 0.0 && value <= 1.0)) (place / key).fail("{}, expected a number from 0 to 1", value);
}
inline void check_finite(const Place& place, std::string_view key, const Eigen::Vector3d& vector) {
  if (!vector.allFinite())
    (place / key).fail("[{}, {}, {}], expected three finite numbers", vector.x(), vector.y(), vector.z());
  if (vector.cwiseAbs().maxCoeff() > largest_size)
    (place / key)
        .fail("[{}, {}, {}], expected numbers of at most {}", vector.x(), vector.y(), vector.z(),
              largest_size);
}
inline void check_direction(const Place& place, std::string_view key, const Eigen::Vector3d& vector) {
  check_finite(place, key, vector);
  const double norm = vector.norm();
  if (!(norm > 0.0) || !std::isfinite(norm))
    (place / key).fail("the length is {}, expected a direction", norm);
}
inline void check_orientation(const Place& place, std::string_view key, const Eigen::Quaterniond& q) {
  const double norm = q.norm();
  if (!(std::abs(norm - 1.0) <= unit_tolerance))
    (place / key).fail("the norm of the quaternion is {}, expected 1", norm);
}
inline void check_count(const Place& place, std::string_view key, std::size_t count, std::size_t most) {
  if (count > most) (place / key).fail("{} items, expected at most {}", count, most);
}
inline void check_index(const Place& place, std::string_view key, int index, std::size_t count,
                        int lowest = 0) {
  if (index < lowest || index >= static_cast<int>(count))
    (place / key).fail("{} does not exist, expected {} to {}", index, lowest, static_cast<int>(count) - 1);
}
inline void check_softness(const Place& place, std::string_view key, const std::optional<Stiffness>& soft) {
  if (!soft) return;
  const Place inside = place / key;
  check_not_negative(inside, "stiffness", soft->stiffness);
  check_not_negative(inside, "damping", soft->damping);
  if (soft->stiffness == 0.0 && soft->damping == 0.0)
    inside.fail("stiffness and damping are 0, expected one that is positive");
}
/// The softness of turns, which a ball or distance joint does not hold.
inline void check_turn_softness(const Place& place, JointKind kind, const std::optional<Stiffness>& soft) {
  if (soft && (kind == JointKind::ball || kind == JointKind::distance))
    (place / "turn_soft").fail("a {} joint holds no turns, expected none", name(kind));
  check_softness(place, "turn_soft", soft);
}

}  // namespace slipstick::internal
