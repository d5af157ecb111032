// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <span>
#include <thread>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

/// Keeps the first exception of a parallel region, which no exception may leave, for the calling thread. The
/// calls have the interruption of that thread.
class FirstException {
 public:
  /// Calls body() unless an earlier call threw.
  template <class Body>
  void run(const Body& body) noexcept {
    if (caught_.load(std::memory_order_relaxed)) return;
    const Interruption::OnThread same(interruption_);
    try {
      body();
    } catch (...) {
      if (!caught_.exchange(true)) exception_ = std::current_exception();
    }
  }
  /// Call it after the region.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  const Interruption* interruption_ = Interruption::current();
  std::atomic<bool> caught_ = false;
  std::exception_ptr exception_;
};

/// Calls body(begin, end) on `threads` contiguous ranges of [0, count). The ranges depend only on count and
/// threads. If the writes of a body do not overlap, every run with the same number of threads gives the same
/// bits. An exception of a body is thrown again on the calling thread.
template <class Body>
void parallel_for(std::ptrdiff_t count, int threads, const Body& body) {
  if (threads <= 1 || count < 2) {
    body(std::ptrdiff_t{0}, count);
    return;
  }
  FirstException first;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int range = 0; range < threads; ++range)
    first.run([&] { body(count * range / threads, count * (range + 1) / threads); });
  first.rethrow();
}

/// Calls body(task, thread) for every task in [0, count), `chunk` tasks at a time, first come, first served.
/// The bits of a result are the same on every run only if they do not depend on the thread. An exception of a
/// body is thrown again on the calling thread. Tasks that have not begun are then left out.
template <class Body>
void parallel_tasks(std::ptrdiff_t count, int threads, int chunk, const Body& body) {
  if (threads <= 1) {
    for (std::ptrdiff_t task = 0; task < count; ++task) body(task, 0);
    return;
  }
  FirstException first;
#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk)
  for (std::ptrdiff_t task = 0; task < count; ++task) first.run([&] { body(task, omp_get_thread_num()); });
  first.rethrow();
}

/// Calls body(task, thread) for tasks in a fixed order. Task k begins when the first after[k] tasks have
/// ended, after[k] <= k, ascending. A thread that comes late is not waited for: the others take its tasks.
template <class Body>
void ordered_tasks(std::span<const int> after, int threads, const Body& body) {
  FirstException first;
  std::atomic<int> next = 0, ended = 0;
  const auto work = [&](int thread) {
    constexpr int most_spins = 2000;
    for (int task; (task = next.fetch_add(1, std::memory_order_relaxed)) < static_cast<int>(after.size());) {
      for (int spins = 0; ended.load(std::memory_order_acquire) < after[static_cast<std::size_t>(task)];
           ++spins)
        if (spins >= most_spins) std::this_thread::yield();
      first.run([&] { body(task, thread); });
      ended.fetch_add(1, std::memory_order_release);
    }
  };
#pragma omp parallel num_threads(threads)
  work(omp_get_thread_num());
  first.rethrow();
}

}  // namespace slipstick::internal
