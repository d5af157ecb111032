// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/monitor.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace slipstick::internal::monitor_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Vector point = Vector::Constant(2, 7.0);

// Runs a loop whose error is always `error`, and returns its end.
Monitor run_loop(const Settings& settings, int default_limit, double error, Observer* observer = nullptr) {
  Monitor monitor(settings, default_limit, observer);
  for (int guard = 0; guard < 1000; ++guard) {
    if (monitor.finished(error, point)) return monitor;
  }
  ADD_FAILURE() << "the loop does not end";
  return monitor;
}

TEST(Monitor, StopsAtTheTolerance) {
  Monitor monitor({.tolerance = 1e-3}, 100, nullptr);
  EXPECT_EQ(monitor.tolerance(), 1e-3);
  EXPECT_EQ(monitor.status(), Status::not_run);
  EXPECT_FALSE(monitor.finished(1.0, point));
  EXPECT_FALSE(monitor.finished(1.001e-3, point));
  EXPECT_EQ(monitor.iterations(), 2);
  EXPECT_TRUE(monitor.finished(1e-3, point));
  EXPECT_EQ(monitor.status(), Status::solved);
  EXPECT_EQ(monitor.iterations(), 2);
  EXPECT_TRUE(monitor.finished(1.0, point));  // stays finished
  EXPECT_EQ(monitor.status(), Status::solved);
}

TEST(Monitor, ExactZeroMeetsAToleranceOfZero) {
  const Settings settings{.tolerance = 0.0};
  EXPECT_EQ(run_loop(settings, 5, 0.0).status(), Status::solved);
  EXPECT_EQ(run_loop(settings, 5, 1e-300).status(), Status::iteration_limit);
}

TEST(Monitor, IterationLimits) {
  Settings settings;
  const Monitor by_default = run_loop(settings, 17, 1.0);
  EXPECT_EQ(by_default.status(), Status::iteration_limit);
  EXPECT_EQ(by_default.iterations(), 17);
  settings.max_iterations = 3;
  EXPECT_EQ(run_loop(settings, 17, 1.0).iterations(), 3);
  // Solved at the very last look counts as solved.
  Monitor monitor(settings, 17, nullptr);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(monitor.finished(1.0, point));
  EXPECT_TRUE(monitor.finished(0.0, point));
  EXPECT_EQ(monitor.status(), Status::solved);
}

TEST(Monitor, TimeLimit) {
  const Settings settings{.time_limit = 0.0};
  const Monitor monitor = run_loop(settings, 100, 1.0);
  EXPECT_EQ(monitor.status(), Status::time_limit);
  EXPECT_EQ(monitor.iterations(), 0);
  EXPECT_GE(monitor.seconds(), 0.0);
  EXPECT_EQ(run_loop(settings, 100, 0.0).status(), Status::solved);
}

TEST(Monitor, NaNIsANumericalErrorAndInfinityIsNot) {
  EXPECT_EQ(run_loop({}, 100, nan).status(), Status::numerical_error);
  EXPECT_EQ(run_loop({}, 100, nan).iterations(), 0);
  EXPECT_EQ(run_loop({}, 100, infinity).status(), Status::iteration_limit);
}

TEST(Monitor, MethodsMayStopForReasonsOfTheirOwn) {
  Monitor monitor({}, 100, nullptr);
  EXPECT_FALSE(monitor.finished(1.0, point));
  monitor.stop(Status::stalled);
  EXPECT_TRUE(monitor.finished(0.0, point));
  EXPECT_TRUE(monitor.interrupted(0.0, point));
  EXPECT_EQ(monitor.status(), Status::stalled);
}

TEST(Monitor, InterruptedDoesNotJudge) {
  Monitor monitor({.max_iterations = 2}, 100, nullptr);
  EXPECT_FALSE(monitor.interrupted(0.0, point));
  EXPECT_FALSE(monitor.interrupted(nan, point));
  EXPECT_TRUE(monitor.interrupted(0.0, point));
  EXPECT_EQ(monitor.status(), Status::iteration_limit);
}

// Keeps what it is shown, and cancels at a given iteration.
struct Recorder : Observer {
  bool observe(const Iteration& iteration) override {
    numbers.push_back(iteration.number);
    errors.push_back(iteration.error);
    active = iteration.active;
    x = iteration.x;
    return iteration.number != cancel_at;
  }
  int cancel_at = -1;
  std::vector<int> numbers;
  std::vector<double> errors;
  Index active = -2;
  Vector x;
};

TEST(Monitor, ShowsEveryIterateOnce) {
  Recorder recorder;
  Monitor monitor({.max_iterations = 3}, 100, &recorder);
  double error = 8.0;
  while (!monitor.finished(error, point, 5)) error /= 2.0;
  EXPECT_EQ(recorder.numbers, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(recorder.errors, (std::vector<double>{8.0, 4.0, 2.0, 1.0}));
  EXPECT_EQ(recorder.active, 5);
  EXPECT_EQ(recorder.x, point);
  EXPECT_TRUE(monitor.finished(error, point));
  EXPECT_EQ(recorder.numbers.size(), 4u);  // not shown again
}

TEST(Monitor, ObserversCancel) {
  Recorder recorder;
  recorder.cancel_at = 4;
  const Monitor monitor = run_loop({}, 100, 1.0, &recorder);
  EXPECT_EQ(monitor.status(), Status::cancelled);
  EXPECT_EQ(monitor.iterations(), 4);
  // The last iterate is shown, and an answer is not thrown away.
  recorder.cancel_at = 0;
  EXPECT_EQ(run_loop({}, 100, 0.0, &recorder).status(), Status::solved);
}

TEST(Observers, FlagHistoryAndSeveralAtOnce) {
  std::atomic<bool> flag{false};
  CancelFlag cancel(flag);
  History history;
  Recorder recorder;
  Observers all;
  all.add(cancel);
  all.add(history);
  all.add(recorder);
  const Settings settings{.max_iterations = 2};
  EXPECT_EQ(run_loop(settings, 100, 0.5, &all).status(), Status::iteration_limit);
  ASSERT_EQ(history.entries.size(), 3u);
  EXPECT_EQ(history.entries[2].iteration, 2);
  EXPECT_EQ(history.entries[2].error, 0.5);
  EXPECT_EQ(history.entries[2].active, -1);
  flag = true;
  EXPECT_EQ(run_loop(settings, 100, 0.5, &all).status(), Status::cancelled);
  EXPECT_EQ(history.entries.size(), 4u);  // the others see the iteration that is cancelled
  EXPECT_EQ(recorder.numbers.size(), 4u);
}

TEST(Observers, ReadTheIterateIfOneOfThemDoes) {
  std::atomic<bool> flag{false};
  CancelFlag cancel(flag);
  History history;
  Recorder recorder;
  Observers all;
  EXPECT_FALSE(all.reads_iterate());
  all.add(cancel);
  all.add(history);
  EXPECT_FALSE(all.reads_iterate());
  all.add(recorder);
  EXPECT_TRUE(all.reads_iterate());
}

TEST(BestIterate, KeepsTheSmallestError) {
  BestIterate best;
  best.reset(2);
  EXPECT_TRUE(best.empty());
  best.offer(nan, Vector::Constant(2, 1.0));
  best.offer(infinity, Vector::Constant(2, 2.0));
  EXPECT_TRUE(best.empty());
  best.offer(3.0, Vector::Constant(2, 3.0));
  best.offer(4.0, Vector::Constant(2, 4.0));
  best.offer(3.0, Vector::Constant(2, 5.0));  // the first of equals stays
  best.offer(nan, Vector::Constant(2, 6.0));
  EXPECT_FALSE(best.empty());
  EXPECT_EQ(best.error(), 3.0);
  EXPECT_EQ(best.x(), Vector::Constant(2, 3.0));
  best.offer(1.0, Vector::Constant(2, 7.0));
  EXPECT_EQ(best.x(), Vector::Constant(2, 7.0));
  best.reset(3);
  EXPECT_TRUE(best.empty());
  EXPECT_EQ(best.x().size(), 3);
}

}  // namespace slipstick::internal::monitor_test
