// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/cancel.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace slipstick::internal::cli::cancel_test {

TEST(CancelOnSignal, EndsAtOnceBeforeItIsArmed) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          const CancelOnSignal cancel("");
          raise(signal);
        },
        testing::ExitedWithCode(1), "^slipstick: cancelled before the solve began\n$");
  }
}

TEST(CancelOnSignal, RaisesTheFlagOnceItIsArmed) {
  for (const int signal : {SIGINT, SIGTERM}) {
    CancelOnSignal cancel("");
    cancel.arm();
    EXPECT_FALSE(cancel.raised());
    raise(signal);
    EXPECT_TRUE(cancel.raised());
  }
}

TEST(CancelOnSignal, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        CancelOnSignal cancel("");
        cancel.arm();
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(CancelOnSignal, GivesTheSignalsBack) {
  struct sigaction ignoring {};
  struct sigaction before {};
  struct sigaction after {};
  ignoring.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignoring, &before);
  {
    CancelOnSignal cancel("");
    cancel.arm();
  }
  sigaction(SIGINT, &before, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

}  // namespace slipstick::internal::cli::cancel_test
