// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/cuda/pair_engine.hpp"
#include "slipstick/pair_finder.hpp"

namespace slipstick::internal {

/// Finds the boxes of a step that meet on a CUDA device. The pairs are those of the host, by the same
/// comparisons.
class DevicePairs : public PairFinder {
 public:
  /// Throws Error if there is no such device.
  explicit DevicePairs(int device);
  void find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) override;

 private:
  int device_;
  HeldEngine<PairEngine> engine_;
  std::vector<GridBox> grid_boxes_;
};

/// The boxes in plain numbers, and the grids that they are in. Boxes of a level differ in their widths by
/// less than a factor of four, but for those on the lowest level, which may be smaller. Throws Error if a box
/// is not finite.
GridLevels fill_grid(std::span<const SweptBox> boxes, std::vector<GridBox>& to);

}  // namespace slipstick::internal
