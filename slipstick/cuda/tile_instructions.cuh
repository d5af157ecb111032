// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

// The instructions that kernels on tiles need beyond C++.
namespace slipstick::internal {

/// C += A B, C 16 x 8, by a warp. With g = lane / 4 and t = lane % 4, a lane gives A(g, t), A(g + 8, t) and
/// B(t, g). It holds C(g, 2 t), C(g, 2 t + 1), C(g + 8, 2 t) and C(g + 8, 2 t + 1).
__device__ inline void multiply_add_16x8x4(double (&c)[4], double upper, double lower, double b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(upper), "d"(lower), "d"(b));
#else
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(upper), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[2]), "+d"(c[3])
               : "d"(lower), "d"(b));
#endif
}

/// 1 / d, by one step of third order from an estimate of 20 bits, for sizes from 1e-300 to 1e300.
__device__ inline double quick_inverse(double d) {
  double y = 0.0;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
  const double e = fma(-d, y, 1.0);
  return fma(y, fma(e, e, e), y);
}

/// Starts a copy of two numbers from memory to shared memory.
__device__ inline void copy_two_async(double* shared, const double* from) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}
__device__ inline void end_group_of_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `pending` groups of this thread are under way.
template <int pending>
__device__ inline void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// The shared memory that the launch provides.
__device__ inline double* launched_shared_memory() {
  extern __shared__ double shared_memory[];
  return shared_memory;
}

}  // namespace slipstick::internal
