// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/tile_products.cuh"

// Products of a strip of 16 rows with few columns, from tiles in global memory, by a block of 256 threads.
// The warps share the terms of the sums, and their parts are added in the order of the warps. The bits of a
// column do not depend on the other columns, or on their number.
namespace slipstick::internal {

inline constexpr int strip_rows = 16;
inline constexpr int strips_per_tile = BandShape::tile / strip_rows;
inline constexpr int strip_warps = tile_threads / 32;

/// The right factor of a strip product: columns of vectors that other blocks may have written.
struct StripColumns {
  const double* values;
  std::size_t stride;
  int count;

  /// The entries (row, column) and (row + 1, column), 0 past the last column.
  __device__ double2 pair(int row, int column) const {
    if (column >= count) return {0.0, 0.0};
    return __ldcg(reinterpret_cast<const double2*>(values + row + static_cast<std::size_t>(column) * stride));
  }
};

/// Two lines of fragments of a strip: 16 rows and 8 terms of the sums.
struct StripTerms {
  double2 first, second;
};

/// The terms `row`, ..., `row` + 7 of a strip of rows of a tile, starting with row `offset`.
struct RowsOfTile {
  static __device__ StripTerms load(const double* tile, int offset, int row) {
    const Lane lane;
    const auto* from =
        reinterpret_cast<const double2*>(tile + offset + 2 * lane.g + BandShape::tile * (row + 2 * lane.t));
    return {__ldcg(from), __ldcg(from + BandShape::tile / 2)};
  }
  static __device__ void multiply(double (&c)[2][4], const StripTerms& a, double2 b) {
    multiply_fragments(c[0], a.first.x, a.first.y, b.x);
    multiply_fragments(c[1], a.second.x, a.second.y, b.y);
  }
  /// The row of the strip that c[q] belongs to.
  static __device__ int row_of(int q) { return 2 * Lane().g + (q >> 1); }
};

/// The same for a strip of columns, whose terms are rows: the tile is transposed.
struct ColumnsOfTile {
  static __device__ StripTerms load(const double* tile, int offset, int row) {
    const Lane lane;
    const auto* from =
        reinterpret_cast<const double2*>(tile + row + 2 * lane.t + BandShape::tile * (offset + lane.g));
    return {__ldcg(from), __ldcg(from + 8 * BandShape::tile / 2)};
  }
  static __device__ void multiply(double (&c)[2][4], const StripTerms& a, double2 b) {
    multiply_fragments(c[0], a.first.x, a.second.x, b.x);
    multiply_fragments(c[1], a.first.y, a.second.y, b.y);
  }
  static __device__ int row_of(int q) { return Lane().g + 8 * (q >> 1); }
};

/// Parts of the sums of the warps: 16 rows and 8 `groups` columns each.
template <int groups>
struct StripSums {
  static constexpr int columns = 8 * groups;
  double part[strip_warps][strip_rows * columns];

  /// The sum (row, column) over the warps.
  __device__ double sum(int row, int column) const {
    double total = part[0][row + strip_rows * column];
#pragma unroll
    for (int warp = 1; warp < strip_warps; ++warp) total += part[warp][row + strip_rows * column];
    return total;
  }
  /// visit(row, column, sum) for the columns from 0 to count - 1.
  template <class Visit>
  __device__ void each(int count, const Visit& visit) const {
    for (int e = static_cast<int>(threadIdx.x); e < strip_rows * count; e += tile_threads)
      visit(e % strip_rows, e / strip_rows, sum(e % strip_rows, e / strip_rows));
  }
};

/// sums <- the product of a strip with columns: its tiles are tile_of(k), k from first to last - 1, and tile
/// k meets the rows 64 k, ..., 64 k + 63 of the columns. Calls await() before the columns are read. The first
/// terms of the strip are fetched before.
template <class Terms, int groups, class TileOf, class Await>
__device__ inline void multiply_strip(StripSums<groups>& sums, int first, int last, int offset,
                                      const TileOf& tile_of, const StripColumns& columns,
                                      const Await& await) {
  constexpr int ahead = groups == 1 ? 16 : groups == 2 ? 8 : 4;
  const Lane lane;
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const int steps = max(0, last - first);  // of 8 terms, of each warp
  double c[groups][2][4] = {};
  for (int base = 0; base == 0 || base < steps; base += ahead) {
    StripTerms a[ahead];
    double2 b[ahead][groups];
    const auto place = [&](int s) { return 8 * (warp * steps + base + s); };
#pragma unroll
    for (int s = 0; s < ahead; ++s) {
      a[s] = {};
      if (base + s < steps)
        a[s] = Terms::load(tile_of(first + place(s) / BandShape::tile), offset, place(s) % BandShape::tile);
    }
    if (base == 0) await();
#pragma unroll
    for (int s = 0; s < ahead; ++s)
#pragma unroll
      for (int n = 0; n < groups; ++n) {
        b[s][n] = {};
        if (base + s < steps)
          b[s][n] = columns.pair(BandShape::tile * first + place(s) + 2 * lane.t, 8 * n + lane.g);
      }
#pragma unroll
    for (int s = 0; s < ahead; ++s)
#pragma unroll
      for (int n = 0; n < groups; ++n) Terms::multiply(c[n], a[s], b[s][n]);
  }
#pragma unroll
  for (int n = 0; n < groups; ++n)
#pragma unroll
    for (int q = 0; q < 4; ++q)
      sums.part[warp][Terms::row_of(q) + strip_rows * (8 * n + 2 * lane.t + (q & 1))] =
          c[n][0][q] + c[n][1][q];
  __syncthreads();
}

}  // namespace slipstick::internal
