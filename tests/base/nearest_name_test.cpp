// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::nearest_name_test {

constexpr std::string_view names[] = {"position", "orientation", "mass", "material"};

TEST(NearestName, IsTheOneWithFewestChanges) {
  EXPECT_EQ(nearest_name("postion", names), "position");
  EXPECT_EQ(nearest_name("maas", names), "mass");
  EXPECT_EQ(nearest_name("materials", names), "material");
  EXPECT_EQ(nearest_name("mass", names), "mass");
}

TEST(NearestName, IsEmptyIfNothingIsNear) {
  EXPECT_EQ(nearest_name("colour", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'm'), names), "");
}

TEST(NearestName, Suggestion) {
  EXPECT_EQ(suggestion("mas", names), ", did you mean 'mass'?");
  EXPECT_EQ(suggestion("xyz", names), ", expected one of position, orientation, mass, material");
}

}  // namespace slipstick::internal::nearest_name_test
