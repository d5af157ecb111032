// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/utf8.hpp"

namespace slipstick::internal {

/// Writes JSON (RFC 8259) on one line, in the order of the calls. Reals are the shortest that read back as
/// the same bits; NaN and infinities, which JSON has no word for, are null. Bytes that are not UTF-8 become
/// U+FFFD.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  /// The name of the member whose value (or object, or array) is written next.
  JsonWriter& key(std::string_view name) {
    separate();
    append_string(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }

  JsonWriter& value(std::string_view string) {
    separate();
    append_string(string);
    return *this;
  }
  JsonWriter& value(const char* string) { return value(std::string_view(string)); }
  JsonWriter& value(bool flag) { return literal(flag ? "true" : "false"); }
  JsonWriter& value(std::integral auto number) { return literal(fmt::format("{}", number)); }
  JsonWriter& value(double number) {
    return std::isfinite(number) ? literal(fmt::format("{}", number)) : null();
  }
  JsonWriter& null() { return literal("null"); }

  template <class Value>
  JsonWriter& member(std::string_view name, const Value& its_value) {
    return key(name).value(its_value);
  }
  /// Null if the text is empty.
  JsonWriter& member_or_null(std::string_view name, std::string_view text) {
    return text.empty() ? key(name).null() : key(name).value(text);
  }
  template <class Strings>
  JsonWriter& member_list(std::string_view name, const Strings& strings) {
    key(name).begin_array();
    for (const auto& string : strings) value(std::string_view(string));
    return end_array();
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  JsonWriter& literal(std::string_view word) {
    separate();
    text_ += word;
    return *this;
  }
  // A comma before every item but the first of its object or array.
  void separate() {
    if (!fresh_) text_ += ", ";
    fresh_ = false;
  }

  void append_string(std::string_view string) {
    text_ += '"';
    for_each_character(string, [&](std::string_view character) { append_character(character); });
    text_ += '"';
  }

  void append_character(std::string_view character) {
    if (character.empty()) {
      text_ += replacement_character;
    } else if (character == "\"" || character == "\\") {
      text_ += '\\';
      text_ += character;
    } else if (character == "\n") {
      text_ += "\\n";
    } else if (character == "\t") {
      text_ += "\\t";
    } else if (static_cast<unsigned char>(character[0]) < 0x20) {
      append_format(text_, "\\u{:04x}", static_cast<unsigned>(character[0]));
    } else {
      text_ += character;
    }
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace slipstick::internal
