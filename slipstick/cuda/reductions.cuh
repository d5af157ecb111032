// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Sums in a fixed order: the bits depend on the numbers of blocks and threads alone.
namespace slipstick::internal {

/// The numbers that a reduction begins with and combines. The last `minima` of `count` are minima, the others
/// are sums.
template <int count, int minima>
__device__ inline double reduction_start(int j) {
  return j < count - minima ? 0.0 : __longlong_as_double(0x7ff0000000000000LL);
}
template <int count, int minima>
__device__ inline double combine(int j, double a, double b) {
  return j < count - minima ? a + b : fmin(a, b);
}

/// Sums over the threads of a block, in its thread 0. Blocks have whole warps.
template <int count, int minima = 0>
__device__ void sum_over_block(double (&sums)[count]) {
  __shared__ double of_warp[count][32];
  const int warp = static_cast<int>(threadIdx.x) >> 5, lane = static_cast<int>(threadIdx.x) & 31;
  const int warps = static_cast<int>(blockDim.x) >> 5;
#pragma unroll
  for (int j = 0; j < count; ++j) {
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1)
      sums[j] = combine<count, minima>(j, sums[j], __shfl_down_sync(~0U, sums[j], distance));
    if (lane == 0) of_warp[j][warp] = sums[j];
  }
  __syncthreads();
  if (warp == 0) {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      sums[j] = lane < warps ? of_warp[j][lane] : reduction_start<count, minima>(j);
#pragma unroll
      for (int distance = 16; distance > 0; distance >>= 1)
        sums[j] = combine<count, minima>(j, sums[j], __shfl_down_sync(~0U, sums[j], distance));
    }
  }
  __syncthreads();
}

/// Sums over all blocks, in thread 0 of the last block to arrive. Returns true in all threads of that block.
/// `partial` has room for `count` numbers per block. `arrived` is 0 before and after.
template <int count, int minima = 0>
__device__ bool sum_over_grid(double* partial, unsigned* arrived, double (&sums)[count]) {
  __shared__ bool is_last;
  sum_over_block<count, minima>(sums);
  if (threadIdx.x == 0) {
#pragma unroll
    for (int j = 0; j < count; ++j) partial[static_cast<std::size_t>(j) * gridDim.x + blockIdx.x] = sums[j];
    __threadfence();
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
#pragma unroll
  for (int j = 0; j < count; ++j) sums[j] = reduction_start<count, minima>(j);
  for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
#pragma unroll
    for (int j = 0; j < count; ++j)
      sums[j] = combine<count, minima>(j, sums[j],
                                       __ldcg(partial + static_cast<std::size_t>(j) * gridDim.x + block));
  sum_over_block<count, minima>(sums);
  return true;
}

}  // namespace slipstick::internal
