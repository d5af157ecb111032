// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

// One core reads memory faster from several places at once than from one: the prefetchers of the hardware
// follow each place by itself and stop where a page ends.

/// Asks for memory that is read soon. An address past an array asks in vain, which is harmless.
inline void prefetch(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  static_cast<void>(p);
#endif
}

/// The same one page further on, where the prefetchers have to start anew.
inline void prefetch_next_page(const void* p) {
  prefetch(static_cast<const char*>(p) + 4096);
}

/// How many constraints ahead a loop over them asks for what they point at.
inline constexpr Index constraints_ahead = 12;

/// body(i) for every i in [begin, end), the two halves of the range in turns. The order of the calls is the
/// same on every run.
template <class Body>
void in_two_streams(Index begin, Index end, const Body& body) {
  const Index half = (end - begin) / 2;
  for (Index i = begin; i < begin + half; ++i) {
    body(i);
    body(i + half);
  }
  for (Index i = begin + 2 * half; i < end; ++i) body(i);
}

}  // namespace slipstick::internal
