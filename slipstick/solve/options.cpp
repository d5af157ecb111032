// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

// Reads the whole text as a number. Returns false if it is not a number.
template <class Value>
bool read_number(std::string_view text, Value& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Visit>
void for_each_choice(std::string_view choices, const Visit& visit) {
  for (int index = 0; !choices.empty(); ++index) {
    const std::size_t bar = choices.find('|');
    visit(index, choices.substr(0, bar));
    choices = bar == std::string_view::npos ? std::string_view{} : choices.substr(bar + 1);
  }
}

bool is_in_range(const FieldInfo& field, double value) {
  return value >= field.low && value <= field.high;  // false for NaN
}

[[noreturn]] void fail_range(const FieldInfo& field, std::string_view text) {
  fail("option {}: '{}' is not {} from {} to {}", field.key, text,
       field.kind == FieldKind::integer ? "an integer" : "a number", field.low, field.high);
}

template <class Value>
double parse_number(const FieldInfo& field, std::string_view text) {
  Value value = 0;
  if (!read_number(text, value) || !is_in_range(field, static_cast<double>(value))) fail_range(field, text);
  return static_cast<double>(value);
}

double parse_flag(const FieldInfo& field, std::string_view text) {
  if (text == "true" || text == "1" || text == "on") return 1.0;
  if (text == "false" || text == "0" || text == "off") return 0.0;
  fail("option {}: '{}' is neither true nor false", field.key, text);
}

double parse_choice(const FieldInfo& field, std::string_view text) {
  int found = -1;
  for_each_choice(field.choices, [&](int index, std::string_view choice) {
    if (choice == text) found = index;
  });
  if (found < 0) fail("option {}: '{}' is none of {}", field.key, text, field.choices);
  return found;
}

double parse(const FieldInfo& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::real:
      return parse_number<double>(field, text);
    case FieldKind::integer:
      return parse_number<int>(field, text);
    case FieldKind::flag:
      return parse_flag(field, text);
    case FieldKind::choice:
      break;
  }
  return parse_choice(field, text);
}

std::string choice_name(std::string_view choices, int wanted) {
  std::string found;
  for_each_choice(choices, [&](int index, std::string_view choice) {
    if (index == wanted) found = choice;
  });
  return found;
}

OptionInfo describe(const FieldInfo& field, double value) {
  OptionInfo info{std::string(field.key), {}, {}, std::string(field.summary)};
  switch (field.kind) {
    case FieldKind::real:
      info.type = "real";
      info.default_value = fmt::format("{}", value);
      break;
    case FieldKind::integer:
      info.type = "integer";
      info.default_value = fmt::format("{}", static_cast<int>(value));
      break;
    case FieldKind::flag:
      info.type = "flag";
      info.default_value = value != 0.0 ? "true" : "false";
      break;
    case FieldKind::choice:
      info.type = field.choices;
      info.default_value = choice_name(field.choices, static_cast<int>(value));
      break;
  }
  return info;
}

}  // namespace

std::vector<OptionInfo> describe_options(std::span<const FieldInfo> fields, const void* defaults) {
  std::vector<OptionInfo> list;
  for (const FieldInfo& field : fields) list.push_back(describe(field, field.get(defaults)));
  return list;
}

void apply_options(std::span<const FieldInfo> fields, const Options& options, std::string_view method,
                   void* settings) {
  for (const FieldInfo& field : fields) {
    const double value = field.get(settings);
    const bool is_number = field.kind == FieldKind::real || field.kind == FieldKind::integer;
    if (is_number && !is_in_range(field, value)) fail_range(field, fmt::format("{}", value));
  }
  for (const auto& [key, text] : options) {
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&, &k = key](const FieldInfo& f) { return f.key == k; });
    if (field == fields.end()) {
      std::string list;
      for (const FieldInfo& f : fields) list += (list.empty() ? "" : ", ") + std::string(f.key);
      fail("{} has no option '{}'; it has: {}", method, key, list.empty() ? "none" : list);
    }
    field->set(settings, parse(*field, text));
  }
}

}  // namespace slipstick::internal
