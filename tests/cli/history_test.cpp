// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/history.hpp"

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace slipstick::internal::cli::history_test {

const Vector nothing;

std::vector<int> numbers(const BoundedHistory& history) {
  std::vector<int> list;
  const std::vector<std::string> text = lines(history.csv());
  for (std::size_t i = 1; i < text.size(); ++i) list.push_back(std::stoi(text[i]));
  return list;
}

void observe(BoundedHistory& history, int count) {
  for (int i = 0; i < count; ++i) EXPECT_TRUE(history.observe({i, 0.5 * i, 1.0 / (1 + i), i - 1, nothing}));
}

TEST(BoundedHistory, KeepsEveryIterationOfAShortRun) {
  BoundedHistory history(8);
  observe(history, 3);
  EXPECT_EQ(history.csv(),
            "iteration,seconds,error,active\n0,0,1,-1\n1,0.5,0.5,0\n2,1,0.3333333333333333,1\n");
}

TEST(BoundedHistory, ThinsOutALongRunAndKeepsTheLast) {
  for (int count = 1; count < 200; ++count) {
    BoundedHistory history(8);
    observe(history, count);
    const std::vector<int> kept = numbers(history);
    ASSERT_LE(kept.size(), 8u);
    ASSERT_GE(kept.size(), static_cast<std::size_t>(std::min(count, 4)));
    ASSERT_EQ(kept.front(), 0);
    ASSERT_EQ(kept.back(), count - 1);
    // Evenly spaced, but for the last.
    for (std::size_t i = 2; i + 1 < kept.size(); ++i) ASSERT_EQ(kept[i] - kept[i - 1], kept[1] - kept[0]);
  }
}

TEST(BoundedHistory, ClearStartsAnew) {
  BoundedHistory history(8);
  observe(history, 100);
  history.clear();
  observe(history, 2);
  EXPECT_EQ(numbers(history), (std::vector<int>{0, 1}));
}

}  // namespace slipstick::internal::cli::history_test
