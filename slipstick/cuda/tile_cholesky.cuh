// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/tile_products.cuh"

// The Cholesky factor of a tile in shared memory, and its inverse. A factorization of a band waits for
// nothing else: its time is that of these functions, one tile after the other.
namespace slipstick::internal {

/// 1 / sqrt(d), by one step of third order from an estimate of 20 bits. NaN if d is not positive and finite.
__device__ inline double quick_rsqrt(double d) {
  double y = 0.0;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
  const double e = fma(-d * y, y, 1.0);
  return fma(y * e, fma(0.375, e, 0.5), y);
}

/// The factor of the 16 x 16 block at A replaces it, and its inverse goes to I. By one warp, a row per lane;
/// both halves of the warp do the same. Each lane follows its own pivot, so that the chain of a step is
/// short. Not inlined: long code that runs once waits for its instructions.
static __device__ __noinline__ void factor_block(double* A, double* I) {
  const int lane = static_cast<int>(threadIdx.x) & 15;
  double row[16], pivot = A[lane + tile_stride * lane], own_inverse = 0.0;
#pragma unroll
  for (int c = 0; c < 16; ++c) row[c] = A[lane + tile_stride * c];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const double inverse = quick_rsqrt(pivot);
    if (lane == k) own_inverse = inverse;
    row[k] *= __shfl_sync(~0U, inverse, k, 16);
    if (lane > k) pivot = fma(-row[k], row[k], pivot);
#pragma unroll
    for (int j = k + 1; j < 16; ++j) row[j] -= row[k] * __shfl_sync(~0U, row[k], j, 16);
  }
  const bool writes = (threadIdx.x & 16) == 0;
#pragma unroll
  for (int c = 0; c < 16; ++c)
    if (writes) A[lane + tile_stride * c] = c <= lane ? row[c] : 0.0;
  double y[16];  // a column of the inverse
#pragma unroll
  for (int i = 0; i < 16; ++i) y[i] = i == lane ? 1.0 : 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    y[k] *= __shfl_sync(~0U, own_inverse, k, 16);
#pragma unroll
    for (int i = k + 1; i < 16; ++i) y[i] -= __shfl_sync(~0U, row[k], i, 16) * y[k];
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (writes) I[i + tile_stride * lane] = y[i];
  __syncwarp();
}

/// A 16 x 8 piece of A B' (`transposed`) or A B with so many columns of A, by one warp. visit(row, column,
/// value) within the piece.
template <bool transposed, int columns, class Visit>
__device__ inline void multiply_piece(const double* A, const double* B, const Visit& visit) {
  const Lane lane;
  double c[4] = {};
#pragma unroll
  for (int k = 0; k < columns; k += 4) {
    const int at = k + lane.t;
    multiply_fragments(c, A[lane.g + tile_stride * at], A[8 + lane.g + tile_stride * at],
                       transposed ? B[lane.g + tile_stride * at] : B[at + tile_stride * lane.g]);
  }
#pragma unroll
  for (int q = 0; q < 4; ++q) visit(lane.g + 8 * (q >> 1), 2 * lane.t + (q & 1), c[q]);
}

/// The factor of the tile D replaces it, its inverse goes to I. T is scratch. By a block of 256 threads. The
/// upper triangles of D and I are zero at first.
__device__ inline void factor_tile(double* D, double* I, double* T) {
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const auto at = [](double* tile, int r, int c) -> double* { return tile + r + tile_stride * c; };
  if (warp == 0) factor_block(D, I);
  __syncthreads();
  for (int b = 0; b < 3; ++b) {
    const int o = 16 * b, below = 3 - b;
    // The panel below, times the inverse of the block: two pieces per block, into T.
    if (warp < 2 * below) {
      const int p = o + 16 * (1 + warp / 2), q = o + 8 * (warp & 1);
      multiply_piece<true, 16>(at(D, p, o), at(I, q, o),
                               [&](int r, int c, double value) { *at(T, p + r, q + c) = value; });
    }
    __syncthreads();
    const auto update = [&](int p, int q, int half) {
      const int column = 16 * q + 8 * half;
      multiply_piece<true, 16>(at(T, 16 * p, o), at(T, column, o),
                               [&](int r, int c, double value) { *at(D, 16 * p + r, column + c) -= value; });
    };
    // Warp 0 updates the next diagonal block and factorizes it. The others update the rest.
    if (warp == 0) {
      update(b + 1, b + 1, 0);
      update(b + 1, b + 1, 1);
      __syncwarp();
      factor_block(at(D, o + 16, o + 16), at(I, o + 16, o + 16));
    } else {
      int piece = 0;
      for (int p = b + 2; p < 4; ++p)
        for (int q = b + 1; q <= p; ++q)
          for (int half = 0; half < 2; ++half, ++piece)
            if (piece % 7 == warp - 1) update(p, q, half);
      for (int e = static_cast<int>(threadIdx.x) - 32; e < 16 * below * 16; e += tile_threads - 32) {
        const int r = o + 16 + e % (16 * below), c = o + e / (16 * below);
        *at(D, r, c) = *at(T, r, c);
      }
    }
    __syncthreads();
  }
  // The inverse by doubling: 16, 32, 64.
  const int half = warp >> 2, q = 8 * (warp & 3), o = 32 * half;
  if (q < 16)
    multiply_piece<false, 16>(at(D, o + 16, o), at(I, o, o + q),
                              [&](int r, int c, double value) { *at(T, o + 16 + r, o + q + c) = value; });
  __syncthreads();
  if (q < 16)
    multiply_piece<false, 16>(at(I, o + 16, o + 16), at(T, o + 16, o + q),
                              [&](int r, int c, double value) { *at(I, o + 16 + r, o + q + c) = -value; });
  __syncthreads();
  const int m = 32 + 16 * (warp & 1), n = 8 * (warp >> 1);
  multiply_piece<false, 32>(at(D, m, 0), at(I, 0, n),
                            [&](int r, int c, double value) { *at(T, m + r, n + c) = value; });
  __syncthreads();
  multiply_piece<false, 32>(at(I, m, 32), at(T, 32, n),
                            [&](int r, int c, double value) { *at(I, m + r, n + c) = -value; });
  __syncthreads();
}

}  // namespace slipstick::internal
