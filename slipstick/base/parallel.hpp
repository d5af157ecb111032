// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace slipstick {

/// Calls body(begin, end) on `threads` contiguous pieces of [0, count). The pieces depend on count and
/// threads alone, so a body whose writes do not overlap gives the same bits on every run with the same number
/// of threads.
template <class Body>
void parallel_for(std::ptrdiff_t count, int threads, const Body& body) {
  if (threads <= 1 || count < 2) {
    body(std::ptrdiff_t{0}, count);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int piece = 0; piece < threads; ++piece) {
    body(count * piece / threads, count * (piece + 1) / threads);
  }
}

}  // namespace slipstick
