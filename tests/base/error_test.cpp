// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/error.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::error_test {

TEST(Error, CarriesTheFormattedMessage) {
  try {
    fail("row {}: {} is not below {}", 3, 2.5, "the bound");
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "row 3: 2.5 is not below the bound");
  }
}

TEST(Error, IsAStandardException) {
  EXPECT_THROW(fail("no"), std::runtime_error);
}

}  // namespace slipstick::internal::error_test
