// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "slipstick/base/device_code.hpp"

namespace slipstick::internal {

/// A box of a PairFinder in plain numbers. Its level says in which grid it is.
struct GridBox {
  double low[3], high[3];
  int body;
  std::int16_t level, movable;
};

/// Grids of cubic cells, one per level. A box is in the cell of its lowest corner. The cells of a level are
/// as wide as its widest box, and levels are in the order of their cells. Cells repeat after 2^19 along an
/// axis, so that a body far away costs nothing: what else is in a cell does not meet.
struct GridLevels {
  static constexpr int most = 21;
  int count = 0;
  double cell[most] = {};
};

inline constexpr int cell_bits = 19;
inline constexpr std::int64_t cell_mask = (std::int64_t{1} << cell_bits) - 1;

/// The number of the cell of a place. It never falls if the place rises.
SLIPSTICK_DEVICE_CODE inline std::int64_t cell_of(double place, double cell) {
  constexpr double farthest = 1099511627776.0;  // 2^40
  return static_cast<std::int64_t>(std::fmin(farthest, std::fmax(-farthest, std::floor(place / cell))));
}

/// Boxes are sorted by their keys: by level, z, y, x.
SLIPSTICK_DEVICE_CODE inline std::uint64_t cell_key(int level, std::int64_t x, std::int64_t y,
                                                    std::int64_t z) {
  return static_cast<std::uint64_t>(level) << (3 * cell_bits) |
         static_cast<std::uint64_t>((z & cell_mask) << (2 * cell_bits) | (y & cell_mask) << cell_bits |
                                    (x & cell_mask));
}
inline constexpr int cell_key_bits = 3 * cell_bits + 5;  // 21 levels

SLIPSTICK_DEVICE_CODE inline std::uint64_t key_of(const GridBox& box, const GridLevels& levels) {
  const double cell = levels.cell[box.level];
  return cell_key(box.level, cell_of(box.low[0], cell), cell_of(box.low[1], cell), cell_of(box.low[2], cell));
}

SLIPSTICK_DEVICE_CODE inline bool may_touch(const GridBox& a, const GridBox& b) {
  if (a.body == b.body || !(a.movable || b.movable)) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!(a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis])) return false;
  return true;
}

/// Boxes in the order of their keys, and their numbers.
struct SortedBoxes {
  int count;
  const std::uint64_t* keys;
  const int* numbers;
  const GridBox* boxes;

  /// The first place with a key of at least this.
  SLIPSTICK_DEVICE_CODE int find(std::uint64_t key) const {
    int begin = 0, end = count;
    while (begin < end) {
      const int middle = begin + (end - begin) / 2;
      if (keys[middle] < key) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

/// Calls visit(a, b), a < b, for all boxes that the one at a place meets on a higher level, or on its own
/// level if their number is higher. So each pair is visited from one of its boxes alone.
template <class Visit>
SLIPSTICK_DEVICE_CODE inline void visit_pairs(const SortedBoxes& all, const GridLevels& levels, int place,
                                              const Visit& visit) {
  const GridBox box = all.boxes[place];
  const int number = all.numbers[place];
  for (int level = box.level; level < levels.count; ++level) {
    const double cell = levels.cell[level];
    const double back = 1.000001 * cell;  // as wide as any box of the level, also if its width was rounded
    std::int64_t first[3], last[3];
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = cell_of(box.low[axis] - back, cell);
      last[axis] = cell_of(box.high[axis], cell);
    }
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0], end = 0; x <= last[0]; x = end + 1) {
          end = (x | cell_mask) < last[0] ? (x | cell_mask) : last[0];  // before the cells repeat
          const std::uint64_t last_key = cell_key(level, end, y, z);
          for (int k = all.find(cell_key(level, x, y, z)); k < all.count && all.keys[k] <= last_key; ++k) {
            const int other = all.numbers[k];
            if (level == box.level && other <= number) continue;
            if (may_touch(box, all.boxes[k]))
              visit(number < other ? number : other, number < other ? other : number);
          }
        }
      }
    }
  }
}

}  // namespace slipstick::internal
