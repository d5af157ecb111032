// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

namespace slipstick::internal {

/// Allocator for arrays that start on a cache line: std::vector<double, CacheLines<double>>.
template <class T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLines() = default;
  template <class U>
  explicit(false) CacheLines(const CacheLines<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* array, std::size_t /*count*/) { ::operator delete(array, line); }
  friend bool operator==(const CacheLines& /*a*/, const CacheLines& /*b*/) { return true; }
};

}  // namespace slipstick::internal
