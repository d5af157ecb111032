// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/interruption.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "slipstick/base/parallel.hpp"
#include "tests/support/cancel_at_look.hpp"

namespace slipstick::internal::interruption_test {

Status ends(double work) {
  try {
    count_work(work);
  } catch (const Interrupted& interrupted) {
    return interrupted.reason;
  }
  return Status::not_run;
}

class Cancels : public Observer {
 public:
  bool observe(const Iteration& /*iteration*/) override { return true; }
  bool cancelled() const override {
    ++looks;
    return now;
  }
  bool now = false;
  mutable int looks = 0;
};

TEST(Interruption, WithoutLimitsNothingIsLookedAt) {
  EXPECT_EQ(Interruption::current(), nullptr);
  EXPECT_EQ(ends(1e300), Status::not_run);
  const Interruption none(infinity, nullptr);
  EXPECT_EQ(Interruption::current(), nullptr);
  EXPECT_EQ(Interruption::seconds_left(), infinity);
  EXPECT_FALSE(Interruption::is_cancelled());
}

TEST(Interruption, ADeadlineIsSeenAfterAStrideOfWork) {
  {
    const Interruption over(0.0, nullptr);
    EXPECT_LE(Interruption::seconds_left(), 0.0);
    EXPECT_EQ(ends(Interruption::usual_stride), Status::time_limit);
    EXPECT_EQ(ends(0.4 * Interruption::usual_stride), Status::not_run);
    EXPECT_EQ(ends(0.7 * Interruption::usual_stride), Status::time_limit);
  }
  EXPECT_EQ(Interruption::current(), nullptr);
  EXPECT_EQ(ends(1e300), Status::not_run);
}

TEST(Interruption, AnObserverIsAskedOncePerStride) {
  Cancels observer;
  const Interruption watched(infinity, &observer);
  count_work(Interruption::usual_stride);
  observer.looks = 0;
  for (int k = 0; k < 1000; ++k) count_work(0.01 * Interruption::usual_stride);
  EXPECT_GE(observer.looks, 9);
  EXPECT_LE(observer.looks, 10);
  observer.now = true;
  EXPECT_EQ(ends(1e300), Status::cancelled);
}

TEST(Interruption, BlindWorkBeginsOnlyIfHalfOfItFits) {
  EXPECT_NO_THROW(begin_blind_work(1e9));
  const Interruption limited(1e3, nullptr);
  EXPECT_NO_THROW(begin_blind_work(1.9e3));
  EXPECT_THROW(begin_blind_work(2.1e3), Interrupted);
}

TEST(Interruption, AnInnerOneHasTheLimitsOfTheOuterOnes) {
  Cancels observer;
  const Interruption outer(0.0, &observer);
  {
    const Interruption inner(1e6, &observer);
    EXPECT_LE(Interruption::seconds_left(), 0.0);
    observer.looks = 0;
    EXPECT_EQ(ends(1e300), Status::time_limit);
    EXPECT_EQ(observer.looks, 1);  // not once per level
    const Interruption::Off off;
    EXPECT_EQ(ends(1e300), Status::not_run);
  }
  observer.now = true;
  EXPECT_EQ(ends(1e300), Status::cancelled);
}

TEST(Interruption, ThreadsOfALoopStopAndTheCallerHearsOfIt) {
  for (const int threads : {1, 4}) {
    CancelAtLook stop(100);
    const Interruption watched(infinity, &stop);
    std::vector<int> done(1000, 0);
    Status reason = Status::not_run;
    try {
      parallel_tasks(1000, threads, 1, [&](std::ptrdiff_t task, int) {
        count_work(10.0);
        done[static_cast<std::size_t>(task)] = 1;
      });
    } catch (const Interrupted& interrupted) {
      reason = interrupted.reason;
    }
    EXPECT_EQ(reason, Status::cancelled);
    EXPECT_LE(stop.looks(), 100 + threads);
    EXPECT_LT(std::count(done.begin(), done.end(), 1), 100 + threads);
  }
}

TEST(Interruption, OrderedTasksEndWithoutADeadlock) {
  std::vector<int> after;
  for (int task = 0; task < 400; ++task) after.push_back(task / 4 * 4);
  CancelAtLook stop(50);
  const Interruption watched(infinity, &stop);
  EXPECT_THROW(ordered_tasks(after, 4, [&](int, int) { count_work(10.0); }), Interrupted);
}

}  // namespace slipstick::internal::interruption_test
