// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {

/// What can be written as it lies in memory. Not every byte is a bool.
template <class T>
concept Binary = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_same_v<T, bool>;

/// Writes values as they lie in memory, in the byte order of the machine.
class BinaryWriter {
 public:
  explicit BinaryWriter(std::ostream& to) : to_(to) {}

  template <Binary T>
  void write(const T& value) {
    to_.write(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  /// A number of things, in 64 bits.
  void write_count(std::size_t count) { write(static_cast<std::uint64_t>(count)); }
  /// The numbers alone, not how many there are.
  void write_numbers(std::span<const double> numbers) {
    to_.write(reinterpret_cast<const char*>(numbers.data()),
              static_cast<std::streamsize>(numbers.size_bytes()));
  }

 private:
  std::ostream& to_;
};

/// Reads what a BinaryWriter wrote. The data may come from anywhere: nothing is believed that the bytes left
/// cannot hold. If the stream cannot tell its end, storage grows only with what was read. While a reader is
/// in use, nothing else reads from its stream.
class BinaryReader {
 public:
  /// Messages begin with `what`, which must outlive the reader.
  BinaryReader(std::istream& from, std::string_view what)
      : from_(from), what_(what), left_(bytes_to_end(from)) {}

  template <Binary T>
  T read() {
    T value{};
    take(&value, 1);
    return value;
  }
  template <Binary T>
  void read(T& value) {
    value = read<T>();
  }
  double read_finite() {
    const auto number = read<double>();
    if (!std::isfinite(number)) fail_not_finite();
    return number;
  }
  void read_finite(std::span<double> numbers) {
    take(numbers.data(), numbers.size());
    if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
      fail_not_finite();
  }
  /// A number of things that take at least `least_bytes` each.
  std::size_t read_count(std::size_t least_bytes) {
    const auto count = read<std::uint64_t>();
    check_left(count, least_bytes);
    return static_cast<std::size_t>(count);
  }
  /// Adds `count` values to the end of `values`.
  template <Binary T>
  void append(std::vector<T>& values, std::size_t count) {
    check_left(count, sizeof(T));
    constexpr std::size_t most_at_once = 4096;
    while (count > 0) {
      const std::size_t old = values.size(), now = std::min(count, most_at_once);
      values.resize(old + now);
      take(values.data() + old, now);
      count -= now;
    }
  }

 private:
  static constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

  static std::uint64_t bytes_to_end(std::istream& from) {
    if (!from.good()) return 0;
    std::streambuf& bytes = *from.rdbuf();
    const std::streamoff here = bytes.pubseekoff(0, std::ios::cur, std::ios::in);
    if (here < 0) return unknown;
    const std::streamoff end = bytes.pubseekoff(0, std::ios::end, std::ios::in);
    if (bytes.pubseekpos(here, std::ios::in) != std::streampos(here)) return 0;
    return end < here ? unknown : static_cast<std::uint64_t>(end - here);
  }
  void check_left(std::uint64_t count, std::size_t bytes_each) const {
    if (bytes_each > 0 && count > left_ / bytes_each) fail("{}: the data end too early", what_);
  }
  template <class T>
  void take(T* values, std::size_t count) {
    check_left(count, sizeof(T));
    const std::uint64_t bytes = count * sizeof(T);
    if (!from_.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(bytes)))
      fail("{}: the data end too early", what_);
    if (left_ != unknown) left_ -= bytes;
  }
  [[noreturn]] void fail_not_finite() const { fail("{}: it has a number that is not finite", what_); }

  std::istream& from_;
  std::string_view what_;
  std::uint64_t left_;  // bytes
};

}  // namespace slipstick::internal
