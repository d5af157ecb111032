// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace slipstick::internal {

/// A symmetric band in tiles of 64 x 64, each stored column by column. Tile column j has the tiles (j, j), (j
/// + 1, j), ..., (j + width - 1, j), one after the other. Rows past the last one are those of the identity.
///
/// `block` tile columns are a block column of the substitution (Litven 2013, Alg. 5.3). The lower triangle of
/// the inverse of its diagonal block is stored in tiles, row by row.
struct BandShape {
  static constexpr int tile = 64;
  static constexpr std::size_t tile_size = std::size_t{tile} * tile;
  static constexpr int largest_block = 16;

  BandShape() = default;
  constexpr BandShape(int row_count, int band)
      : rows(row_count),
        bandwidth(band),
        tiles((row_count + tile - 1) / tile),
        width((band + tile - 1) / tile + 1),
        block(std::clamp(width - 1, 4, largest_block)) {}

  /// Where the tile (i, j), i >= j, starts.
  constexpr std::size_t tile_at(int i, int j) const { return tile_number(i, j) * tile_size; }
  constexpr std::size_t tile_number(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i - j);
  }
  /// The same for the tile (i, j) of the inverse of a diagonal block.
  constexpr std::size_t inverse_at(int i, int j) const { return inverse_number(i, j) * tile_size; }
  constexpr std::size_t inverse_number(int i, int j) const {
    const int row = i % block, column = j % block;
    return static_cast<std::size_t>(i / block) * tiles_per_inverse() +
           static_cast<std::size_t>(row * (row + 1) / 2 + column);
  }
  constexpr std::size_t tiles_per_inverse() const {
    return static_cast<std::size_t>(block) * static_cast<std::size_t>(block + 1) / 2;
  }
  constexpr int blocks() const { return (tiles + block - 1) / block; }
  constexpr int padded() const { return tiles * tile; }
  constexpr std::size_t band_tiles() const {
    return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(width);
  }
  constexpr std::size_t inverse_tiles() const {
    return static_cast<std::size_t>(blocks()) * tiles_per_inverse();
  }
  constexpr std::size_t band_size() const { return band_tiles() * tile_size; }
  constexpr std::size_t inverse_size() const { return inverse_tiles() * tile_size; }
  bool operator==(const BandShape&) const = default;

  int rows = 0;
  int bandwidth = 0;
  int tiles = 0;  ///< tile rows
  int width = 1;  ///< tiles in a tile column
  int block = 4;  ///< tile columns in a block column
};

}  // namespace slipstick::internal
