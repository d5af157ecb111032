// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "slipstick/base/parallel.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// parallel_tasks() by the caller's TaskRunner, if there is one. It then gets one part per thread.
template <class Body>
void solve_tasks(TaskRunner* runner, std::ptrdiff_t count, int threads, int chunk, const Body& body) {
  if (runner == nullptr || threads <= 1) return parallel_tasks(count, threads, chunk, body);
  FirstException first;
  std::atomic<std::ptrdiff_t> next = 0;
  runner->run(threads, [&](int part) {
    first.run([&] {
      for (std::ptrdiff_t begin; (begin = next.fetch_add(chunk)) < count;)
        for (std::ptrdiff_t task = begin; task < std::min(begin + chunk, count); ++task) body(task, part);
    });
  });
  first.rethrow();
}

}  // namespace slipstick::internal
