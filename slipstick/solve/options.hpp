// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal {

enum class FieldKind { real, integer, flag, choice };

/// A Field whose types are erased, so that one parser serves all methods.
struct FieldInfo {
  std::string_view key;
  FieldKind kind;
  double low;
  double high;
  std::string_view summary;
  std::string_view choices;
  double (*get)(const void* settings);
  void (*set)(void* settings, double value);
};

namespace detail {
template <class Value>
constexpr FieldKind kind_of() {
  if (std::is_same_v<Value, bool>) return FieldKind::flag;
  if (std::is_enum_v<Value>) return FieldKind::choice;
  return std::is_integral_v<Value> ? FieldKind::integer : FieldKind::real;
}

template <class>
inline constexpr std::size_t field_count = 1;
template <class... All>
inline constexpr std::size_t field_count<Fields<All...>> = (0 + ... + field_count<All>);

// Writes the field that `get` points to, or every field of a list.
template <class MethodSettings, class Get>
constexpr void erase_fields(FieldInfo*& next, Get get) {
  if constexpr (requires { get()->key; }) {
    const auto& field = *get();
    using Value = std::decay_t<decltype(std::declval<MethodSettings>().*field.member)>;
    const auto read = [](const void* settings) {
      return static_cast<double>(static_cast<const MethodSettings*>(settings)->*Get()()->member);
    };
    const auto write = [](void* settings, double value) {
      static_cast<MethodSettings*>(settings)->*Get()()->member = static_cast<Value>(value);
    };
    *next++ = {field.key, kind_of<Value>(), field.low, field.high, field.summary, field.choices, read, write};
  } else if constexpr (!std::is_empty_v<std::decay_t<decltype(*get())>>) {
    erase_fields<MethodSettings>(next, [] { return &Get()()->first; });
    erase_fields<MethodSettings>(next, [] { return &Get()()->rest; });
  }
}

template <class MethodSettings>
constexpr auto erase_fields() {
  if constexpr (requires { MethodSettings::fields; }) {
    std::array<FieldInfo, field_count<std::decay_t<decltype(MethodSettings::fields)>>> result{};
    FieldInfo* next = result.data();
    erase_fields<MethodSettings>(next, [] { return &MethodSettings::fields; });
    return result;
  } else {
    return std::array<FieldInfo, 0>{};
  }
}

template <class MethodSettings>
inline constexpr auto erased_fields = erase_fields<MethodSettings>();
}  // namespace detail

/// The table of a method's options. Empty if the method has none.
template <class MethodSettings>
std::span<const FieldInfo> fields_of() {
  return detail::erased_fields<MethodSettings>;
}

/// One line of help about an option.
struct OptionInfo {
  std::string key;
  std::string type;  ///< real, integer, flag, or the choices
  std::string default_value;
  std::string summary;
};

std::vector<OptionInfo> describe_options(std::span<const FieldInfo> fields, const void* defaults);
template <class MethodSettings>
std::vector<OptionInfo> describe_options() {
  const MethodSettings defaults{};
  return describe_options(fields_of<MethodSettings>(), &defaults);
}

/// Throws Error for an unknown key, and for a value out of range in `settings` or in the options. The message
/// has the key, the value and what was expected.
void apply_options(std::span<const FieldInfo> fields, const Options& options, std::string_view method,
                   void* settings);

/// The settings in `typed`, or the defaults, with the options applied. Throws Error if `typed` is the struct
/// of another method.
template <class MethodSettings>
MethodSettings read_options(const Options& options, std::string_view method, const AnySettings& typed = {}) {
  const auto* given = std::any_cast<MethodSettings>(&typed);
  if (given == nullptr && typed.has_value()) fail("these settings are not those of {}", method);
  MethodSettings settings = given != nullptr ? *given : MethodSettings{};
  apply_options(fields_of<MethodSettings>(), options, method, &settings);
  return settings;
}

}  // namespace slipstick::internal
