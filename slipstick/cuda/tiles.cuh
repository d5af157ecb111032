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

/// Where a factor of a product is known to be zero: the left one above its diagonal, or the right one below.
enum class Zeros { none, left_above, right_below };

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
  /// Adds rows [top, top + 16 bands) of A times columns [left, left + 8 columns) of B. Terms that are zero
  /// are left out; their factor is taken from row or column 0 on.
  template <Zeros zeros = Zeros::none, class Left, class Right>
  __device__ void add_product(const Left& A, const Right& B, int top, int left) {
    const int g = lane_index() >> 2, t = lane_index() & 3;
    constexpr int unrolled = zeros == Zeros::none ? 4 : tile_rows / 4;
#pragma unroll unrolled
    for (int k = 0; k < tile_rows; k += 4) {
      const auto has_row = [&](int i) { return zeros != Zeros::left_above || k < 16 * (i + 1); };
      const auto has_column = [&](int j) { return zeros != Zeros::right_below || k < 8 * (j + 1); };
      double a[bands][2], b[columns];
#pragma unroll
      for (int i = 0; i < bands; ++i) {
        if (!has_row(i)) continue;
        a[i][0] = A(top + 16 * i + g, k + t);
        a[i][1] = A(top + 16 * i + 8 + g, k + t);
      }
#pragma unroll
      for (int j = 0; j < columns; ++j)
        if (has_column(j)) b[j] = B(k + t, left + 8 * j + g);
#pragma unroll
      for (int i = 0; i < bands; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j)
          if (has_row(i) && has_column(j)) multiply_add_16x8x4(sum[i][j], a[i][0], a[i][1], b[j]);
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

/// Blocks of 16 x 16 of a tile in shared memory.
inline constexpr int block_rows = tile_rows / 2;
__device__ inline double* block_of(double* tile, int i, int j) {
  return tile + block_rows * i + shared_column * block_rows * j;
}

/// Their product A B, by a warp. Calls visit(row, column, value) when all of it is computed.
template <class Visit>
__device__ inline void multiply_blocks(const double* A, const double* B, const Visit& visit) {
  const int g = lane_index() >> 2, t = lane_index() & 3;
  double sum[2][4] = {};
#pragma unroll
  for (int k = 0; k < block_rows; k += 4) {
    const double upper = A[g + shared_column * (k + t)], lower = A[g + 8 + shared_column * (k + t)];
#pragma unroll
    for (int n = 0; n < 2; ++n)
      multiply_add_16x8x4(sum[n], upper, lower, B[k + t + shared_column * (8 * n + g)]);
  }
  __syncwarp();
#pragma unroll
  for (int n = 0; n < 2; ++n)
#pragma unroll
    for (int q = 0; q < 4; ++q) visit(g + 8 * (q >> 1), 8 * n + 2 * t + (q & 1), sum[n][q]);
  __syncwarp();
}

/// Pivots that are not ordinary: those of at most `least` are boosted, as in BandLu. Products of two entries
/// would underflow or overflow where pivots are beyond 1e-150 and 1e150.
struct OddPivots {
  int boosted = 0;
  bool in_range = true;
  static __device__ bool is_odd(double size, double least) {
    return !(size > least && size > 1e-150 && size < 1e150);
  }
  __device__ __noinline__ double invert(double pivot, double least) {
    const bool small = !(fabs(pivot) > least);
    in_range = in_range && fabs(pivot) < 1e150 && (small || fabs(pivot) > 1e-150);
    if (!small) return 1.0 / pivot;
    ++boosted;
    return 1.0 / copysign(fmax(least, 4.0 * DBL_MIN), pivot);
  }
};

/// Replaces a block L D U~ (unit triangles) by L^-1 or, of the transposed block, by U~^-1 D^-1. By a warp,
/// without pivoting: a lane below 16 has a column of the block, the others those of the identity. `least` is
/// that of row lane % 16. Both orders have the same pivots to the last bit, since products commute. Not
/// inlined: it is long.
static __device__ __noinline__ void invert_triangle(double* block, bool transposed, double least,
                                                    OddPivots* odd) {
  const int own = lane_index() & (block_rows - 1);
  const bool of_block = lane_index() < block_rows;
  const int along = transposed ? shared_column : 1, across = transposed ? 1 : shared_column;
  double v[block_rows];
#pragma unroll
  for (int i = 0; i < block_rows; ++i) {
    v[i] = block[along * i + across * own];
    if (!of_block) v[i] = i == own ? 1.0 : 0.0;
  }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < block_rows; ++k) {
    const double pivot = __shfl_sync(~0U, v[k], k), least_pivot = __shfl_sync(~0U, least, k);
    double inverse = quick_inverse(pivot);
    if (OddPivots::is_odd(fabs(pivot), least_pivot)) inverse = odd->invert(pivot, least_pivot);
#pragma unroll
    for (int i = k + 1; i < block_rows; ++i) v[i] = fma(-(__shfl_sync(~0U, v[i], k) * v[k]), inverse, v[i]);
    if (transposed) v[k] *= inverse;
  }
#pragma unroll
  for (int i = 0; i < block_rows; ++i)
    if (!of_block) block[along * i + across * own] = v[i];
  __syncwarp();
}

/// Where factorize_tile() expects the numbers of a diagonal tile, in shared memory.
__device__ inline void place_diagonal(double* lower, double* upper, int row, int column, double value) {
  const bool is_below = row >= block_rows && column < block_rows;
  const bool is_right = row < block_rows && column >= block_rows;
  if (!is_below) lower[row + shared_column * column] = value;
  if (!is_right) upper[row + shared_column * column] = value;
}
__device__ inline void load_diagonal(const double* tile, double* lower, double* upper) {
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const int row = lane_index(), column = 4 * warp_index() + c;
    place_diagonal(lower, upper, row, column, tile[row + tile_rows * column]);
  }
  __syncthreads();
}

/// Factorizes a diagonal tile L D U~ (unit triangles) without pivoting: the tile L^-1 goes to `lower`, and
/// U~^-1 D^-1 to `upper`. `least` has the size up to which a pivot is boosted.
///
/// With U = D U~, in blocks: T = L_11^-1 A_12 and S = A_21 U_11^-1, then A_22 - S T is factorized. The blocks
/// beside the diagonal are -L_22^-1 (S L_11^-1) and -(U_11^-1 T) U_22^-1. A_12 and T are in the place of
/// `lower` that ends as zero, A_21 and S in that of `upper`. One warp makes L, another U.
__device__ inline void factorize_tile(const double* least, SpikeState* state, double* lower, double* upper) {
  const int lane = lane_index(), warp = warp_index();
  double *const S = block_of(upper, 1, 0), *const T = block_of(lower, 0, 1);
  double *const below = block_of(lower, 1, 0), *const right = block_of(upper, 0, 1);
  double *const mine = warp == 0 ? lower : upper, *const first = block_of(mine, 0, 0),
                *const second = block_of(mine, 1, 1);
  const auto store = [](double* to, double sign) {
    return [=](int row, int column, double value) { to[row + shared_column * column] = sign * value; };
  };
  OddPivots odd;
  if (warp < 2) {
    invert_triangle(first, warp == 1, least[lane & (block_rows - 1)], &odd);
    if (warp == 0) {
      multiply_blocks(first, T, store(T, 1.0));
    } else {
      multiply_blocks(S, first, store(S, 1.0));
    }
  }
  __syncthreads();
  if (warp < 2) {
    multiply_blocks(
        S, T, [&](int row, int column, double value) { second[row + shared_column * column] -= value; });
    invert_triangle(second, warp == 1, least[block_rows + (lane & (block_rows - 1))], &odd);
  } else if (warp == 2) {
    multiply_blocks(S, block_of(lower, 0, 0), store(below, 1.0));
  } else if (warp == 3) {
    multiply_blocks(block_of(upper, 0, 0), T, store(right, 1.0));
  }
  __syncthreads();
  if (warp == 0) {
    multiply_blocks(second, below, store(below, -1.0));
  } else if (warp == 1) {
    multiply_blocks(right, second, store(right, -1.0));
  } else if (warp < 4) {
    double* const zero = warp == 2 ? S : T;
#pragma unroll
    for (int e = 0; e < block_rows * block_rows / 32; ++e)
      zero[(lane & (block_rows - 1)) + shared_column * (2 * e + lane / block_rows)] = 0.0;
  }
  if (threadIdx.x == 0) {
    if (odd.boosted > 0) atomicAdd(&state->boosted, odd.boosted);
    if (!odd.in_range) atomicExch(&state->overflowed, 1);
  }
  __syncthreads();
}

/// Both triangles in one tile: L^-1 below the diagonal, U~^-1 D^-1 on and above it.
__device__ inline void store_triangles(const double* lower, const double* upper, double* factors) {
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const int row = lane_index(), column = 4 * warp_index() + c;
    factors[row + tile_rows * column] = (row > column ? lower : upper)[row + shared_column * column];
  }
}
/// These give them as whole tiles.
__device__ inline double lower_inverse(double value, int row, int column) {
  return row > column ? value : row == column ? 1.0 : 0.0;
}
__device__ inline double upper_inverse(double value, int row, int column) {
  return row <= column ? value : 0.0;
}

}  // namespace slipstick::internal
