// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/tiles.cuh"

// Block L U of banded blocks without pivoting. The diagonal tile k is L_k D_k U~_k. With T_kj = L_k^-1 A_kj
// right of it and S_ik = A_ik U~_k^-1 D_k^-1 below it, both in place, the rest becomes A_ij - S_ik T_kj. In a
// symmetric matrix T_kj = D_k S_jk', and the tiles right of the diagonal are left out.
namespace slipstick::internal {

inline constexpr int widest_narrow = 7;  // tiles of half a band that one block of threads factorizes
inline constexpr int widest_of_two = 5;  // the same if two blocks share a multiprocessor

__device__ inline double* tile_at(const SpikeJob& job, const TileBand& band, int i, int j) {
  return job.tiles +
         (static_cast<std::size_t>(i) * band.tiles_per_row() + static_cast<std::size_t>(j - i + band.width)) *
             tile_size;
}
__device__ inline double* factor_at(const SpikeJob& job, int k) {
  return job.factors + static_cast<std::size_t>(k) * tile_size;
}

/// A block of threads per job, for bands of up to widest_narrow tiles. Multiprocessors have the shared memory
/// for `at_once` blocks.
template <bool symmetric, int at_once>
__global__ void __launch_bounds__(tile_threads, at_once)
    factorize_narrow(const SpikeJob* jobs, TileBand band, SpikeState* state) {
  const SpikeJob job = jobs[blockIdx.x];
  const int warp = warp_index(), width = band.width;
  double* const lower = launched_shared_memory();
  double* const upper = lower + shared_tile;
  double* const scale = upper + shared_tile;  // D_k
  double* const below = scale + tile_rows;    // tiles (k + 1 + i, k)
  double* const right = below + width * shared_tile;
  for (int k = 0; k < job.count; ++k) {
    const int reach = min(width, job.count - 1 - k);
    for (int i = 0; i < reach; ++i) {
      copy_tile_async(below + i * shared_tile, tile_at(job, band, k + 1 + i, k));
      if constexpr (!symmetric) copy_tile_async(right + i * shared_tile, tile_at(job, band, k, k + 1 + i));
    }
    end_group_of_copies();
    double* const factors = factor_at(job, k);
    factorize_tile(tile_at(job, band, k, k), job.least + k * tile_rows, state,
                   [&](int row, int column, double value) {
                     factors[row + tile_rows * column] = value;
                     lower[row + shared_column * column] = lower_inverse(value, row, column);
                     upper[row + shared_column * column] = upper_inverse(value, row, column);
                     if (symmetric && row == column) scale[row] = 1.0 / value;
                   });
    await_copies<0>();
    __syncthreads();
    for (int task = warp; task < (symmetric ? reach : 2 * reach); task += tile_warps) {
      const bool is_below = task < reach;
      const int i = is_below ? task : task - reach;
      double* const shared = (is_below ? below : right) + i * shared_tile;
      double* const tile = is_below ? tile_at(job, band, k + 1 + i, k) : tile_at(job, band, k, k + 1 + i);
      WholeTile product;
      product.clear();
      if (is_below) {
        product.add_product(PlainTile{shared}, PlainTile{upper}, 0, 0);
      } else {
        product.add_product(PlainTile{lower}, PlainTile{shared}, 0, 0);
      }
      __syncwarp();
      product.for_each(0, 0, [&](int row, int column, double value) {
        shared[row + shared_column * column] = value;
        tile[row + tile_rows * column] = value;
      });
    }
    __syncthreads();
    // While a warp updates a tile, its next one is copied to shared memory, if there is room.
    constexpr bool ahead = at_once == 1;
    double* const waiting = right + (symmetric ? 0 : width) * shared_tile + warp * shared_tile;
    const auto tile_of = [&](int task) {
      return tile_at(job, band, k + 1 + task / reach, k + 1 + task % reach);
    };
    const auto next_task = [&](int task) {
      do {
        task += tile_warps;
      } while (symmetric && task < reach * reach && task / reach < task % reach);
      return task;
    };
    int task = next_task(warp - tile_warps);
    if (ahead && task < reach * reach) copy_tile_by_warp(waiting, tile_of(task));
    for (; task < reach * reach; task = next_task(task)) {
      double* const tile = tile_of(task);
      WholeTile rest;  // its negative, since products are added
      if constexpr (ahead) {
        await_copies<0>();
        __syncwarp();
        rest.for_each(0, 0, [&](int row, int column, double& value) {
          value = -waiting[row + shared_column * column];
        });
        __syncwarp();
        if (next_task(task) < reach * reach) copy_tile_by_warp(waiting, tile_of(next_task(task)));
      } else {
        rest.for_each(0, 0,
                      [&](int row, int column, double& value) { value = -tile[row + tile_rows * column]; });
      }
      const PlainTile left{below + task / reach * shared_tile};
      const double* const factor = (symmetric ? below : right) + task % reach * shared_tile;
      if constexpr (symmetric) {
        rest.add_product(left, ScaledTransposedTile{factor, scale}, 0, 0);
      } else {
        rest.add_product(left, PlainTile{factor}, 0, 0);
      }
      rest.for_each(0, 0,
                    [&](int row, int column, double value) { tile[row + tile_rows * column] = -value; });
    }
    __syncthreads();
  }
}
inline std::size_t narrow_shared_bytes(const TileBand& band) {
  const int waiting = band.width > widest_of_two ? tile_warps : 0;
  return sizeof(double) *
         (static_cast<std::size_t>(2 + (band.symmetric ? 1 : 2) * band.width + waiting) * shared_tile +
          tile_rows);
}

// Wide bands: steps of all jobs together, each of two kernels.

__device__ inline void factorize_diagonal(const SpikeJob& job, const TileBand& band, int k,
                                          SpikeState* state) {
  double* const factors = factor_at(job, k);
  factorize_tile(tile_at(job, band, k, k), job.least + k * tile_rows, state,
                 [&](int row, int column, double value) { factors[row + tile_rows * column] = value; });
}

/// The first diagonal tile of every job.
__global__ void __launch_bounds__(tile_threads)
    factorize_first(const SpikeJob* jobs, TileBand band, SpikeState* state) {
  factorize_diagonal(jobs[blockIdx.x], band, 0, state);
}

/// S and T of step k, a block of threads per tile.
__global__ void __launch_bounds__(tile_threads) find_panel(const SpikeJob* jobs, TileBand band, int k) {
  alignas(16) __shared__ double triangle[shared_tile], shared[shared_tile];
  const SpikeJob job = jobs[blockIdx.y];
  const bool is_below = static_cast<int>(blockIdx.x) < band.width;
  const int other =
      k + 1 + (is_below ? static_cast<int>(blockIdx.x) : static_cast<int>(blockIdx.x) - band.width);
  if (other >= job.count) return;
  double* const tile = is_below ? tile_at(job, band, other, k) : tile_at(job, band, k, other);
  copy_tile_async(shared, tile);
  end_group_of_copies();
  const double* const factors = factor_at(job, k);
  for (int e = static_cast<int>(threadIdx.x); e < tile_size; e += tile_threads) {
    const int row = e % tile_rows, column = e / tile_rows;
    triangle[row + shared_column * column] =
        is_below ? upper_inverse(factors[e], row, column) : lower_inverse(factors[e], row, column);
  }
  await_copies<0>();
  __syncthreads();
  SharedPiece product;
  product.clear();
  if (is_below) {
    product.add_product(PlainTile{shared}, PlainTile{triangle}, piece_top(), piece_left());
  } else {
    product.add_product(PlainTile{triangle}, PlainTile{shared}, piece_top(), piece_left());
  }
  product.for_each(piece_top(), piece_left(),
                   [&](int row, int column, double value) { tile[row + tile_rows * column] = value; });
}

/// A_ij -= S_ik T_kj for 2 x 2 tiles per block of threads. The first block also factorizes the next diagonal
/// tile.
template <bool symmetric>
__global__ void __launch_bounds__(tile_threads)
    update_rest(const SpikeJob* jobs, TileBand band, int k, SpikeState* state) {
  alignas(16) __shared__ double left[2][shared_tile], right[2][shared_tile];
  __shared__ double scale[tile_rows];
  const SpikeJob job = jobs[blockIdx.y];
  const int reach = min(band.width, job.count - 1 - k);
  const int regions = (band.width + 1) / 2;
  const int top = 2 * (static_cast<int>(blockIdx.x) / regions),
            first = 2 * (static_cast<int>(blockIdx.x) % regions);
  if (top >= reach || first >= reach || (symmetric && top < first)) return;
  for (int q = 0; q < 2; ++q) {
    if (top + q < reach) copy_tile_async(left[q], tile_at(job, band, k + 1 + top + q, k));
    if (first + q < reach) {
      copy_tile_async(right[q], symmetric ? tile_at(job, band, k + 1 + first + q, k)
                                          : tile_at(job, band, k, k + 1 + first + q));
    }
  }
  end_group_of_copies();
  if (symmetric && threadIdx.x < tile_rows)
    scale[threadIdx.x] = 1.0 / factor_at(job, k)[threadIdx.x * (tile_rows + 1)];
  // Two warps share a tile.
  const int p = warp_index() >> 2, q = (warp_index() >> 1) & 1, band_top = 16 * (warp_index() & 1);
  const int i = top + p, j = first + q;
  const bool has_tile = i < reach && j < reach && !(symmetric && i < j);
  double* const tile = has_tile ? tile_at(job, band, k + 1 + i, k + 1 + j) : nullptr;
  Pieces<1, 4> rest;
  if (has_tile) {
    rest.for_each(band_top, 0,
                  [&](int row, int column, double& value) { value = -tile[row + tile_rows * column]; });
  }
  await_copies<0>();
  __syncthreads();
  if (has_tile) {
    if constexpr (symmetric) {
      rest.add_product(PlainTile{left[p]}, ScaledTransposedTile{right[q], scale}, band_top, 0);
    } else {
      rest.add_product(PlainTile{left[p]}, PlainTile{right[q]}, band_top, 0);
    }
    rest.for_each(band_top, 0,
                  [&](int row, int column, double value) { tile[row + tile_rows * column] = -value; });
  }
  if (blockIdx.x == 0) {
    __syncthreads();
    factorize_diagonal(job, band, k + 1, state);
  }
}

}  // namespace slipstick::internal
