// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The keys of contacts and rows in a BodyProblem of a world. They stay the same from step to step. The
// two highest bits are the kind.
namespace slipstick::internal {

inline constexpr int body_bits = 22, feature_bits = 18;
inline constexpr int most_bodies = 1 << body_bits;
inline constexpr int most_features = 1 << feature_bits;  ///< contacts of two bodies

/// Part of a joint with rows of its own.
enum class JointPart { joint, lower_limit, upper_limit, motor, friction };

/// A contact of two bodies; `feature` tells it from their others.
constexpr std::uint64_t contact_key(int first, int second, int feature = 0) {
  return static_cast<std::uint64_t>(first) << (body_bits + feature_bits) |
         static_cast<std::uint64_t>(second) << feature_bits | static_cast<std::uint64_t>(feature);
}
constexpr std::uint64_t joint_key(int joint, JointPart part = JointPart::joint) {
  return std::uint64_t{2} << 62 | static_cast<std::uint64_t>(joint) << 3 | static_cast<std::uint64_t>(part);
}

}  // namespace slipstick::internal
