// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/strip_products.cuh"

// What is done with a band beside its factor: its tiles from other storages, products, and the columns of a
// Schur complement.
namespace slipstick::internal {

__device__ inline std::size_t thread_number() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t thread_count() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

/// Tiles from LAPACK's lower banded form: column j of the storage holds a_jj, ..., a_(j+bandwidth)j.
__global__ void __launch_bounds__(256) fill_tiles(BandShape shape, const double* band, double* tiles) {
  constexpr auto size = static_cast<int>(BandShape::tile_size);
  for (std::size_t e = thread_number(); e < shape.band_size(); e += thread_count()) {
    const auto number = static_cast<int>(e / BandShape::tile_size), within = static_cast<int>(e % size);
    const int j = number / shape.width, i = j + number % shape.width;
    const int row = BandShape::tile * i + within % BandShape::tile;
    const int column = BandShape::tile * j + within / BandShape::tile, below = row - column;
    const bool stored = row < shape.rows && column < shape.rows && below >= 0 && below <= shape.bandwidth;
    const std::size_t from = static_cast<std::size_t>(column) * static_cast<std::size_t>(shape.bandwidth + 1);
    tiles[e] = stored ? band[from + static_cast<std::size_t>(below)] : 0.0;
  }
}

/// Where the entry (row, column), row >= column, is in tiles.
__host__ __device__ inline std::size_t entry_place(const BandShape& shape, int row, int column) {
  return shape.tile_at(row / BandShape::tile, column / BandShape::tile) +
         static_cast<std::size_t>(row % BandShape::tile + BandShape::tile * (column % BandShape::tile));
}
__device__ inline double entry_of(const BandShape& shape, const double* tiles, int row, int column) {
  const int low = min(row, column), high = max(row, column);
  return high - low <= shape.bandwidth ? tiles[entry_place(shape, high, low)] : 0.0;
}

/// Tiles from entries of the lower triangle. The tiles are zero before, and no entry comes twice.
__global__ void __launch_bounds__(256)
    scatter_entries(BandShape shape, const int* row, const int* column, const double* value,
                    std::size_t count, double* tiles) {
  for (std::size_t e = thread_number(); e < count; e += thread_count())
    tiles[entry_place(shape, row[e], column[e])] = value[e];
}

/// A tile times a vector, for its rows and, transposed, for its columns. One block per tile: blockIdx.x is
/// its column, blockIdx.y its distance from the diagonal. The parts have places of their own.
__global__ void __launch_bounds__(256)
    multiply_tiles(BandShape shape, const double* tiles, const double* x, double* parts) {
  const int j = static_cast<int>(blockIdx.x), d = static_cast<int>(blockIdx.y), i = j + d;
  if (i >= shape.tiles) return;
  constexpr int tile = BandShape::tile;
  const int thread = static_cast<int>(threadIdx.x), warp = thread >> 5, lane = thread & 31;
  __shared__ double of_row[tile], of_column[tile], rows[8][tile];
  if (thread < tile) {
    of_row[thread] = x[i * tile + thread];
    of_column[thread] = x[j * tile + thread];
  }
  __syncthreads();
  const double* from = tiles + shape.tile_at(i, j);
  double2 a[8];
#pragma unroll
  for (int q = 0; q < 8; ++q)
    a[q] = *reinterpret_cast<const double2*>(from + 2 * lane + tile * (warp + 8 * q));
  double upper = 0.0, lower = 0.0;
  const auto stride = static_cast<std::size_t>(shape.padded());
#pragma unroll
  for (int q = 0; q < 8; ++q) {
    const int c = warp + 8 * q;  // above the diagonal, tiles are zero
    upper += a[q].x * of_column[c];
    lower += a[q].y * of_column[c];
    double sum = (d > 0 || 2 * lane > c ? a[q].x * of_row[2 * lane] : 0.0) +
                 (d > 0 || 2 * lane + 1 > c ? a[q].y * of_row[2 * lane + 1] : 0.0);
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) sum += __shfl_xor_sync(~0U, sum, distance);
    if (lane == 0)
      parts[static_cast<std::size_t>(shape.width + d) * stride + static_cast<std::size_t>(j * tile + c)] =
          sum;
  }
  rows[warp][2 * lane] = upper;
  rows[warp][2 * lane + 1] = lower;
  __syncthreads();
  if (thread < tile) {
    double sum = 0.0;
    for (int q = 0; q < 8; ++q) sum += rows[q][thread];
    parts[static_cast<std::size_t>(d) * stride + static_cast<std::size_t>(i * tile + thread)] = sum;
  }
}

__global__ void __launch_bounds__(128) add_parts(BandShape shape, const double* parts, double* y) {
  const auto row = static_cast<int>(thread_number());
  if (row >= shape.padded()) return;
  const auto stride = static_cast<std::size_t>(shape.padded()), r = static_cast<std::size_t>(row);
  const int t = row / BandShape::tile;
  double sum = 0.0;
  for (int d = 0; d < shape.width; ++d) {
    if (t - d >= 0) sum += parts[static_cast<std::size_t>(d) * stride + r];
    if (t + d < shape.tiles) sum += parts[static_cast<std::size_t>(shape.width + d) * stride + r];
  }
  y[row] = sum;
}

/// A change of the set: k >= 0 is a row that enters, ~k one that leaves.
__device__ inline bool enters(int change) {
  return change >= 0;
}

/// Columns of U for changes of the set: e_k for a row that leaves, and the column of A in the rows inside for
/// one that enters. blockIdx.y is the column.
__global__ void __launch_bounds__(256)
    make_columns(BandShape shape, const double* tiles, const unsigned char* inside, const int* changes,
                 double* columns) {
  const int change = changes[blockIdx.y], k = enters(change) ? change : ~change;
  double* column = columns + static_cast<std::size_t>(blockIdx.y) * static_cast<std::size_t>(shape.padded());
  for (auto row = static_cast<int>(thread_number()); row < shape.padded();
       row += static_cast<int>(thread_count()))
    column[row] = !enters(change)    ? (row == k ? 1.0 : 0.0)
                  : inside[row] != 0 ? entry_of(shape, tiles, row, k)
                                     : 0.0;
}

/// What the kernels of Schur complements need.
struct ComplementView {
  BandShape shape;
  const double* tiles;
  const double* shift;  ///< or null
  const double* columns;
  const int* changes;
  int total;  ///< of them; the right-hand side is the column behind them
  int first;  ///< the first new change
  double* parts;
  double* products;

  __device__ int strips() const { return (total + strip_rows - 1) / strip_rows; }
  __device__ int new_columns() const { return total - first + 1; }
};

inline constexpr int product_groups = 4;

/// Parts of the inner products of all columns (blockIdx.x: 16 of them) with the new ones (blockIdx.y: 32 of
/// them), over a share of the rows (blockIdx.z).
__global__ void __launch_bounds__(tile_threads) multiply_columns(ComplementView view) {
  using Sums = StripSums<product_groups>;
  __shared__ Sums sums;
  const auto stride = static_cast<std::size_t>(view.shape.padded());
  const int strip = static_cast<int>(blockIdx.x), block = static_cast<int>(blockIdx.y);
  const int count = min(Sums::columns, view.new_columns() - Sums::columns * block);
  const StripColumns left{view.columns + static_cast<std::size_t>(strip_rows * strip) * stride, stride,
                          view.total - strip_rows * strip};
  const StripColumns right{
      view.columns + static_cast<std::size_t>(view.first + Sums::columns * block) * stride, stride, count};
  const Lane lane;
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const int slices = static_cast<int>(gridDim.z) * strip_warps,
            slice = static_cast<int>(blockIdx.z) * strip_warps + warp;
  const int steps = view.shape.padded() / 8, share = (steps + slices - 1) / slices;
  double c[product_groups][2][4] = {};
#pragma unroll 2
  for (int step = slice * share; step < min(steps, (slice + 1) * share); ++step) {
    const int row = 8 * step + 2 * lane.t;
    const StripTerms a{left.pair(row, lane.g), left.pair(row, lane.g + 8)};
#pragma unroll
    for (int n = 0; n < product_groups; ++n)
      ColumnsOfTile::multiply(c[n], a, right.pair(row, 8 * n + lane.g));
  }
#pragma unroll
  for (int n = 0; n < product_groups; ++n)
#pragma unroll
    for (int q = 0; q < 4; ++q)
      sums.part[warp][ColumnsOfTile::row_of(q) + strip_rows * (8 * n + 2 * lane.t + (q & 1))] =
          c[n][0][q] + c[n][1][q];
  __syncthreads();
  const std::size_t number =
      (static_cast<std::size_t>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  double* to = view.parts + number * (strip_rows * Sums::columns);
  sums.each(Sums::columns, [&](int row, int column, double sum) { to[row + strip_rows * column] = sum; });
}

/// The new columns of C = D - Y'Y, and the products Y'q of the right-hand side as the last column.
__global__ void __launch_bounds__(128) finish_columns(ComplementView view, int splits) {
  constexpr int width = StripSums<product_groups>::columns;
  const int wanted = view.total * view.new_columns(), blocks = (view.new_columns() + width - 1) / width;
  for (auto e = static_cast<int>(thread_number()); e < wanted; e += static_cast<int>(thread_count())) {
    const int a = e % view.total, b = e / view.total;
    double sum = 0.0;
    for (int z = 0; z < splits; ++z) {
      const std::size_t number =
          static_cast<std::size_t>((z * blocks + b / width) * view.strips() + a / strip_rows);
      sum += view.parts[number * (strip_rows * width) +
                        static_cast<std::size_t>(a % strip_rows + strip_rows * (b % width))];
    }
    if (b < view.new_columns() - 1) {
      const int row = view.changes[a], column = view.changes[view.first + b];
      double own = 0.0;
      if (enters(row) && enters(column)) {
        own = entry_of(view.shape, view.tiles, row, column);
        if (row == column && view.shift != nullptr) own += view.shift[row];
      }
      sum = own - sum;
    }
    view.products[e] = sum;
  }
}

/// q <- q - Y pi, with q behind the columns of Y.
__global__ void __launch_bounds__(128)
    subtract_columns(BandShape shape, double* columns, const double* pi, int total) {
  const auto row = thread_number(), stride = static_cast<std::size_t>(shape.padded());
  if (row >= stride) return;
  double* q = columns + static_cast<std::size_t>(total) * stride + row;
  double sum = *q;
#pragma unroll 8
  for (int k = 0; k < total; ++k) sum -= columns[static_cast<std::size_t>(k) * stride + row] * pi[k];
  *q = sum;
}

}  // namespace slipstick::internal
