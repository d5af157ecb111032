// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "slipstick/base/error.hpp"

namespace slipstick {

/// key = value pairs for a method's settings, as they come from a command line or a file.
using Options = std::map<std::string, std::string, std::less<>>;

/// Describes one member of a method's settings struct. A method lists its fields as
///     static constexpr auto fields = std::tuple{Field{"relaxation", &PgsSettings::relaxation, 0.0, 2.0,
///     "what it is"}, ...};
/// Integers and reals are limited to [low, high]; an enumeration lists its names in `choices`, separated by
/// '|'.
template <class Owner, class Value>
struct Field {
  std::string_view key;
  Value Owner::*member;
  double low;
  double high;
  std::string_view summary;
  std::string_view choices = {};
};

// Spelled out for compilers that do not deduce aggregates yet (clang 14).
template <class Owner, class Value>
Field(std::string_view, Value Owner::*, double, double, std::string_view) -> Field<Owner, Value>;
template <class Owner, class Value>
Field(std::string_view, Value Owner::*, double, double, std::string_view, std::string_view)
    -> Field<Owner, Value>;

/// One line of help about an option.
struct OptionInfo {
  std::string key;
  std::string type;  ///< real, integer, flag, or the choices
  std::string default_value;
  std::string summary;
};

/// Parsers behind read_options; each fails with the key, the text and what was expected.
double parse_real(std::string_view key, std::string_view text, double low, double high);
int parse_integer(std::string_view key, std::string_view text, double low, double high);
bool parse_flag(std::string_view key, std::string_view text);
int parse_choice(std::string_view key, std::string_view text, std::string_view choices);
[[noreturn]] void fail_unknown_option(std::string_view key, std::string_view method,
                                      const std::vector<OptionInfo>& known);
std::string choice_name(std::string_view choices, int index);

namespace detail {
template <class Value>
Value parse(std::string_view key, std::string_view text, double low, double high, std::string_view choices) {
  if constexpr (std::is_same_v<Value, bool>) {
    return parse_flag(key, text);
  } else if constexpr (std::is_enum_v<Value>) {
    return static_cast<Value>(parse_choice(key, text, choices));
  } else if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(parse_integer(key, text, low, high));
  } else {
    return parse_real(key, text, low, high);
  }
}
}  // namespace detail

template <class MethodSettings>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> list;
  if constexpr (requires { MethodSettings::fields; }) {
    const MethodSettings defaults{};
    std::apply(
        [&](const auto&... field) {
          const auto describe = [&](const auto& f) {
            using Value = std::decay_t<decltype(defaults.*f.member)>;
            const auto value = defaults.*f.member;
            if constexpr (std::is_same_v<Value, bool>) {
              list.push_back({std::string(f.key), "flag", value ? "true" : "false", std::string(f.summary)});
            } else if constexpr (std::is_enum_v<Value>) {
              list.push_back({std::string(f.key), std::string(f.choices),
                              choice_name(f.choices, static_cast<int>(value)), std::string(f.summary)});
            } else {
              list.push_back({std::string(f.key), std::is_integral_v<Value> ? "integer" : "real",
                              fmt::format("{}", value), std::string(f.summary)});
            }
          };
          (describe(field), ...);
        },
        MethodSettings::fields);
  }
  return list;
}

/// The method's settings with the options applied; fails on an unknown key or a value out of range.
template <class MethodSettings>
MethodSettings read_options(const Options& options, std::string_view method) {
  MethodSettings settings;
  for (const auto& option : options) {
    const std::string& key = option.first;
    const std::string& text = option.second;
    bool known = false;
    if constexpr (requires { MethodSettings::fields; }) {
      std::apply(
          [&](const auto&... field) {
            const auto read = [&](const auto& f) {
              if (f.key != key) return;
              using Value = std::decay_t<decltype(settings.*f.member)>;
              settings.*f.member = detail::parse<Value>(key, text, f.low, f.high, f.choices);
              known = true;
            };
            (read(field), ...);
          },
          MethodSettings::fields);
    }
    if (!known) fail_unknown_option(key, method, describe_options<MethodSettings>());
  }
  return settings;
}

}  // namespace slipstick
