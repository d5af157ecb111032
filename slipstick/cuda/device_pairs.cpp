// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {
namespace {

double width_of(const GridBox& box) {
  return std::max({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
}

// The same for widths from 4^k on, below 4^(k + 1).
int size_class(double width) {
  return std::ilogb(width) >> 1;
}

}  // namespace

GridLevels fill_grid(std::span<const SweptBox> boxes, std::vector<GridBox>& to) {
  to.resize(boxes.size());
  double widest = 0.0;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const SweptBox& box = boxes[k];
    GridBox& plain = to[k];
    std::copy_n(box.low.data(), 3, plain.low);
    std::copy_n(box.high.data(), 3, plain.high);
    plain.body = box.body;
    plain.movable = box.movable ? 1 : 0;
    const double width = width_of(plain);
    if (!(box.low.allFinite() && box.high.allFinite() && std::isfinite(width)))
      fail("collision: a shape of body {} leads beyond all numbers in this step", box.body);
    widest = std::max(widest, width);
  }
  // From the widest class down, then numbered without those that are empty, from the narrowest on.
  GridLevels levels;
  double cells[GridLevels::most] = {};
  bool used[GridLevels::most] = {};
  const int top = widest > 0.0 ? size_class(widest) : 0;
  for (GridBox& box : to) {
    const double width = width_of(box);
    const int below =
        width > 0.0 ? std::min(top - size_class(width), GridLevels::most - 1) : GridLevels::most - 1;
    box.level = static_cast<std::int16_t>(below);
    used[below] = true;
    cells[below] = std::max(cells[below], width);
  }
  std::int16_t number[GridLevels::most] = {};
  for (int below = GridLevels::most - 1; below >= 0; --below) {
    if (!used[below]) continue;
    // Points are in cells of a width that is nothing beside the others, or of any.
    const double least =
        widest > 0.0 ? std::max(std::ldexp(widest, -2 * GridLevels::most), std::numeric_limits<double>::min())
                     : 1.0;
    number[below] = static_cast<std::int16_t>(levels.count);
    levels.cell[levels.count++] = std::max(cells[below], least);
  }
  for (GridBox& box : to) box.level = number[box.level];
  return levels;
}

DevicePairs::DevicePairs(int device) : device_(device) {
  try {
    use_device(device_);
  } catch (const DeviceError& error) {
    fail("collision on a CUDA device: {}", error.what());
  }
}

void DevicePairs::find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) {
  if (boxes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max() / 2))
    fail("collision on a CUDA device: {} shapes are too many", boxes.size());
  const GridLevels levels = fill_grid(boxes, grid_boxes_);
  try {
    use_device(device_);
    engine_.prepare(device_);
    pairs.resize(engine_->find(grid_boxes_, levels));
    static_assert(sizeof(std::array<int, 2>) == 2 * sizeof(int));
    if (!pairs.empty()) engine_->copy(pairs.front().data());
  } catch (const DeviceError& error) {
    engine_.reset();
    fail("collision on a CUDA device: {}", error.what());
  }
}

}  // namespace slipstick::internal

namespace slipstick {

std::unique_ptr<PairFinder> make_device_pair_finder(int device) {
  return std::make_unique<internal::DevicePairs>(device);
}

}  // namespace slipstick
