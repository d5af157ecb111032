// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "slipstick/linalg/vector.hpp"

namespace slipstick {

/// What a method shows once per iteration.
struct Iteration {
  int number = 0;        ///< 0 is the starting point
  double seconds = 0.0;  ///< since the method started
  double error = 0.0;    ///< scaled natural map, or the method's cheap estimate of it
  Index active = -1;     ///< rows at a bound where the method knows them, else -1
  ConstVectorView x;     ///< the iterate, valid during the call
};

/// Called once per iteration; returns false to cancel the solve.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual bool observe(const Iteration& iteration) = 0;
};

/// Keeps the course of a solve.
class History : public Observer {
 public:
  struct Entry {
    int iteration;
    double seconds;
    double error;
    Index active;
  };
  bool observe(const Iteration& i) override {
    entries.push_back({i.number, i.seconds, i.error, i.active});
    return true;
  }
  std::vector<Entry> entries;
};

/// Cancels when the flag is set, for instance by a signal handler.
class CancelFlag : public Observer {
 public:
  explicit CancelFlag(const std::atomic<bool>& flag) : flag_(flag) {}
  bool observe(const Iteration&) override { return !flag_.load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& flag_;
};

/// Several observers in one; cancels when any of them does.
class Observers : public Observer {
 public:
  void add(Observer& observer) { list_.push_back(&observer); }
  bool observe(const Iteration& iteration) override {
    bool go_on = true;
    for (Observer* observer : list_) go_on = observer->observe(iteration) && go_on;
    return go_on;
  }

 private:
  std::vector<Observer*> list_;
};

}  // namespace slipstick
