// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/band_kernels.cuh"

// symbgmm: a symmetric band times many columns (Litven 2013, eq. 6.1 and 6.2). Two kernels as the thesis
// lists them, with its upper limits of k corrected, and ours.
namespace slipstick::internal {

/// Columns of a dense matrix on the device.
struct DenseColumns {
  double* values;
  std::size_t stride;
  int count;

  __device__ double& at(int row, int column) const {
    return values[static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * stride];
  }
};

/// Listing 6.4: one thread per entry of the product.
__global__ void __launch_bounds__(256)
    multiply_naive(BandShape shape, const double* tiles, DenseColumns x, DenseColumns y) {
  const int i = static_cast<int>(blockDim.y * blockIdx.y + threadIdx.y);
  const int j = static_cast<int>(blockDim.x * blockIdx.x + threadIdx.x);
  if (i >= shape.rows || j >= x.count) return;
  double sum = 0.0;
  for (int k = max(0, i - shape.bandwidth); k <= min(shape.rows - 1, i + shape.bandwidth); ++k)
    sum += entry_of(shape, tiles, i, k) * x.at(k, j);
  y.at(i, j) = sum;
}

inline constexpr int listing_block = 16;

/// Listing 6.5: blocks of 16 x 16 in shared memory.
__global__ void __launch_bounds__(listing_block* listing_block)
    multiply_shared(BandShape shape, const double* tiles, DenseColumns x, DenseColumns y) {
  constexpr int size = listing_block;
  __shared__ double left[size][size], right[size][size];
  const int row = static_cast<int>(threadIdx.y), column = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.y) * size;
  const int i = first_row + row, j = static_cast<int>(blockIdx.x) * size + column;
  const auto inside = [&](int k) { return k < shape.rows; };
  double sum = 0.0;
  const int first = max(0, first_row - shape.bandwidth);
  const int last = min(shape.rows - 1, first_row + shape.bandwidth + size - 1);
  for (int m = first; m <= last; m += size) {
    left[row][column] = inside(i) && inside(m + column) ? entry_of(shape, tiles, i, m + column) : 0.0;
    right[row][column] = inside(m + row) && j < x.count ? x.at(m + row, j) : 0.0;
    __syncthreads();
    for (int k = 0; k < size; ++k) sum += left[row][k] * right[k][column];
    __syncthreads();
  }
  if (inside(i) && j < y.count) y.at(i, j) = sum;
}

inline constexpr std::size_t multiply_shared_bytes = 4 * shared_tile_size * sizeof(double);

/// Ours: a block of threads per tile row and 64 columns. Tiles of the band and of the columns are fetched
/// while those before are multiplied. A tile left of the diagonal is used as it is, one right of it
/// transposed.
__global__ void __launch_bounds__(tile_threads, 1)
    multiply_by_tiles(BandShape shape, const double* tiles, DenseColumns x, DenseColumns y) {
  extern __shared__ double shared_tiles[];
  constexpr int size = BandShape::tile;
  const int i = static_cast<int>(blockIdx.x), first_column = static_cast<int>(blockIdx.y) * size;
  const int first = max(0, i - shape.width + 1), last = min(shape.tiles - 1, i + shape.width - 1);
  const auto buffer = [&](int j, int which) {
    return shared_tiles + (2 * (j & 1) + which) * shared_tile_size;
  };
  const auto load = [&](int j) {
    if (j <= last) {
      copy_tile_async(buffer(j, 0), tiles + (i >= j ? shape.tile_at(i, j) : shape.tile_at(j, i)));
      copy_tile_async(buffer(j, 1), &x.at(j * size, first_column), x.stride);
    }
    end_copies();
  };
  TileSum sum;
  load(first);
  for (int j = first; j <= last; ++j) {
    load(j + 1);
    await_copies<1>();
    __syncthreads();
    const double *A = buffer(j, 0), *B = buffer(j, 1);
    if (i > j) {
      sum.add_product<true>(A, B);
    } else if (i < j) {
      sum.add_product_of([&](int r, int k) { return A[k + tile_stride * r]; },
                         [&](int k, int c) { return B[k + tile_stride * c]; });
    } else {
      sum.add_product_of([&](int r, int k) { return A[max(r, k) + tile_stride * min(r, k)]; },
                         [&](int k, int c) { return B[k + tile_stride * c]; });
    }
    __syncthreads();
  }
  await_copies<0>();
  sum.each([&](int r, int c, double& value) {
    if (first_column + c < y.count) y.at(i * size + r, first_column + c) = value;
  });
}

}  // namespace slipstick::internal
