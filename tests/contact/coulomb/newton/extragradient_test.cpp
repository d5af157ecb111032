// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/extragradient.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"

namespace slipstick::internal::extragradient_test {

TEST(Extragradient, RefusesAnEmptyRangeOfSteps) {
  EXPECT_THROW(Extragradient({.upper = 0.3, .lower = 0.3}), Error);
}

}  // namespace slipstick::internal::extragradient_test
