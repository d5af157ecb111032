// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/json_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace slipstick::internal::json_writer_test {

std::string written(double number) {
  return JsonWriter().value(number).text();
}
std::string written(const char* string) {
  return JsonWriter().value(string).text();
}

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter json;
  json.begin_object().member("a", 1).key("b").begin_array().value(true).null().end_array();
  json.key("c").begin_object().end_object().member_list("d", std::vector<std::string>{"x", "y"}).end_object();
  EXPECT_EQ(json.text(), R"({"a":1, "b":[true, null], "c":{}, "d":["x", "y"]})");
}

TEST(JsonWriter, NumbersReadBackAsTheSameBits) {
  for (const double number : {0.1, 1e-8, 1.0 / 3.0, -2.5e300, 5e-324, 123456789.0, 1e22}) {
    EXPECT_EQ(std::strtod(written(number).c_str(), nullptr), number) << written(number);
  }
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(JsonWriter().value(std::numeric_limits<std::int64_t>::min()).text(), "-9223372036854775808");
}

TEST(JsonWriter, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, EscapesWhatJsonForbids) {
  EXPECT_EQ(written("say \"hi\" \\ there"), R"("say \"hi\" \\ there")");
  EXPECT_EQ(written("a\nb\tc\x01\x1f"), R"("a\nb\tc\u0001\u001f")");
  EXPECT_EQ(written("caf\xC3\xA9 \xF0\x9F\x98\x80"), "\"caf\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST(JsonWriter, BytesThatAreNotUtf8AreReplaced) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(written("\xFF"), "\"" + mark + "\"");
  EXPECT_EQ(written("a\xC3"), "\"a" + mark + "\"");                      // cut off
  EXPECT_EQ(written("\xC0\xAF"), "\"" + mark + mark + "\"");             // overlong
  EXPECT_EQ(written("\xED\xA0\x80"), "\"" + mark + mark + mark + "\"");  // a surrogate
  EXPECT_EQ(written("\xC3(x"), "\"" + mark + "(x\"");
}

TEST(Utf8, OneLineHasNoControlCharacters) {
  EXPECT_EQ(one_line("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(one_line("a\x1b[31mb\r\nc\x7F"), "a [31mb  c ");
  EXPECT_EQ(one_line("\xC2\x9B!"), " !");  // the one-character form of ESC [
  EXPECT_EQ(one_line("\xFF!"), "\xEF\xBF\xBD!");
}

}  // namespace slipstick::internal::json_writer_test
