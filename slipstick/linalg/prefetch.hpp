// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

// One core reads memory faster from several places at once than from one. The hardware prefetchers follow
// each place separately and stop at the end of a page.

/// Requests memory that is read soon. An address past an array is harmless.
inline void prefetch(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  static_cast<void>(p);
#endif
}

/// The same one page later, because the prefetchers must start again there.
inline void prefetch_next_page(const void* p) {
  prefetch(static_cast<const char*>(p) + 4096);
}

/// A loop over constraints prefetches the data of the constraint this far ahead.
inline constexpr Index constraints_ahead = 12;

/// Calls body(i) for every i in [begin, end), the two halves of the range in turn. The order of the calls is
/// the same on every run.
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
