// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/options.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal::options_test {

enum class Colour { red, green, blue };

struct Sample {
  double relaxation = 1.5;
  int sweeps = 4;
  bool symmetric = false;
  Colour colour = Colour::green;
  double limit = 1.0;

  static constexpr auto fields =
      Fields{Field{"relaxation", &Sample::relaxation, 0.0, 2.0, "of the sweep"},
             Field{"sweeps", &Sample::sweeps, 1.0, 100.0, "per check"},
             Field{"symmetric", &Sample::symmetric, 0.0, 1.0, "there and back"},
             Field{"colour", &Sample::colour, 0.0, 0.0, "of the bike shed", "red|green|blue"},
             Field{"limit", &Sample::limit, -infinity, infinity, "of anything"}};
};

struct Bare {};

std::string message_of(const Options& options) {
  try {
    read_options<Sample>(options, "sample");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Options, DefaultsAndValues) {
  const Sample defaults = read_options<Sample>({}, "sample");
  EXPECT_EQ(defaults.relaxation, 1.5);
  EXPECT_EQ(defaults.sweeps, 4);
  EXPECT_FALSE(defaults.symmetric);
  EXPECT_EQ(defaults.colour, Colour::green);
  const Sample read = read_options<Sample>(
      {{"relaxation", "1.25e-1"}, {"sweeps", "100"}, {"symmetric", "on"}, {"colour", "blue"}}, "sample");
  EXPECT_EQ(read.relaxation, 0.125);
  EXPECT_EQ(read.sweeps, 100);
  EXPECT_TRUE(read.symmetric);
  EXPECT_EQ(read.colour, Colour::blue);
}

TEST(Options, RangesIncludeTheirEnds) {
  EXPECT_EQ(read_options<Sample>({{"relaxation", "0"}}, "sample").relaxation, 0.0);
  EXPECT_EQ(read_options<Sample>({{"relaxation", "2"}}, "sample").relaxation, 2.0);
  EXPECT_EQ(message_of({{"relaxation", "2.5"}}), "option relaxation: '2.5' is not a number from 0 to 2");
  EXPECT_EQ(message_of({{"sweeps", "0"}}), "option sweeps: '0' is not an integer from 1 to 100");
}

TEST(Options, WhatIsNoNumber) {
  for (const char* text :
       {"", " ", "1 ", " 1", "x", "1x", "1,5", "nan", "-nan", "inf", "1e999", "--1", "0x1"})
    EXPECT_FALSE(message_of({{"relaxation", text}}).empty()) << text;
  for (const char* text : {"", "1.0", "1e2", "x", "99999999999999999999", "-5", "4 "})
    EXPECT_FALSE(message_of({{"sweeps", text}}).empty()) << text;
  EXPECT_EQ(read_options<Sample>({{"limit", "inf"}}, "sample").limit, infinity);
  EXPECT_THROW(read_options<Sample>({{"limit", "nan"}}, "sample"), Error);
}

TEST(Options, Flags) {
  for (const char* text : {"true", "1", "on"})
    EXPECT_TRUE(read_options<Sample>({{"symmetric", text}}, "sample").symmetric);
  for (const char* text : {"false", "0", "off"})
    EXPECT_FALSE(read_options<Sample>({{"symmetric", text}}, "sample").symmetric);
  EXPECT_EQ(message_of({{"symmetric", "yes"}}), "option symmetric: 'yes' is neither true nor false");
}

TEST(Options, Choices) {
  EXPECT_EQ(message_of({{"colour", "pink"}}), "option colour: 'pink' is none of red|green|blue");
  for (const char* text : {"", "re", "red|green", "Red"})
    EXPECT_FALSE(message_of({{"colour", text}}).empty());
}

TEST(Options, UnknownKeysAreNamedWithTheKnownOnes) {
  EXPECT_EQ(message_of({{"relaxatoin", "1"}}),
            "sample has no option 'relaxatoin'; it has: relaxation, sweeps, symmetric, colour, limit");
  try {
    read_options<Bare>({{"anything", "1"}}, "bare");
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "bare has no option 'anything'; it has: none");
  }
}

TEST(Options, TypedSettingsComeFirst) {
  const Sample given{.relaxation = 0.5, .sweeps = 7};
  const Sample read = read_options<Sample>({{"sweeps", "9"}}, "sample", given);
  EXPECT_EQ(read.relaxation, 0.5);
  EXPECT_EQ(read.sweeps, 9);
  EXPECT_THROW(read_options<Sample>({}, "sample", Bare{}), Error);
  EXPECT_THROW(read_options<Sample>({}, "sample", Sample{.relaxation = NAN}), Error);
  EXPECT_THROW(read_options<Sample>({}, "sample", Sample{.sweeps = 0}), Error);
}

TEST(Options, Descriptions) {
  const std::vector<OptionInfo> list = describe_options<Sample>();
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].key, "relaxation");
  EXPECT_EQ(list[0].type, "real");
  EXPECT_EQ(list[0].default_value, "1.5");
  EXPECT_EQ(list[0].summary, "of the sweep");
  EXPECT_EQ(list[1].type, "integer");
  EXPECT_EQ(list[1].default_value, "4");
  EXPECT_EQ(list[2].type, "flag");
  EXPECT_EQ(list[2].default_value, "false");
  EXPECT_EQ(list[3].type, "red|green|blue");
  EXPECT_EQ(list[3].default_value, "green");
  EXPECT_TRUE(describe_options<Bare>().empty());
}

}  // namespace slipstick::internal::options_test
