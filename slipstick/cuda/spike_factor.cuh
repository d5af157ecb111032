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

/// What a block of threads has in shared memory for step k of a narrow job.
struct NarrowStep {
  SpikeJob job;
  TileBand band;
  int k = 0;
  int reach = 0;            ///< tiles below the diagonal tile
  double* lower = nullptr;  ///< L_k^-1
  double* upper = nullptr;  ///< U~_k^-1 D_k^-1
  double* scale = nullptr;  ///< D_k
  double* below = nullptr;  ///< tiles (k + 1 + i, k)
  double* right = nullptr;  ///< tiles (k, k + 1 + i)

  __device__ double* tile(int i, int j) const { return tile_at(job, band, i, j); }
  __device__ void keep(double* shared, double* tile, int row, int column, double value) const {
    shared[row + shared_column * column] = value;
    tile[row + tile_rows * column] = value;
  }
  /// The rows `first` to first + 15 of the i-th tile of S.
  __device__ void find_below(int i, int first) const {
    double *const shared = below + i * shared_tile, *const to = tile(k + 1 + i, k);
    Pieces<1, 4> product;
    product.clear();
    product.add_product<Zeros::right_below>(PlainTile{shared}, PlainTile{upper}, first, 0);
    __syncwarp();
    product.for_each(first, 0,
                     [&](int row, int column, double value) { keep(shared, to, row, column, value); });
  }
  /// The same columns of the i-th tile of T.
  __device__ void find_right(int i, int first) const {
    double *const shared = right + i * shared_tile, *const to = tile(k, k + 1 + i);
    Pieces<2, 2> product;
    product.clear();
    product.add_product<Zeros::left_above>(PlainTile{lower}, PlainTile{shared}, 0, first);
    __syncwarp();
    product.for_each(0, first,
                     [&](int row, int column, double value) { keep(shared, to, row, column, value); });
  }
  /// Subtracts S_ik T_kj from what `rest` has as its negative, the rows from `first` on of a tile. The next
  /// diagonal tile also goes to where it is factorized.
  template <bool symmetric, class Rest>
  __device__ void subtract(Rest& rest, int i, int j, int first) const {
    const PlainTile left{below + i * shared_tile};
    if constexpr (symmetric) {
      rest.add_product(left, ScaledTransposedTile{below + j * shared_tile, scale}, first, 0);
    } else {
      rest.add_product(left, PlainTile{right + j * shared_tile}, first, 0);
    }
    double* const to = tile(k + 1 + i, k + 1 + j);
    const bool is_next = i == 0 && j == 0;
    rest.for_each(first, 0, [&](int row, int column, double value) {
      to[row + tile_rows * column] = -value;
      if (is_next) place_diagonal(lower, upper, row, column, -value);
    });
  }
};

/// A_ij - S_ik T_kj, half a tile per warp.
template <bool symmetric>
__device__ void update_halves(const NarrowStep& step) {
  const int reach = step.reach;
  for (int piece = warp_index(); piece < 2 * reach * reach; piece += tile_warps) {
    const int i = piece / 2 / reach, j = piece / 2 % reach, first = 16 * (piece & 1);
    if (symmetric && i < j) continue;
    const double* const tile = step.tile(step.k + 1 + i, step.k + 1 + j);
    Pieces<1, 4> rest;
    rest.for_each(first, 0,
                  [&](int row, int column, double& value) { value = -tile[row + tile_rows * column]; });
    step.subtract<symmetric>(rest, i, j, first);
  }
}

/// The same by whole tiles. While a warp updates a tile, its next one is copied to `waiting`.
template <bool symmetric>
__device__ void update_tiles(const NarrowStep& step, double* waiting) {
  const int reach = step.reach;
  const auto next_task = [&](int task) {
    do {
      task += tile_warps;
    } while (symmetric && task < reach * reach && task / reach < task % reach);
    return task;
  };
  const auto copy_to_waiting = [&](int task) {
    if (task < reach * reach)
      copy_tile_by_warp(waiting, step.tile(step.k + 1 + task / reach, step.k + 1 + task % reach));
  };
  int task = next_task(warp_index() - tile_warps);
  copy_to_waiting(task);
  for (; task < reach * reach; task = next_task(task)) {
    await_copies<0>();
    __syncwarp();
    WholeTile rest;
    rest.for_each(
        0, 0, [&](int row, int column, double& value) { value = -waiting[row + shared_column * column]; });
    __syncwarp();
    copy_to_waiting(next_task(task));
    step.subtract<symmetric>(rest, task / reach, task % reach, 0);
  }
}

/// A block of threads per job, for bands of up to widest_narrow tiles. Multiprocessors have the shared memory
/// for `at_once` blocks.
template <bool symmetric, int at_once>
__global__ void __launch_bounds__(tile_threads, at_once)
    factorize_narrow(const SpikeJob* jobs, TileBand band, SpikeState* state) {
  NarrowStep step{.job = jobs[blockIdx.x], .band = band};
  step.lower = launched_shared_memory();
  step.upper = step.lower + shared_tile;
  step.scale = step.upper + shared_tile;
  step.below = step.scale + tile_rows;
  step.right = step.below + band.width * shared_tile;
  double* const waiting = step.right + ((symmetric ? 0 : band.width) + warp_index()) * shared_tile;
  if (step.job.count > 0) load_diagonal(step.tile(0, 0), step.lower, step.upper);
  for (int k = 0; k < step.job.count; ++k) {
    const int reach = min(band.width, step.job.count - 1 - k);
    step.k = k;
    step.reach = reach;
    for (int i = 0; i < reach; ++i) {
      copy_tile_async(step.below + i * shared_tile, step.tile(k + 1 + i, k));
      if constexpr (!symmetric) copy_tile_async(step.right + i * shared_tile, step.tile(k, k + 1 + i));
    }
    end_group_of_copies();
    factorize_tile(step.job.least + k * tile_rows, state, step.lower, step.upper);
    store_triangles(step.lower, step.upper, factor_at(step.job, k));
    if (symmetric && threadIdx.x < tile_rows)
      step.scale[threadIdx.x] = 1.0 / step.upper[threadIdx.x * (shared_column + 1)];
    await_copies<0>();
    __syncthreads();
    for (int half = warp_index(); half < 2 * (symmetric ? reach : 2 * reach); half += tile_warps) {
      const int i = half / 2, first = 16 * (half & 1);
      if (i < reach) {
        step.find_below(i, first);
      } else {
        step.find_right(i - reach, first);
      }
    }
    __syncthreads();
    if constexpr (at_once > 1) {
      update_halves<symmetric>(step);
    } else {
      update_tiles<symmetric>(step, waiting);
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

__device__ inline void factorize_diagonal(const SpikeJob& job, const TileBand& band, int k, SpikeState* state,
                                          double* lower, double* upper) {
  load_diagonal(tile_at(job, band, k, k), lower, upper);
  factorize_tile(job.least + k * tile_rows, state, lower, upper);
  store_triangles(lower, upper, factor_at(job, k));
}

/// The first diagonal tile of every job.
__global__ void __launch_bounds__(tile_threads)
    factorize_first(const SpikeJob* jobs, TileBand band, SpikeState* state) {
  alignas(16) __shared__ double lower[shared_tile], upper[shared_tile];
  factorize_diagonal(jobs[blockIdx.x], band, 0, state, lower, upper);
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
    factorize_diagonal(job, band, k + 1, state, left[0], right[0]);
  }
}

}  // namespace slipstick::internal
