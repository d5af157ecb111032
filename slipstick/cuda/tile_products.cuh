// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "slipstick/cuda/band_shape.hpp"

// Products of tiles in shared memory, by a block of 256 threads.
namespace slipstick::internal {

/// The distance between columns of a tile in shared memory. Fragments then have no bank conflicts.
inline constexpr int tile_stride = BandShape::tile + 4;
inline constexpr int shared_tile_size = tile_stride * BandShape::tile;
inline constexpr int tile_threads = 256;

/// c += A B for A 16 x 4 and B 4 x 8. Lane 4 g + t holds A(g, t), A(g + 8, t), B(t, g), and of c the entries
/// (g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1).
__device__ inline void multiply_fragments(double (&c)[4], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a0), "d"(a1), "d"(b));
#else
  c[0] = c[1] = c[2] = c[3] = a0 + a1 + b;  // not reached: the engine refuses such devices
  __trap();
#endif
}

/// The place of a lane in a fragment.
struct Lane {
  int g = (static_cast<int>(threadIdx.x) & 31) >> 2, t = static_cast<int>(threadIdx.x) & 3;
};

/// A 64 x 64 product in the registers of a block: a piece of 32 x 16 per warp. Warps w and w + 4 share a unit
/// of arithmetic, and the pieces are dealt so that triangular products keep the units busy.
struct TileSum {
  double c[2][2][4] = {};

  /// += A B' or, if `plain`, A B.
  template <bool plain = false>
  __device__ void add_product(const double* A, const double* B) {
    add_product_of([&](int r, int k) { return A[r + tile_stride * k]; },
                   [&](int k, int c) { return plain ? B[k + tile_stride * c] : B[c + tile_stride * k]; });
  }
  /// += A B' for a lower triangle B, whose entries above the diagonal are 0.
  __device__ void add_product_with_lower(const double* A, const double* B) {
    add_terms(
        first_column() + 16, [&](int r, int k) { return A[r + tile_stride * k]; },
        [&](int k, int c) { return B[c + tile_stride * k]; });
  }
  /// += A A' on and below the diagonal. What is above is not to be read.
  __device__ void add_square(const double* A) {
    if (first_column() >= first_row() + 32) return;
    add_product(A, A);
  }
  /// += the product of matrices with the entries left(r, k) and right(k, c).
  template <class Left, class Right>
  __device__ void add_product_of(const Left& left, const Right& right) {
    add_terms(BandShape::tile, left, right);
  }
  /// The same with the first terms of the sums alone.
  template <class Left, class Right>
  __device__ void add_terms(int terms, const Left& left, const Right& right) {
    const int m = first_row(), n = first_column();
    const Lane lane;
#pragma unroll 4
    for (int k = 0; k < terms; k += 4) {
      double a[2][2], b[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        a[i][0] = left(m + 16 * i + lane.g, k + lane.t);
        a[i][1] = left(m + 16 * i + 8 + lane.g, k + lane.t);
      }
#pragma unroll
      for (int j = 0; j < 2; ++j) b[j] = right(k + lane.t, n + 8 * j + lane.g);
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) multiply_fragments(c[i][j], a[i][0], a[i][1], b[j]);
    }
  }
  /// visit(row, column, value&) for the entries of a thread.
  template <class Visit>
  __device__ void each(const Visit& visit) {
    const int m = first_row(), n = first_column();
    const Lane lane;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j)
#pragma unroll
        for (int q = 0; q < 4; ++q)
          visit(m + 16 * i + lane.g + 8 * (q >> 1), n + 8 * j + 2 * lane.t + (q & 1), c[i][j][q]);
  }
  __device__ void store_shared(double* tile) {
    each([&](int r, int s, double& value) { tile[r + tile_stride * s] = value; });
  }
  __device__ void store(double* tile) {
    each([&](int r, int s, double& value) { tile[r + BandShape::tile * s] = value; });
  }

 private:
  static __device__ int warp() {
    return static_cast<int>(threadIdx.x) >> 5;
  }
  static __device__ int first_row() {
    return ((warp() ^ (warp() >> 2)) & 1) * 32;
  }
  static __device__ int first_column() {
    return ((warp() >> 1) ^ (warp() >> 2)) * 16;  // 0, 16, 48, 32
  }
};

/// Starts to copy a tile with such a distance between its columns to shared memory. It is read from L2, where
/// other blocks may have written it.
__device__ inline void copy_tile_async(double* to, const double* from, std::size_t stride = BandShape::tile) {
#pragma unroll
  for (int q = 0; q < 8; ++q) {
    const int column = (static_cast<int>(threadIdx.x) >> 5) + 8 * q,
              row = (static_cast<int>(threadIdx.x) & 31) * 2;
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to + row + tile_stride * column));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
                 "l"(from + row + stride * static_cast<std::size_t>(column))
                 : "memory");
  }
}
__device__ inline void end_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most so many of the latest groups of copies are under way.
template <int groups>
__device__ inline void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

/// Flags between blocks. What a block wrote before publish() is seen after await_flag().
__device__ inline void await_flag(const int* flag) {
  int value = 0;
  do {
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  } while (value == 0);
}
__device__ inline void publish(int* flag) {
  __threadfence();
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
}

}  // namespace slipstick::internal
