// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>

#include "bench/peers/contest.hpp"

namespace slipstick::internal::bench {

/// What a batch of solves took and found.
struct BatchReport {
  double seconds = 0.0;  ///< of the processor, per solve
  Verdict verdict;       ///< on the last answer
};

/// A contestant with a problem in a process of its own, so that a crash or an endless loop costs nothing but
/// itself. Between batches it waits, and so several of them can take turns.
class Worker {
 public:
  /// busy: stopped in the middle of a batch.
  enum class State { ready, busy, ended };

  /// Forks; the child prepares the attempt, within the time limit. Its output is thrown away.
  Worker(const Contestant& contestant, const ContestProblem& problem, double time_limit);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  State state() const { return state_; }
  /// Solves once. If a batch is to take some time, solves again until the solves after the first take as
  /// long. Returns nothing if the process has ended, or has used up the time limit and was stopped.
  std::optional<BatchReport> run(double tolerance, double batch_seconds, double time_limit);
  /// Goes on with the batch in which it was stopped; the time limit is one from the batch's start.
  std::optional<BatchReport> go_on(double time_limit);

 private:
  struct Order {
    double tolerance;
    double batch_seconds;
  };
  [[noreturn]] static void serve(const Contestant& contestant, const ContestProblem& problem, int orders,
                                 int reports);
  std::optional<BatchReport> receive(double time_limit);
  double seconds() const;
  void end();

  pid_t child_ = -1;
  int orders_ = -1;          // pipe to the child
  int reports_ = -1;         // pipe from it
  double started_at_ = 0.0;  // seconds that the child had the processor before its batch
  State state_ = State::busy;
};

/// One thread for the linear algebra of every contestant, in this process and its children.
void use_one_thread();

}  // namespace slipstick::internal::bench
