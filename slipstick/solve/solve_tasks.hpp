// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "slipstick/base/parallel.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// parallel_tasks() by the caller's TaskRunner, if the settings have one. It then gets one part per thread,
/// and a part takes every threads-th task.
template <class Body>
void solve_tasks(const Settings& settings, std::ptrdiff_t count, int threads, int chunk, const Body& body) {
  if (settings.tasks == nullptr || threads <= 1) return parallel_tasks(count, threads, chunk, body);
  FirstException first;
  settings.tasks->run(threads, [&](int part) {
    first.run([&] {
      for (std::ptrdiff_t task = part; task < count; task += threads) body(task, part);
    });
  });
  first.rethrow();
}

}  // namespace slipstick::internal
