// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What kernels and their launches share about banded blocks in tiles.
namespace slipstick::internal {

inline constexpr int tile_rows = 32;
inline constexpr int tile_size = tile_rows * tile_rows;

/// Half-bandwidth in tiles, and whether the tiles right of the diagonal are left out.
struct TileBand {
  int width = 1;
  bool symmetric = false;
  constexpr int tiles_per_row() const { return symmetric ? width + 1 : 2 * width + 1; }
};

/// A banded block that is factorized in place.
struct SpikeJob {
  double* tiles = nullptr;    ///< the tiles of every tile row, from left to right
  double* factors = nullptr;  ///< a tile per diagonal tile
  double* least = nullptr;    ///< pivots up to this are boosted, by row
  long long first_row = 0;    ///< of the block in vectors
  int count = 0;              ///< tile rows
  int reversed = 0;           ///< 1: rows and columns are in reverse order, so that L U is U L
};

/// What a factorization tells the host.
struct SpikeState {
  int boosted = 0;
  int overflowed = 0;
  int bad_row = 0;  ///< the first row with an entry that is not finite
};

/// X <- A^-1 X for 32 columns per block of threads, in the tiles of a job (see substitute_tiles).
struct SpikeTask {
  SpikeJob job;
  double* ring = nullptr;    ///< width x width tiles: tile row i of X is row i % width of it
  int from = 0;              ///< X is zero in the tile rows before
  int to = 0;                ///< first tile row of the solution that is wanted
  double* bottom = nullptr;  ///< takes the last `width` tile rows; may be null
  double* top = nullptr;     ///< takes the first ones
};

/// C = C0 - A B for dense matrices of width x width tiles, tile row by tile row.
struct SpikeProduct {
  double* c = nullptr;
  const double* a = nullptr;  ///< null: there is no product
  const double* b = nullptr;
  const double* c0 = nullptr;  ///< null: 0, or the identity
  int identity = 0;
  int banded = 0;  ///< C has the layout of a SpikeJob
};

/// y = a - M v for such a matrix.
struct SpikeVectorProduct {
  const double* matrix = nullptr;
  const double* v = nullptr;
  const double* a = nullptr;
  double* y = nullptr;
};

}  // namespace slipstick::internal
