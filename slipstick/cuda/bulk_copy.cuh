// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Copies between global and shared memory by the copy engine of compute capability 9.0 and later. Addresses
// and sizes are multiples of 16 bytes. Other devices never run kernels that use them.
namespace slipstick::internal {

/// Waits for the kernel before this one in the stream.
__device__ inline void await_previous() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// Lets the kernel after this one start, up to its await_previous().
__device__ inline void allow_next() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ inline unsigned char* dynamic_shared_memory() {
  extern __shared__ __align__(128) unsigned char memory[];
  return memory;
}

/// Counts the bytes that have arrived.
using CopyBarrier = std::uint64_t;

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

#if __CUDA_ARCH__ >= 900

/// By one thread, before __syncthreads().
__device__ inline void create_barriers(CopyBarrier* barriers, int count) {
  for (int i = 0; i < count; ++i)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barriers + i)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void expect_bytes(CopyBarrier* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ inline void load_bulk(void* to, const void* from, unsigned bytes, CopyBarrier* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
/// The same for data that are not read again soon: they leave the cache first.
__device__ inline void load_bulk_once(void* to, const void* from, unsigned bytes, CopyBarrier* barrier) {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
      "[%3], %4;" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(policy)
      : "memory");
}
/// Waits until all expected bytes of a phase have arrived. Phases alternate between 0 and 1.
__device__ inline void await_bytes(CopyBarrier* barrier, unsigned phase) {
  asm volatile(
      "{\n .reg .pred done;\n again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n @done bra "
      "end;\n "
      "bra again;\n end:\n }" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}
/// By every thread that wrote to shared memory, before the barrier that precedes store_bulk.
__device__ inline void publish_to_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void store_bulk(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until all stores but the last have read their shared memory.
__device__ inline void await_reads_but_last() {
  asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
}
/// Waits until all stores are done.
__device__ inline void await_stores() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

#else

__device__ inline void create_barriers(CopyBarrier*, int) {}
__device__ inline void expect_bytes(CopyBarrier*, unsigned) {}
__device__ inline void load_bulk(void*, const void*, unsigned, CopyBarrier*) {}
__device__ inline void load_bulk_once(void*, const void*, unsigned, CopyBarrier*) {}
__device__ inline void await_bytes(CopyBarrier*, unsigned) {}
__device__ inline void publish_to_copies() {}
__device__ inline void store_bulk(void*, const void*, unsigned) {}
__device__ inline void await_reads_but_last() {}
__device__ inline void await_stores() {}

#endif

}  // namespace slipstick::internal
