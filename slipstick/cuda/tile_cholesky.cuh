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

/// The factor L of the 16 x 16 block at A replaces it, and L^-1 goes to I. By one warp: lane r has row r of
/// A, lane 16 + r row r of the identity. The steps that turn A into L = A L^-T turn the identity into L^-T.
/// Each lane of A follows its own pivot, so that the chain of a step is short. Not inlined: long code that
/// runs once waits for its instructions.
static __device__ __noinline__ void factor_block(double* A, double* I) {
  const int lane = static_cast<int>(threadIdx.x) & 31, own = lane & 15;
  const bool of_matrix = lane < 16;
  double row[16], pivot = A[own + tile_stride * own];
#pragma unroll
  for (int c = 0; c < 16; ++c) {
    row[c] = A[own + tile_stride * c];
    if (!of_matrix) row[c] = c == own ? 1.0 : 0.0;
  }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    row[k] *= __shfl_sync(~0U, quick_rsqrt(pivot), k);
    if (lane > k) pivot = fma(-row[k], row[k], pivot);
#pragma unroll
    for (int j = k + 1; j < 16; ++j) row[j] -= row[k] * __shfl_sync(~0U, row[k], j);
  }
#pragma unroll
  for (int c = 0; c < 16; ++c) {
    if (of_matrix) {
      A[own + tile_stride * c] = c <= own ? row[c] : 0.0;
    } else {
      I[c + tile_stride * own] = row[c];
    }
  }
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

/// The factor L of the tile D replaces it, X = L^-1 goes to I. T is scratch. By a block of 256 threads. The
/// upper triangles of D and I are zero at first.
///
/// In blocks of 16 x 16: while a warp factorizes the next diagonal block, the others update the blocks behind
/// it and the sums W_pc = sum_b L_pb X_bc of the inverse, X_pc = -X_pp W_pc. T has L_pb below its diagonal
/// and W_pc in the place (c, p) above it.
__device__ inline void factor_tile(double* D, double* I, double* T) {
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const auto at = [](double* tile, int r, int c) -> double* { return tile + r + tile_stride * c; };
  if (warp == 0) factor_block(D, I);
  __syncthreads();
  for (int b = 0;; ++b) {
    // Six pieces: the panel below the block, L_pb = A_pb X_bb', and the row b of the inverse.
    const int o = 16 * b, pieces_below = 2 * (3 - b), half = 8 * (warp & 1);
    if (warp < pieces_below) {
      const int p = o + 16 * (1 + warp / 2), q = o + half;
      multiply_piece<true, 16>(at(D, p, o), at(I, q, o),
                               [&](int r, int c, double value) { *at(T, p + r, q + c) = value; });
    } else if (warp < 6) {
      const int q = 16 * ((warp - pieces_below) / 2);
      multiply_piece<false, 16>(at(I, o, o), at(T, q, o + half),
                                [&](int r, int c, double value) { *at(I, o + r, q + half + c) = -value; });
    }
    __syncthreads();
    if (b == 3) return;
    const auto update = [&](int p, int q, int first) {
      const int column = 16 * q + first;
      multiply_piece<true, 16>(at(T, 16 * p, o), at(T, column, o),
                               [&](int r, int c, double value) { *at(D, 16 * p + r, column + c) -= value; });
    };
    const auto add_to_sum = [&](int p, int q, int first) {
      multiply_piece<false, 16>(at(T, 16 * p, o), at(I, o, 16 * q + first), [&](int r, int c, double value) {
        double& sum = *at(T, 16 * q + r, 16 * p + first + c);
        sum = q < b ? sum + value : value;
      });
    };
    if (warp == 0) {
      update(b + 1, b + 1, 0);
      update(b + 1, b + 1, 8);
      __syncwarp();
      factor_block(at(D, o + 16, o + 16), at(I, o + 16, o + 16));
    } else {
      int piece = 0;
      const auto is_mine = [&] { return piece++ % 7 == warp - 1; };
      for (int p = b + 1; p < 4; ++p) {
        for (int q = 0; q <= p; ++q) {
          for (int first = 0; first < 16; first += 8) {
            if (q <= b) {
              if (is_mine()) add_to_sum(p, q, first);
            } else if (p > b + 1 && is_mine()) {
              update(p, q, first);
            }
          }
        }
      }
      const int below = 16 * (3 - b);
      for (int e = static_cast<int>(threadIdx.x) - 32; e < below * 16; e += tile_threads - 32) {
        const int r = o + 16 + e % below, c = o + e / below;
        *at(D, r, c) = *at(T, r, c);
      }
    }
    __syncthreads();
  }
}

}  // namespace slipstick::internal
