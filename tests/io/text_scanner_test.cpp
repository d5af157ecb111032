// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/text_scanner.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::text_scanner_test {

TEST(TextScanner, TokensAndLines) {
  TextScanner scanner("  one\ttwo\r\n\n three\n", "f");
  EXPECT_EQ(scanner.token("a word"), "one");
  EXPECT_EQ(scanner.token("a word"), "two");
  EXPECT_EQ(scanner.line(), 1);
  EXPECT_FALSE(scanner.at_end());
  EXPECT_EQ(scanner.token("a word"), "three");
  EXPECT_EQ(scanner.line(), 3);
  EXPECT_TRUE(scanner.at_end());
  EXPECT_THROW(scanner.token("a word"), Error);
}

TEST(TextScanner, NumbersAreExact) {
  TextScanner scanner("+1.5 -0 1e-400 4.9406564584124654e-324 0.1 12", "f");
  EXPECT_EQ(scanner.number("x"), 1.5);
  EXPECT_TRUE(std::signbit(scanner.number("x")));
  EXPECT_EQ(scanner.number("x"), 0.0);
  EXPECT_EQ(scanner.number("x"), 5e-324);
  EXPECT_EQ(scanner.number("x"), 0.1);
  EXPECT_EQ(scanner.integer("x", 0), 12);
}

TEST(TextScanner, RefusalsSayWhereAndWhat) {
  for (const char* text : {"nan", "inf", "-inf", "1e400", "1,5", "x", "+-1", "0x10", "--1", "1e"}) {
    TextScanner scanner(text, "file.dat");
    EXPECT_THROW(scanner.number("x"), Error) << text;
  }
  for (const char* text : {"1.0", "-1", "11", "99999999999999999999", "x", ""}) {
    TextScanner scanner(text, "file.dat");
    EXPECT_THROW(scanner.integer("x", 0, 10), Error) << text;
  }
  TextScanner scanner("1\n2\nnan\n", "file.dat");
  try {
    scanner.numbers(3, "entries of q");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "file.dat: line 3: expected a finite number (entries of q), found 'nan'");
  }
}

TEST(TextScanner, InfiniteBoundsOnlyWhereAllowed) {
  TextScanner scanner("inf -inf +inf 2 nan", "f");
  EXPECT_EQ(scanner.bound("x"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(scanner.bound("x"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(scanner.bound("x"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(scanner.bound("x"), 2.0);
  EXPECT_THROW(scanner.bound("x"), Error);
}

TEST(TextScanner, CountsAreComparedWithTheTextThatIsLeft) {
  TextScanner scanner("7 1 2 3", "f");
  scanner.integer("n", 0);
  EXPECT_NO_THROW(scanner.require(3, "numbers"));
  EXPECT_THROW(scanner.require(4, "numbers"), Error);
  EXPECT_THROW(scanner.numbers(std::int64_t{1} << 40, "numbers"), Error);
}

TEST(TextScanner, PrintableCutsAndEscapes) {
  EXPECT_EQ(printable("abc\n\xff", 10), "abc\\x0a\\xff");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

TEST(TextScanner, FilesThatCannotBeRead) {
  const ScratchFolder folder;
  EXPECT_THROW(read_file(folder / "missing"), Error);
  EXPECT_THROW(read_file(folder / ""), Error);
  EXPECT_THROW(read_file("/dev/null"), Error);
  EXPECT_EQ(read_file(folder.file("a", "hello"), 3), "hel");
}

}  // namespace slipstick::internal::text_scanner_test
