// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "slipstick/export.hpp"

namespace slipstick {

/// A box along the axes that a shape does not leave during a step.
struct SweptBox {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
  int body = -1;
  bool movable = true;

  bool meets(const SweptBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// What finds the shapes of a World that are near each other. A World has its own one. It can be given
/// another, which does not change its steps.
class SLIPSTICK_EXPORT PairFinder {
 public:
  virtual ~PairFinder() = default;

  /// pairs <- the boxes of different bodies that meet and are not both immovable. The smaller number comes
  /// first, each pair is there once, and their order is not defined. Throws Error if it cannot find them.
  virtual void find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) = 0;
};

/// One that works on a CUDA device; -1: the first one that is of use. Throws Error if there is none.
SLIPSTICK_EXPORT std::unique_ptr<PairFinder> make_device_pair_finder(int device = -1);

}  // namespace slipstick
