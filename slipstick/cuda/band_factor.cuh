// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/tile_cholesky.cuh"

// The factor L L' of a band, and the inverses of its diagonal blocks, by one kernel.
//
// Blocks of threads take tasks by a ticket, tile column after tile column. A task computes a tile from tiles
// of smaller tickets, and waits for their flags: no order of the blocks leads to a deadlock, and no order
// changes a bit. A column has one task for its diagonal tile, one for each tile below, and one for each tile
// in a row of the inverses. The chain of the diagonal tiles takes all the time, and the other tasks fit
// beside it. A task that waits keeps a multiprocessor. So the row of the inverses is one that need not wait:
// that of some columns before.
namespace slipstick::internal {

struct FactorView {
  BandShape shape;
  const double* matrix;
  double* factor;
  double* inverse;
  const unsigned char* inside;  ///< rows that are not inside are those of the identity
  const double* shift;          ///< added to the diagonal, or null
  int* ready;                   ///< flags of the tiles of the factor; that of (j, j) is for its inverse
  int* inverse_ready;
  unsigned* ticket;
  int* failed;         ///< the first row without a positive pivot
  bool with_inverses;  ///< of whole diagonal blocks, not of their tiles alone
  int delay;           ///< columns between a column and its row of the inverses

  __device__ int tickets_per_column() const {
    return max(1, shape.width - 1) + (with_inverses ? shape.block - 1 : 0);
  }
  __device__ int* flag(int i, int j) const { return ready + shape.tile_number(i, j); }
  __device__ double* tile(int i, int j) const { return factor + shape.tile_at(i, j); }
  /// The tile (i, j) of the inverse of a diagonal block, and its flag.
  __device__ double* inverse_tile(int i, int j) const { return inverse + shape.inverse_at(i, j); }
  __device__ int* inverse_flag(int i, int j) const {
    return i == j ? flag(i, i) : inverse_ready + shape.inverse_number(i, j);
  }
  /// The entry (r, c) of the tile (i, j) of the matrix that is factorized.
  __device__ double entry(int i, int j, int r, int c) const {
    const int row = BandShape::tile * i + r, column = BandShape::tile * j + c;
    // All is read, so that no load waits for another one.
    double value = matrix[shape.tile_at(i, j) + static_cast<std::size_t>(r + BandShape::tile * c)];
    if (row == column && shift != nullptr) value += shift[row];
    const bool is_inside = (inside[row] & inside[column]) != 0;
    return is_inside ? value : row == column ? 1.0 : 0.0;
  }
  /// sum <- - the tile (i, j) of that matrix, since products are added.
  __device__ void start(TileSum& sum, int i, int j) const {
    sum.each([&](int r, int c, double& value) { value = -entry(i, j, r, c); });
  }
};

inline constexpr std::size_t factor_shared_bytes = 6 * shared_tile_size * sizeof(double);

/// The tiles of shared memory.
struct TileBuffers {
  double* memory;
  __device__ double* operator[](int k) const { return memory + k * shared_tile_size; }
};

struct TilePair {
  const double* first;
  const int* first_flag;
  const double* second;  ///< null if there is none
  const int* second_flag;
};

/// Calls use(first, second) for `count` pairs of tiles in shared memory. A pair is fetched while the one
/// before is used. Takes buffers 0 to 3.
template <class PairOf, class Use>
__device__ inline void stream_tiles(const TileBuffers& buffers, int count, const PairOf& pair_of,
                                    const Use& use) {
  const auto load = [&](int k) {
    if (k < count) {
      const TilePair pair = pair_of(k);
      if (threadIdx.x == 0) await_flag(pair.first_flag);
      if (threadIdx.x == 32 && pair.second != nullptr) await_flag(pair.second_flag);
      __syncthreads();
      copy_tile_async(buffers[2 * (k & 1)], pair.first);
      if (pair.second != nullptr) copy_tile_async(buffers[2 * (k & 1) + 1], pair.second);
    }
    end_copies();
  };
  load(0);
  for (int k = 0; k < count; ++k) {
    load(k + 1);
    await_copies<1>();
    __syncthreads();
    use(buffers[2 * (k & 1)], buffers[2 * (k & 1) + 1]);
    __syncthreads();
  }
  await_copies<0>();
}

/// Copies a tile to shared memory when its flag is set.
__device__ inline void fetch_tile(double* to, const double* from, const int* flag) {
  if (threadIdx.x == 0) await_flag(flag);
  __syncthreads();
  copy_tile_async(to, from);
  end_copies();
  await_copies<0>();
  __syncthreads();
}

/// L_ij = (A_ij - sum_k L_ik L_jk') L_jj^-T
__device__ inline void factor_below(const FactorView& view, const TileBuffers& buffers, int i, int j) {
  const int first = max(0, i - view.shape.width + 1);
  TileSum sum;
  view.start(sum, i, j);
  stream_tiles(
      buffers, j - first,
      [&](int k) {
        return TilePair{view.tile(i, first + k), view.flag(i, first + k), view.tile(j, first + k),
                        view.flag(j, first + k)};
      },
      [&](const double* A, const double* B) { sum.add_product(A, B); });
  double* rest = buffers[4];
  sum.each([&](int r, int c, double& value) { rest[r + tile_stride * c] = -value; });
  fetch_tile(buffers[5], view.inverse_tile(j, j), view.flag(j, j));
  TileSum result;
  result.add_product_with_lower(rest, buffers[5]);
  result.store(view.tile(i, j));
  __syncthreads();
  if (threadIdx.x == 0) publish(view.flag(i, j));
}

/// The diagonal tile j, its inverse, and the tile (j, j - 1) left of it, which the next link of the chain
/// would have to wait for. All that does not depend on the column before is summed up before the wait.
__device__ inline void factor_diagonal(const FactorView& view, const TileBuffers& buffers, int j) {
  const int first = max(0, j - view.shape.width + 1);
  const bool has_left = j > first;
  TileSum sum, left;
  view.start(sum, j, j);
  if (has_left) view.start(left, j, j - 1);
  stream_tiles(
      buffers, max(0, j - 1 - first),
      [&](int k) {
        return TilePair{view.tile(j, first + k), view.flag(j, first + k), view.tile(j - 1, first + k),
                        view.flag(j - 1, first + k)};
      },
      [&](const double* A, const double* B) {
        sum.add_square(A);
        left.add_product(A, B);
      });
  double *D = buffers[0], *I = buffers[1], *L = buffers[2], *scratch = buffers[3];
  if (has_left) {
    left.each([&](int r, int c, double& value) {
      D[r + tile_stride * c] = -value;
      value = 0.0;
    });
    fetch_tile(I, view.inverse_tile(j - 1, j - 1), view.flag(j - 1, j - 1));
    left.add_product_with_lower(D, I);
    left.store_shared(L);
    __syncthreads();
    sum.add_square(L);
  }
  sum.each([&](int r, int c, double& value) { D[r + tile_stride * c] = r >= c ? -value : 0.0; });
  for (int e = static_cast<int>(threadIdx.x); e < static_cast<int>(BandShape::tile_size); e += tile_threads)
    I[e % BandShape::tile + tile_stride * (e / BandShape::tile)] = 0.0;
  if (has_left) left.store(view.tile(j, j - 1));
  __syncthreads();
  // A warp that has nothing to do at the start of factor_tile() publishes: a fence takes a microsecond.
  if (has_left && threadIdx.x == tile_threads - 1) publish(view.flag(j, j - 1));
  factor_tile(D, I, scratch);
  const int row = static_cast<int>(threadIdx.x);
  double* inverse = view.inverse_tile(j, j);
  for (int e = 2 * row; e < static_cast<int>(BandShape::tile_size); e += 2 * tile_threads)
    *reinterpret_cast<double2*>(inverse + e) =
        *reinterpret_cast<double2*>(I + e % BandShape::tile + tile_stride * (e / BandShape::tile));
  __syncthreads();
  if (row == 0) publish(view.flag(j, j));
  if (row < BandShape::tile) {
    const double pivot = I[row + tile_stride * row];
    if (!(pivot > 0.0 && isfinite(pivot))) atomicMin(view.failed, BandShape::tile * j + row);
  }
  double* out = view.tile(j, j);
  for (int e = row; e < static_cast<int>(BandShape::tile_size); e += tile_threads)
    out[e] = D[e % BandShape::tile + tile_stride * (e / BandShape::tile)];
}

/// X_ij = -L_ii^-1 sum_k L_ik X_kj for the inverse X of a diagonal block.
__device__ inline void invert_below(const FactorView& view, const TileBuffers& buffers, int i, int j) {
  const int first = max(j, i - view.shape.width + 1);
  TileSum sum;
  stream_tiles(
      buffers, i - first,
      [&](int k) {
        return TilePair{view.tile(i, first + k), view.flag(i, first + k), view.inverse_tile(first + k, j),
                        view.inverse_flag(first + k, j)};
      },
      [&](const double* A, const double* B) { sum.template add_product<true>(A, B); });
  sum.store_shared(buffers[4]);
  fetch_tile(buffers[5], view.inverse_tile(i, i), view.flag(i, i));
  TileSum result;
  result.template add_product<true>(buffers[5], buffers[4]);
  result.each([&](int, int, double& value) { value = -value; });
  result.store(view.inverse_tile(i, j));
  __syncthreads();
  if (threadIdx.x == 0) publish(view.inverse_flag(i, j));
}

__global__ void __launch_bounds__(tile_threads, 1) factor_band(FactorView view) {
  extern __shared__ double shared_tiles[];
  __shared__ unsigned now;
  const TileBuffers buffers{shared_tiles};
  const int per_column = view.tickets_per_column(), diagonal_and_below = max(1, view.shape.width - 1);
  const int columns = view.shape.tiles + (view.with_inverses ? view.delay : 0);
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) now = atomicAdd(view.ticket, 1U);
    __syncthreads();
    const int j = static_cast<int>(now) / per_column, part = static_cast<int>(now) % per_column;
    if (j >= columns) return;
    if (part >= diagonal_and_below) {
      const int i = j - view.delay,
                column = i / view.shape.block * view.shape.block + part - diagonal_and_below;
      if (column < i) invert_below(view, buffers, i, column);
    } else if (part > 0) {
      if (const int i = j + 1 + part; i < view.shape.tiles) factor_below(view, buffers, i, j);
    } else if (j < view.shape.tiles) {
      factor_diagonal(view, buffers, j);
    }
  }
}

}  // namespace slipstick::internal
