// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/strip_products.cuh"

// Block substitution (Litven 2013, Alg. 5.3), by one kernel per half. With the inverses X_b of the diagonal
// blocks of L and the blocks C_bj left of them,
//
//     t_b = x_b - sum_j C_bj y_j,    y_b = X_b t_b,
//
// and in the same way with the transposed blocks from the last block to the first. A block of threads has 16
// rows of each block, and all blocks wait for each other after each of the two products. What a product needs
// of the matrix is fetched during the wait.
namespace slipstick::internal {

struct SubstitutionView {
  BandShape shape;
  const double* factor;
  const double* inverse;
  double* x;
  double* t;
  unsigned* arrived;  ///< per group of columns
  int columns;
};

/// Where the blocks of threads of a group wait for each other. All of them run at the same time.
struct Meeting {
  unsigned* arrived;
  unsigned expected = 0;

  __device__ void arrive() {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1U);
    }
    expected += gridDim.x;
  }
  __device__ void await() const {
    if (threadIdx.x == 0) {
      unsigned value = 0;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(arrived) : "memory");
      } while (value < expected);
    }
    __syncthreads();
  }
};

template <int groups, bool forward>
__global__ void __launch_bounds__(tile_threads, 1) substitute(SubstitutionView view) {
  __shared__ StripSums<groups> sums;
  using Terms = std::conditional_t<forward, RowsOfTile, ColumnsOfTile>;
  const BandShape& shape = view.shape;
  const auto stride = static_cast<std::size_t>(shape.padded());
  const int first_column = static_cast<int>(blockIdx.y) * StripSums<groups>::columns;
  const int count = min(StripSums<groups>::columns, view.columns - first_column);
  double* x = view.x + static_cast<std::size_t>(first_column) * stride;
  double* t = view.t + static_cast<std::size_t>(first_column) * stride;
  const int offset = strip_rows * (static_cast<int>(blockIdx.x) % strips_per_tile);
  Meeting meeting{view.arrived + blockIdx.y};
  const auto await = [&] { meeting.await(); };
  for (int n = 0; n < shape.blocks(); ++n) {
    const int begin = (forward ? n : shape.blocks() - 1 - n) * shape.block;
    const int end = min(begin + shape.block, shape.tiles);
    const int i = begin + static_cast<int>(blockIdx.x) / strips_per_tile;  // the tile row, or column
    const bool present = i < end;
    const auto place = [&](int row, int column) {
      return static_cast<std::size_t>(BandShape::tile * i + offset + row) +
             static_cast<std::size_t>(column) * stride;
    };
    const int first = forward ? max(0, i - shape.width + 1) : end;
    const int last = forward ? begin : min(shape.tiles, i + shape.width);
    multiply_strip<Terms>(
        sums, first, present ? last : first, offset,
        [&](int k) { return view.factor + (forward ? shape.tile_at(i, k) : shape.tile_at(k, i)); },
        StripColumns{x, stride, count}, await);
    if (present)
      sums.each(count, [&](int row, int column, double sum) {
        t[place(row, column)] = __ldcg(x + place(row, column)) - sum;
      });
    meeting.arrive();
    const int low = forward ? begin : i, high = forward ? i + 1 : end;
    multiply_strip<Terms>(
        sums, low, present ? high : low, offset,
        [&](int k) { return view.inverse + (forward ? shape.inverse_at(i, k) : shape.inverse_at(k, i)); },
        StripColumns{t, stride, count}, await);
    if (present) sums.each(count, [&](int row, int column, double sum) { x[place(row, column)] = sum; });
    meeting.arrive();
  }
}

}  // namespace slipstick::internal
