// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/spike_substitute.cuh"

// What SPIKE does besides factors and substitutions: loading, sizes of rows, products with the tips of
// spikes.
namespace slipstick::internal {

inline constexpr int load_blocks = 2112;

/// The partitions of a matrix on the device.
struct SpikeMatrix {
  const SpikeJob* jobs = nullptr;  ///< in the order of SpikePlan
  const int* start = nullptr;      ///< first tile row of every partition, then the number of tile rows
  double* couplings = nullptr;     ///< B_0, C_1, B_1, C_2, ...: width x width tiles each
  TileBand band;
  int partitions = 1;
  int rows = 0;
  int half_bandwidth = 0;

  __device__ double* coupling(int cut, bool previous, int row, int column) const {
    const std::size_t tiles = static_cast<std::size_t>(band.width) * band.width;
    return couplings + ((2 * static_cast<std::size_t>(cut) + (previous ? 1 : 0)) * tiles +
                        static_cast<std::size_t>(row) * band.width + column) *
                           tile_size;
  }
};

__device__ inline void check_finite(double value, int row, SpikeState* state) {
  if (!isfinite(value)) atomicMin(&state->bad_row, row);
}

/// An entry of the matrix filled up with the identity. `columns` has 2 k + 1 numbers for every column, or is
/// null for a zero matrix.
__device__ inline double band_entry(const SpikeMatrix& matrix, const double* columns, int row, int column,
                                    SpikeState* state) {
  if (row >= matrix.rows || column >= matrix.rows) return row == column ? 1.0 : 0.0;
  const int k = matrix.half_bandwidth;
  if (columns == nullptr || abs(row - column) > k) return 0.0;
  const double value = columns[static_cast<std::size_t>(2 * k + 1) * column + (k + row - column)];
  check_finite(value, row, state);
  return value;
}

/// Fills the tiles of job blockIdx.y.
__global__ void __launch_bounds__(tile_threads)
    load_job(SpikeMatrix matrix, const double* columns, SpikeState* state) {
  const SpikeJob job = matrix.jobs[blockIdx.y];
  const int per_row = matrix.band.tiles_per_row();
  for (int tile = static_cast<int>(blockIdx.x); tile < job.count * per_row;
       tile += static_cast<int>(gridDim.x)) {
    const int i = tile / per_row, j = i + tile % per_row - matrix.band.width;
    double* const to = job.tiles + static_cast<std::size_t>(tile) * tile_size;
    for (int e = static_cast<int>(threadIdx.x); e < tile_size; e += tile_threads) {
      double value = 0.0;
      if (j >= 0 && j < job.count) {
        value = band_entry(matrix, columns, static_cast<int>(place_of(job, i * tile_rows + e % tile_rows)),
                           static_cast<int>(place_of(job, j * tile_rows + e / tile_rows)), state);
      }
      to[e] = value;
    }
  }
}

/// Fills B and C of cut blockIdx.y. blockIdx.x is a tile of both.
__global__ void __launch_bounds__(tile_threads)
    load_couplings(SpikeMatrix matrix, const double* columns, SpikeState* state) {
  const int cut = static_cast<int>(blockIdx.y), width = matrix.band.width;
  const int r = static_cast<int>(blockIdx.x) / width, c = static_cast<int>(blockIdx.x) % width;
  const int border = matrix.start[cut + 1];
  for (int e = static_cast<int>(threadIdx.x); e < tile_size; e += tile_threads) {
    const int row = e % tile_rows, column = e / tile_rows;
    matrix.coupling(cut, false, r, c)[e] = band_entry(matrix, columns, (border - width + r) * tile_rows + row,
                                                      (border + c) * tile_rows + column, state);
    matrix.coupling(cut, true, r, c)[e] = band_entry(matrix, columns, (border + r) * tile_rows + row,
                                                     (border - width + c) * tile_rows + column, state);
  }
}

/// Stores an entry in a job, if the job keeps that side of the diagonal.
__device__ inline void store_entry(const SpikeJob& job, const TileBand& band, int row, int column,
                                   double value) {
  const int r = static_cast<int>(job.reversed != 0 ? place_of(job, 0) - row : row - job.first_row);
  const int c = static_cast<int>(job.reversed != 0 ? place_of(job, 0) - column : column - job.first_row);
  if (band.symmetric && c / tile_rows > r / tile_rows) return;
  tile_at(job, band, r / tile_rows, c / tile_rows)[r % tile_rows + tile_rows * (c % tile_rows)] = value;
}

/// Stores the entries with |i - j| <= k in tiles that load_job and load_couplings have cleared.
__global__ void __launch_bounds__(tile_threads)
    load_entries(SpikeMatrix matrix, const int* rows, const int* columns, const double* values,
                 std::size_t count, SpikeState* state) {
  const int width = matrix.band.width;
  for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * tile_threads + threadIdx.x; e < count;
       e += static_cast<std::size_t>(gridDim.x) * tile_threads) {
    const int row = rows[e], column = columns[e];
    const double value = values[e];
    if (abs(row - column) > matrix.half_bandwidth) continue;
    check_finite(value, row, state);
    int first = 0, last = matrix.partitions - 1;  // the partition of the row
    while (first < last) {
      const int middle = (first + last + 1) / 2;
      if (matrix.start[middle] <= row / tile_rows) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    const int begin = matrix.start[first], end = matrix.start[first + 1];
    const int r = row / tile_rows, c = column / tile_rows;
    const int place = row % tile_rows + tile_rows * (column % tile_rows);
    if (c >= end) {
      matrix.coupling(first, false, r - (end - width), c - end)[place] = value;
    } else if (c < begin) {
      matrix.coupling(first - 1, true, r - begin, c - (begin - width))[place] = value;
    } else {
      store_entry(matrix.jobs[first], matrix.band, row, column, value);
      if (first > 0 && first + 1 < matrix.partitions)
        store_entry(matrix.jobs[matrix.partitions + first - 1], matrix.band, row, column, value);
    }
  }
}

// The bits of numbers >= 0 are ordered like the numbers.
__device__ inline void raise(double* to, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(to),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

/// The largest entries of the rows and columns of every job, at the place of the row, and of the job. All are
/// 0 before. A block of threads per tile row blockIdx.x of job blockIdx.y.
__global__ void __launch_bounds__(tile_threads)
    measure_rows(const SpikeJob* jobs, TileBand band, double* of_row, double* of_column, double* of_job) {
  const SpikeJob job = jobs[blockIdx.y];
  const int i = static_cast<int>(blockIdx.x), lane = lane_index();
  if (i >= job.count) return;
  double row_size = 0.0;
  for (int slot = warp_index(); slot < band.tiles_per_row(); slot += tile_warps) {
    const int j = i + slot - band.width;
    if (j < 0 || j >= job.count) continue;
    const double* const tile = tile_at(job, band, i, j);
    double column_size = 0.0;  // of column `lane`
    for (int c = 0; c < tile_rows; ++c) {
      double size = fabs(tile[lane + tile_rows * c]);
      row_size = fmax(row_size, size);
#pragma unroll
      for (int distance = 16; distance > 0; distance >>= 1)
        size = fmax(size, __shfl_xor_sync(~0U, size, distance));
      if (lane == c) column_size = size;
    }
    raise(of_column + place_of(job, j * tile_rows + lane), column_size);
  }
  raise(of_row + place_of(job, i * tile_rows + lane), row_size);
#pragma unroll
  for (int distance = 16; distance > 0; distance >>= 1)
    row_size = fmax(row_size, __shfl_xor_sync(~0U, row_size, distance));
  if (lane == 0) raise(of_job + blockIdx.y, row_size);
}

/// The sizes up to which the pivots of job blockIdx.y are boosted. `owner` is the job that was measured.
__global__ void __launch_bounds__(tile_threads)
    find_least_pivots(const SpikeJob* jobs, const int* owner, TileBand band, const double* of_row,
                      const double* of_column, const double* of_job, double threshold) {
  const SpikeJob job = jobs[blockIdx.y];
  for (int r = static_cast<int>(blockIdx.x * tile_threads + threadIdx.x); r < job.count * tile_rows;
       r += static_cast<int>(gridDim.x) * tile_threads) {
    const long long place = place_of(job, r);
    // Of a symmetric matrix, each of the two has one triangle only.
    double size =
        band.symmetric ? fmax(of_row[place], of_column[place]) : fmin(of_row[place], of_column[place]);
    if (size == 0.0) size = of_job[owner[blockIdx.y]] > 0.0 ? of_job[owner[blockIdx.y]] : 1.0;
    job.least[r] = threshold * size;
  }
}

/// Fills X of a spike: B, or C turned by 180 degrees. Block blockIdx.x has a tile of task blockIdx.y.
__global__ void __launch_bounds__(tile_threads)
    start_spikes(const SpikeTask* tasks, const double* const* couplings, int width) {
  const SpikeTask task = tasks[blockIdx.y];
  const double* const coupling = couplings[blockIdx.y];
  const std::size_t tiles = static_cast<std::size_t>(width) * width, tile = blockIdx.x;
  const int row = static_cast<int>(tile) / width, column = static_cast<int>(tile) % width;
  double* const to =
      task.ring + (static_cast<std::size_t>((task.from + row) % width) * width + column) * tile_size;
  for (int e = static_cast<int>(threadIdx.x); e < tile_size; e += tile_threads)
    to[e] = task.job.reversed != 0 ? coupling[(tiles - 1 - tile) * tile_size + (tile_size - 1 - e)]
                                   : coupling[tile * tile_size + e];
}

/// SpikeProduct blockIdx.y, its tile blockIdx.x.
__global__ void __launch_bounds__(tile_threads) multiply_dense(const SpikeProduct* products, int width) {
  alignas(16) __shared__ double left[shared_tile], right[shared_tile];
  const SpikeProduct product = products[blockIdx.y];
  const int row = static_cast<int>(blockIdx.x) / width, column = static_cast<int>(blockIdx.x) % width;
  const auto tile = [&](const double* matrix, int i, int j) {
    return matrix + (static_cast<std::size_t>(i) * width + j) * tile_size;
  };
  SharedPiece sum;
  sum.clear();
  for (int k = 0; k < (product.a != nullptr ? width : 0); ++k) {
    copy_tile_async(left, tile(product.a, row, k));
    copy_tile_async(right, tile(product.b, k, column));
    end_group_of_copies();
    await_copies<0>();
    __syncthreads();
    sum.add_product(PlainTile{left}, PlainTile{right}, piece_top(), piece_left());
    __syncthreads();
  }
  const std::size_t to = product.banded != 0
                             ? static_cast<std::size_t>(row) * (2 * width + 1) + (column - row + width)
                             : static_cast<std::size_t>(row) * width + column;
  sum.for_each(piece_top(), piece_left(), [&](int r, int c, double value) {
    const int e = r + tile_rows * c;
    double start = product.identity != 0 && row == column && r == c ? 1.0 : 0.0;
    if (product.c0 != nullptr) start = tile(product.c0, row, column)[e];
    product.c[to * tile_size + e] = start - value;
  });
}

/// SpikeVectorProduct blockIdx.y, its tile row blockIdx.x, for vector blockIdx.z.
__global__ void __launch_bounds__(tile_threads)
    multiply_vectors(const SpikeVectorProduct* products, int width, std::size_t v_stride,
                     std::size_t y_stride) {
  __shared__ double parts[tile_warps][tile_rows];
  const SpikeVectorProduct product = products[blockIdx.y];
  const int lane = lane_index();
  const double* const v = product.v + blockIdx.z * v_stride;
  double sum = 0.0;
  for (int j = warp_index(); j < width; j += tile_warps) {
    const double* const tile =
        product.matrix + (static_cast<std::size_t>(blockIdx.x) * width + j) * tile_size;
#pragma unroll 8
    for (int c = 0; c < tile_rows; ++c) sum += tile[lane + tile_rows * c] * v[j * tile_rows + c];
  }
  sum = sum_over_warps(parts, sum);
  if (warp_index() != 0) return;
  const std::size_t place = blockIdx.z * y_stride + blockIdx.x * tile_rows + lane;
  product.y[place] = product.a[place] - sum;
}

/// The first and the last rows of partition blockIdx.x, of vector blockIdx.y.
__global__ void __launch_bounds__(tile_threads)
    gather_tips(const int* start, int tip, const double* g, std::size_t stride, double* tips,
                std::size_t tips_stride) {
  const long long begin = static_cast<long long>(start[blockIdx.x]) * tile_rows;
  const long long end = static_cast<long long>(start[blockIdx.x + 1]) * tile_rows;
  g += blockIdx.y * stride;
  tips += blockIdx.y * tips_stride + 2 * static_cast<std::size_t>(blockIdx.x) * tip;
  for (int e = static_cast<int>(threadIdx.x); e < tip; e += tile_threads) {
    tips[e] = g[begin + e];
    tips[tip + e] = g[end - tip + e];
  }
}

}  // namespace slipstick::internal
