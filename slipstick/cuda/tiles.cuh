// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>
#include <cstddef>

#include "slipstick/cuda/spike_jobs.hpp"
#include "slipstick/cuda/tile_instructions.cuh"

// Tiles of 32 x 32 numbers, column by column, and what blocks of 256 threads do with them.
namespace slipstick::internal {

inline constexpr int tile_threads = 256, tile_warps = 8;
// A tile in shared memory: columns at this distance have no bank conflicts in the products below.
inline constexpr int shared_column = 36;
inline constexpr int shared_tile = shared_column * tile_rows;

__device__ inline int lane_index() {
  return static_cast<int>(threadIdx.x) & 31;
}
__device__ inline int warp_index() {
  return static_cast<int>(threadIdx.x) >> 5;
}

/// Starts the copy of a tile by a whole block.
__device__ inline void copy_tile_async(double* shared, const double* tile) {
#pragma unroll
  for (int q = 0; q < tile_size / 2 / tile_threads; ++q) {
    const int pair = static_cast<int>(threadIdx.x) + tile_threads * q;
    const int row = 2 * (pair % (tile_rows / 2)), column = pair / (tile_rows / 2);
    copy_two_async(shared + row + shared_column * column, tile + row + tile_rows * column);
  }
}

/// Starts the copy of a tile by a warp, as one group.
__device__ inline void copy_tile_by_warp(double* shared, const double* tile) {
#pragma unroll
  for (int q = 0; q < tile_size / 64; ++q) {
    const int pair = lane_index() + 32 * q;
    const int row = 2 * (pair % (tile_rows / 2)), column = pair / (tile_rows / 2);
    copy_two_async(shared + row + shared_column * column, tile + row + tile_rows * column);
  }
  end_group_of_copies();
}

/// How a product reads its right factor T: from a tile in shared memory, or as D S' from S.
struct PlainTile {
  const double* tile;
  __device__ double operator()(int row, int column) const { return tile[row + shared_column * column]; }
};
struct ScaledTransposedTile {
  const double* tile;
  const double* scale;
  __device__ double operator()(int row, int column) const {
    return scale[row] * tile[column + shared_column * row];
  }
};
struct TransposedTile {
  const double* tile;
  __device__ double operator()(int row, int column) const { return tile[column + shared_column * row]; }
};

/// Sums of a warp for `bands` x `columns` pieces of 16 x 8 of a tile.
template <int bands, int columns>
struct Pieces {
  double sum[bands][columns][4];
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j)
#pragma unroll
        for (int q = 0; q < 4; ++q) sum[i][j][q] = 0.0;
  }
  /// Adds rows [top, top + 16 bands) of A times columns [left, left + 8 columns) of B.
  template <class Left, class Right>
  __device__ void add_product(const Left& A, const Right& B, int top, int left) {
    const int g = lane_index() >> 2, t = lane_index() & 3;
#pragma unroll 4
    for (int k = 0; k < tile_rows; k += 4) {
      double a[bands][2], b[columns];
#pragma unroll
      for (int i = 0; i < bands; ++i) {
        a[i][0] = A(top + 16 * i + g, k + t);
        a[i][1] = A(top + 16 * i + 8 + g, k + t);
      }
#pragma unroll
      for (int j = 0; j < columns; ++j) b[j] = B(k + t, left + 8 * j + g);
#pragma unroll
      for (int i = 0; i < bands; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) multiply_add_16x8x4(sum[i][j], a[i][0], a[i][1], b[j]);
    }
  }
  /// Calls visit(row, column, sum) for the numbers of this lane.
  template <class Visit>
  __device__ void for_each(int top, int left, const Visit& visit) {
    const int g = lane_index() >> 2, t = lane_index() & 3;
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j)
#pragma unroll
        for (int q = 0; q < 4; ++q)
          visit(top + 16 * i + g + 8 * (q >> 1), left + 8 * j + 2 * t + (q & 1), sum[i][j][q]);
  }
};
using WholeTile = Pieces<2, 4>;    // of one warp
using SharedPiece = Pieces<1, 1>;  // eight warps share a tile, see piece_top() and piece_left()
__device__ inline int piece_top() {
  return 16 * (warp_index() & 1);
}
__device__ inline int piece_left() {
  return 8 * (warp_index() >> 1);
}

/// A factorized diagonal tile L D U~ (unit triangles) is kept as L^-1 below the diagonal and U~^-1 D^-1 on
/// and above it. These give the two triangles as whole tiles.
__device__ inline double lower_inverse(double value, int row, int column) {
  return row > column ? value : row == column ? 1.0 : 0.0;
}
__device__ inline double upper_inverse(double value, int row, int column) {
  return row <= column ? value : 0.0;
}

/// Factorizes a diagonal tile without pivoting and inverts both triangles, in 32 steps. Warp w holds columns
/// 4 w to 4 w + 3, a lane a row. Calls store(row, column, value) for the number kept (see lower_inverse).
/// Pivots of at most `least` are boosted, as in BandLu.
template <class Store>
__device__ void factorize_tile(const double* tile, const double* least, SpikeState* state,
                               const Store& store) {
  __shared__ double pivot_column[2][tile_rows];
  const int lane = lane_index(), warp = warp_index();
  double a[4];
#pragma unroll
  for (int c = 0; c < 4; ++c) a[c] = tile[lane + tile_rows * (4 * warp + c)];
  const double least_of_lane = least[lane];
  int boosted = 0;
  bool finite = true;
  for (int owner = 0; owner < tile_warps; ++owner) {
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      const int k = 4 * owner + u;
      if (warp == owner) pivot_column[u & 1][lane] = a[u];
      __syncthreads();
      const double pivot = pivot_column[u & 1][k];
      const double least_pivot = __shfl_sync(~0U, least_of_lane, k);
      finite = finite && isfinite(pivot);
      double inverse = 1.0 / pivot;
      if (!(fabs(pivot) > least_pivot && isfinite(inverse))) {
        ++boosted;
        inverse = 1.0 / copysign(fmax(least_pivot, 4.0 * DBL_MIN), pivot);
      }
      const double entry = pivot_column[u & 1][lane], factor = entry * inverse;
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const int column = 4 * warp + c;
        const double in_pivot_row = __shfl_sync(~0U, a[c], k);
        if (column == k) {
          a[c] = lane > k ? -factor : lane == k ? inverse : entry;
        } else if (lane == k) {
          a[c] = column > k ? -in_pivot_row * inverse : in_pivot_row;
        } else if (lane > k || column > k) {
          a[c] -= factor * in_pivot_row;
        }
      }
    }
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const int column = 4 * warp + c;
    const double inverse = __shfl_sync(~0U, a[c], column);
    store(lane, column, lane < column ? a[c] * inverse : a[c]);
  }
  if (threadIdx.x == 0) {
    if (boosted > 0) atomicAdd(&state->boosted, boosted);
    if (!finite) atomicExch(&state->overflowed, 1);
  }
}

}  // namespace slipstick::internal
