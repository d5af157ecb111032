// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/options.hpp"

#include <charconv>
#include <cmath>

namespace slipstick {
namespace {

// The whole text as a number; false where it is none.
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

}  // namespace

double parse_real(std::string_view key, std::string_view text, double low, double high) {
  double value = 0.0;
  if (!read_number(text, value) || std::isnan(value) || value < low || value > high) {
    fail("option {}: '{}' is not a number from {} to {}", key, text, low, high);
  }
  return value;
}

int parse_integer(std::string_view key, std::string_view text, double low, double high) {
  int value = 0;
  if (!read_number(text, value) || value < low || value > high) {
    fail("option {}: '{}' is not an integer from {} to {}", key, text, low, high);
  }
  return value;
}

bool parse_flag(std::string_view key, std::string_view text) {
  if (text == "true" || text == "1" || text == "on") return true;
  if (text == "false" || text == "0" || text == "off") return false;
  fail("option {}: '{}' is neither true nor false", key, text);
}

int parse_choice(std::string_view key, std::string_view text, std::string_view choices) {
  int found = -1;
  for_each_choice(choices, [&](int index, std::string_view choice) {
    if (choice == text) found = index;
  });
  if (found < 0) fail("option {}: '{}' is none of {}", key, text, choices);
  return found;
}

std::string choice_name(std::string_view choices, int wanted) {
  std::string found;
  for_each_choice(choices, [&](int index, std::string_view choice) {
    if (index == wanted) found = choice;
  });
  return found;
}

void fail_unknown_option(std::string_view key, std::string_view method,
                         const std::vector<OptionInfo>& known) {
  std::string list;
  for (const OptionInfo& option : known) list += (list.empty() ? "" : ", ") + option.key;
  fail("{} has no option '{}'; it has: {}", method, key, list.empty() ? "none" : list);
}

}  // namespace slipstick
