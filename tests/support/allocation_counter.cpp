// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocation_counter.hpp"

#include <atomic>

namespace {
std::atomic<std::size_t> count{0};
}

std::size_t slipstick::internal::allocations() {
  return count.load();
}

#if defined(SLIPSTICK_SANITIZED)

// As in Clang's sanitizer/allocator_interface.h, which GCC does not ship with its runtime.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));

namespace {
void on_malloc(const volatile void*, std::size_t) {
  count.fetch_add(1, std::memory_order_relaxed);
}
void on_free(const volatile void*) {}
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace

#else

// The C library's own entry points, so that Eigen's direct calls of malloc are counted as well as operator
// new.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
}

#endif
