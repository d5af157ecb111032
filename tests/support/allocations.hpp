// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

// Counts the allocations of a test program. Include it in one source file of the program: it replaces malloc.
// Under a sanitizer, which has a malloc of its own, nothing is counted.

namespace slipstick::testing {

inline std::atomic<long> allocation_counter{0};

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool allocations_are_counted = true;
#else
inline constexpr bool allocations_are_counted = false;
#endif

/// How often `action` allocates.
template <class Action>
long allocations(const Action& action) {
  const long before = allocation_counter.load();
  action();
  return allocation_counter.load() - before;
}

}  // namespace slipstick::testing

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);

void* malloc(std::size_t size) {
  ++slipstick::testing::allocation_counter;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++slipstick::testing::allocation_counter;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++slipstick::testing::allocation_counter;
  return __libc_realloc(old, size);
}
}
#endif
