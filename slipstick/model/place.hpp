// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {

/// A place in a scene document, as a JSON pointer (RFC 6901), with the name of the thing that is there:
/// /bodies/3 ("lid"). Messages about scenes begin with it. The scene keeps the name.
class Place {
 public:
  Place() = default;

  Place operator/(std::string_view key) const {
    std::string escaped;
    for (const char letter : key) {
      if (letter == '~') escaped += "~0";
      if (letter == '/') escaped += "~1";
      if (letter != '~' && letter != '/') escaped += letter;
    }
    return {pointer_ + '/' + escaped, name_};
  }
  Place operator/(std::size_t index) const { return {fmt::format("{}/{}", pointer_, index), name_}; }
  Place named(std::string_view name) const { return {pointer_, name}; }

  std::string text() const {
    if (name_.empty()) return pointer_.empty() ? "the scene" : pointer_;
    return fmt::format("{} (\"{}\")", pointer_, name_);
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    internal::fail("{}: {}", text(), fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  Place(std::string pointer, std::string_view name) : pointer_(std::move(pointer)), name_(name) {}

  std::string pointer_;
  std::string_view name_;
};

}  // namespace slipstick::internal
