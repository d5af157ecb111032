// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/binary_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>

#include "tests/support/message_of.hpp"

namespace slipstick::internal::binary_stream_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A stream that cannot tell its end, like a pipe.
class Pipe : public std::stringbuf {
 public:
  using std::stringbuf::stringbuf;

 protected:
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return pos_type(off_type(-1));
  }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return pos_type(off_type(-1)); }
};

std::string bytes_of(const auto&... values) {
  std::ostringstream to;
  BinaryWriter out(to);
  (out.write(values), ...);
  return to.str();
}

TEST(BinaryStream, BytesAreThoseInMemory) {
  std::ostringstream to;
  BinaryWriter out(to);
  out.write(std::array<char, 2>{'a', 'b'});
  out.write_count(3);
  out.write_numbers(std::array{0.5, -infinity});
  const std::uint64_t count = 3;
  const std::array numbers = {0.5, -infinity};
  std::string expected = "ab";
  expected.append(reinterpret_cast<const char*>(&count), 8);
  expected.append(reinterpret_cast<const char*>(numbers.data()), 16);
  EXPECT_EQ(to.str(), expected);
}

TEST(BinaryStream, ReadsWhatWasWritten) {
  std::stringstream stream("before");
  stream.seekg(6);
  stream.seekp(6);
  BinaryWriter out(stream);
  out.write(std::array<int, 2>{7, -8});
  out.write_count(2);
  out.write_numbers(std::array{1.0, -0.0});
  out.write_numbers(std::array{3.0, 4.0, 5.0});
  BinaryReader in(stream, "test");
  EXPECT_EQ((in.read<std::array<int, 2>>()), (std::array{7, -8}));
  const std::size_t count = in.read_count(sizeof(double));
  EXPECT_EQ(count, 2u);
  std::vector<double> numbers = {9.0};
  in.append(numbers, count);
  EXPECT_EQ(numbers, (std::vector{9.0, 1.0, -0.0}));
  EXPECT_TRUE(std::signbit(numbers[2]));
  EXPECT_EQ(in.read_finite(), 3.0);
  std::array<double, 2> last = {};
  in.read_finite(last);
  EXPECT_EQ(last, (std::array{4.0, 5.0}));
  EXPECT_EQ(message_of([&] { in.read<char>(); }), "test: the data end too early");
}

TEST(BinaryStream, ManyValuesAreReadInPieces) {
  std::vector<double> numbers(10'001), found;
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k);
  std::ostringstream to;
  BinaryWriter(to).write_numbers(numbers);
  Pipe pipe(to.str());
  std::istream from(&pipe);
  BinaryReader(from, "test").append(found, numbers.size());
  EXPECT_EQ(found, numbers);
}

// Counts that the bytes left cannot hold are refused before anything is allocated.
TEST(BinaryStream, CountsFitTheBytesLeft) {
  const auto count_of = [](std::uint64_t count, std::size_t least_bytes) {
    std::istringstream from(bytes_of(count, 1.0, 2.0));
    return message_of([&] { BinaryReader(from, "test").read_count(least_bytes); });
  };
  EXPECT_EQ(count_of(2, 8), "");
  EXPECT_EQ(count_of(16, 1), "");
  EXPECT_EQ(count_of(3, 8), "test: the data end too early");
  EXPECT_EQ(count_of(17, 1), "test: the data end too early");
  EXPECT_EQ(count_of(std::numeric_limits<std::uint64_t>::max(), 8), "test: the data end too early");
  EXPECT_EQ(count_of(std::uint64_t{1} << 61, 8), "test: the data end too early");  // 2^64 bytes

  std::istringstream from(bytes_of(1.0, 2.0));
  BinaryReader in(from, "test");
  std::vector<double> numbers;
  EXPECT_EQ(message_of([&] { in.append(numbers, 3); }), "test: the data end too early");
  EXPECT_EQ(numbers.capacity(), 0u);
  in.append(numbers, 2);
  EXPECT_EQ(numbers, (std::vector{1.0, 2.0}));
}

// Without a known end, storage grows only with what was read.
TEST(BinaryStream, AStreamWithoutAKnownEnd) {
  Pipe pipe(bytes_of(std::uint64_t{1} << 60, 1.0, 2.0));
  std::istream from(&pipe);
  BinaryReader in(from, "test");
  const std::size_t count = in.read_count(sizeof(double));
  EXPECT_EQ(count, std::size_t{1} << 60);
  std::vector<double> numbers;
  EXPECT_EQ(message_of([&] { in.append(numbers, count); }), "test: the data end too early");
  EXPECT_LE(numbers.capacity(), 4096u);
}

TEST(BinaryStream, NumbersThatAreNotFinite) {
  for (const double number : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    std::istringstream one(bytes_of(number)), two(bytes_of(1.0, number));
    EXPECT_EQ(message_of([&] { BinaryReader(one, "test").read_finite(); }),
              "test: it has a number that is not finite");
    std::array<double, 2> numbers = {};
    EXPECT_EQ(message_of([&] { BinaryReader(two, "test").read_finite(numbers); }),
              "test: it has a number that is not finite");
  }
}

TEST(BinaryStream, AStreamThatHasFailedIsEmpty) {
  std::istringstream from(bytes_of(1.0));
  from.setstate(std::ios::failbit);
  EXPECT_EQ(message_of([&] { BinaryReader(from, "test").read<double>(); }), "test: the data end too early");
}

}  // namespace slipstick::internal::binary_stream_test
