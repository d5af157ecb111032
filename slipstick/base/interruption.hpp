// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// Thrown by count_work() if the solve is to end. It is no error: Solver, ContactSolver and the driver catch
/// it and make it the status.
struct Interrupted {
  Status reason;  ///< time_limit or cancelled
};

/// While it lives, count_work() looks at the clock and asks the observer, on this thread and on the threads
/// of the parallel loops that it starts. An interruption inside another one has both limits.
///
/// Long calculations count their work: factorizations, assemblies, Krylov methods. Between two looks lies at
/// most `stride` work and the part that is counted last. Without limits and observer nothing is ever looked
/// at.
///
///     const Interruption interruption(settings.time_limit, observer);
///     try { ... count_work(operations); ... } catch (const Interrupted& interrupted) { ... }
class Interruption {
 public:
  /// About half a millisecond of operations.
  static constexpr double usual_stride = 1e6;

  /// The seconds count from now. `observer` may be null.
  Interruption(double seconds, const Observer* observer, double stride = usual_stride);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// That of this thread, or null.
  static const Interruption* current() { return state_.current; }
  /// Seconds until the next deadline of this thread, infinite without one. Reads the clock if there is one.
  static double seconds_left();
  /// True if an observer of this thread's interruptions cancels.
  static bool is_cancelled();
  /// Throws Interrupted if a limit has been reached.
  void look() const;

  /// Makes the interruption of another thread that of this one.
  class OnThread {
   public:
    explicit OnThread(const Interruption* interruption) : outer_(state_.current) {
      state_.current = interruption;
      if (interruption != nullptr) state_.until_look = std::min(state_.until_look, interruption->stride_);
    }
    ~OnThread() { state_.current = outer_; }
    OnThread(const OnThread&) = delete;
    OnThread& operator=(const OnThread&) = delete;

   private:
    const Interruption* outer_;
  };

  /// While it lives, this thread looks at nothing. For the little work that a result needs after all.
  class Off : public OnThread {
   public:
    Off() : OnThread(nullptr) {}
  };

 private:
  friend void count_work(double operations);
  using Clock = std::chrono::steady_clock;

  struct State {
    const Interruption* current;
    double until_look;  // work
  };
  static constinit inline thread_local State state_{nullptr, usual_stride};

  const Interruption* outer_;
  const Observer* observer_;  // null if an outer one asks it
  double stride_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

/// Counts operations on numbers, or entries that are moved. Throws Interrupted if the solve is to end.
inline void count_work(double operations) {
  Interruption::State& state = Interruption::state_;
  if (state.current == nullptr) return;
  state.until_look -= operations;
  if (state.until_look > 0.0) return;
  state.until_look = state.current->stride_;
  state.current->look();
}

/// Before a calculation of a library that cannot look at the clock. Throws Interrupted if less than half of
/// its estimated time is left.
inline void begin_blind_work(double seconds) {
  if (Interruption::seconds_left() < 0.5 * seconds) throw Interrupted{Status::time_limit};
}

/// array.resize(size), where the system may take seconds to find and clear the pages of a large array.
template <class Array>
void resize_with_looks(Array& array, std::size_t size) {
  constexpr std::size_t piece = 1 << 20;
  if (size > array.size()) array.reserve(size);
  while (size > array.size() + piece) {
    array.resize(array.size() + piece);
    count_work(static_cast<double>(piece));
  }
  array.resize(size);
}

}  // namespace slipstick::internal
