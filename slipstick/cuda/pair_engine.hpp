// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "slipstick/cuda/pair_grid.hpp"

namespace slipstick::internal {

/// Finds the boxes that meet on the device: keys of cells, a sort, a count, the pairs, and a sort of these.
/// Throws DeviceError.
class PairEngine {
 public:
  PairEngine();
  ~PairEngine();

  /// Returns the number of pairs. Allocates nothing if there were as many boxes and pairs before.
  std::size_t find(std::span<const GridBox> boxes, const GridLevels& levels);
  /// The pairs in the order of their first numbers, then their second.
  void copy(int* pairs) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
