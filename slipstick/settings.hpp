// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick {

/// The error that the stop rule uses.
enum class ErrorMeasure {
  scaled_natural_map,  ///< under Coulomb's law together with the published De Saxce error
  desaxce,             ///< under Coulomb's law only the published error, like other libraries
};

/// Runs tasks for a solve, for instance by the job system of a simulator.
class SLIPSTICK_EXPORT TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  /// Calls task(0), task(1), ..., task(count - 1), on any threads and in any order. Returns when all have
  /// ended. A task throws nothing.
  virtual void run(int count, const std::function<void(int)>& task) = 0;
};

/// The settings that every method understands. Methods add their own plain struct.
struct Settings {
  double tolerance = 1e-8;  ///< stop if the error is at most this; dimensionless, >= 0
  int max_iterations = 0;   ///< limit of the method's own iterations; 0: the method's default
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds >= 0
  int threads = 1;  ///< >= 1; results are the same bits for the same number
  /// Number of a CUDA device. -1: methods for a device take the first one, and `auto` takes none.
  int device = -1;
  ErrorMeasure measure = ErrorMeasure::scaled_natural_map;
  TaskRunner* tasks = nullptr;  ///< solves islands on `threads` threads; null: OpenMP
  bool operator==(const Settings&) const = default;
};

/// key = value pairs for a method's settings, as they come from a command line or a file.
using Options = std::map<std::string, std::string, std::less<>>;
/// The settings struct of a method, for instance PgsSettings{.relaxation = 1.3}; empty: the defaults.
using AnySettings = std::any;

/// The data that a method shows once per iteration.
struct Iteration {
  int number = 0;        ///< 0 is the starting point
  double seconds = 0.0;  ///< since the method started
  double error = 0.0;    ///< scaled natural map, or the method's cheap estimate of it
  Index active = -1;     ///< rows at a bound if the method knows them, otherwise -1
  ConstVectorView x;     ///< the iterate, valid during the call
};

/// Called once per iteration. If it returns false, the solve is cancelled.
class SLIPSTICK_EXPORT Observer {
 public:
  virtual ~Observer() = default;
  virtual bool observe(const Iteration& iteration) = 0;
  /// True cancels the solve. Factorizations and other long calculations ask between two iterations, from any
  /// thread of the solve, up to a thousand times per second.
  virtual bool cancelled() const { return false; }
  /// False if observe() does not read Iteration::x. Methods for a device then leave the iterate there.
  virtual bool reads_iterate() const { return true; }
};

/// Keeps the errors of a solve over its iterations.
class SLIPSTICK_EXPORT History : public Observer {
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
  bool reads_iterate() const override { return false; }
  std::vector<Entry> entries;
};

/// Cancels when the flag is set, for instance by a signal handler.
class SLIPSTICK_EXPORT CancelFlag : public Observer {
 public:
  explicit CancelFlag(const std::atomic<bool>& flag) : flag_(flag) {}
  bool observe(const Iteration&) override { return !cancelled(); }
  bool cancelled() const override { return flag_.load(std::memory_order_relaxed); }
  bool reads_iterate() const override { return false; }

 private:
  const std::atomic<bool>& flag_;
};

/// Several observers in one. It cancels when any of them does.
class SLIPSTICK_EXPORT Observers : public Observer {
 public:
  void add(Observer& observer) { list_.push_back(&observer); }
  bool observe(const Iteration& iteration) override {
    bool go_on = true;
    for (Observer* observer : list_) go_on = observer->observe(iteration) && go_on;
    return go_on;
  }
  bool cancelled() const override {
    for (const Observer* observer : list_)
      if (observer->cancelled()) return true;
    return false;
  }
  bool reads_iterate() const override {
    for (const Observer* observer : list_)
      if (observer->reads_iterate()) return true;
    return false;
  }

 private:
  std::vector<Observer*> list_;
};

}  // namespace slipstick
