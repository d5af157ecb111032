// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/append_format.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::append_format_test {

TEST(AppendFormat, AppendsToWhatIsThere) {
  std::string text = "a";
  append_format(text, "");
  EXPECT_EQ(text, "a");
  const std::string word = "rows";
  append_format(text, ", {} {} and {:.2f}", 3, word, 0.125);
  EXPECT_EQ(text, "a, 3 rows and 0.12");
}

TEST(AppendFormat, AllocatesNothingWhereThereIsRoom) {
  std::string text;
  text.reserve(100);
  const std::size_t before = allocations();
  append_format(text, "{} after {} iterations, {:.2e}", "stalled", 17, 3e-5);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(text, "stalled after 17 iterations, 3.00e-05");
}

}  // namespace slipstick::internal::append_format_test
