// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/qps_line.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace slipstick::internal {
namespace {

// Kind, set, column, value; the set may be missing, and so may the value of some kinds.
QpsFields bound_fields(std::span<const std::string_view> tokens, const QpsNames& columns,
                       const TextScanner& scanner) {
  const std::size_t count = tokens.size();
  if (count < 2 || count > 4) scanner.fail("expected kind, set, column and value, found {} fields", count);
  const std::string_view kind = tokens[0];
  const bool without_value = is_one_of(kind, {"FR", "MI", "PL", "BV"});
  if (count == 4) return {.code = kind, .name = tokens[1], .pairs = {{{tokens[2], tokens[3]}, {}}}};
  if (count == 2) return {.code = kind, .name = {}, .pairs = {{{tokens[1], {}}, {}}}};
  if (without_value && columns.contains(tokens[2]))
    return {.code = kind, .name = tokens[1], .pairs = {{{tokens[2], {}}, {}}}};
  return {.code = kind, .name = {}, .pairs = {{{tokens[1], tokens[2]}, {}}}};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

bool is_keyword(std::string_view text, std::string_view keyword) {
  return std::equal(text.begin(), text.end(), keyword.begin(), keyword.end(), [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> keywords) {
  return std::any_of(keywords.begin(), keywords.end(),
                     [&](std::string_view keyword) { return is_keyword(text, keyword); });
}

QpsFields split_by_spaces(std::string_view line, QpsSection section, const QpsNames& columns,
                          const TextScanner& scanner) {
  std::array<std::string_view, 6> tokens;
  std::size_t count = 0;
  for (std::string_view rest = trimmed(line); !rest.empty(); ++count) {
    if (count == tokens.size()) scanner.fail("more than {} fields", tokens.size());
    tokens[count] = rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
    rest = trimmed(rest.substr(tokens[count].size()));
  }
  if (section == QpsSection::bounds) return bound_fields({tokens.data(), count}, columns, scanner);
  if (section == QpsSection::rows) {
    if (count != 2) scanner.fail("expected a type and a name, found {} fields", count);
    return {.code = tokens[0], .name = tokens[1], .pairs = {}};
  }
  // The name of the set may be missing in RHS and RANGES.
  const bool may_miss = section == QpsSection::rhs || section == QpsSection::ranges;
  const bool named = !(may_miss && count % 2 == 0);
  const std::size_t first = named ? 1 : 0;
  if (count != first + 2 && count != first + 4)
    scanner.fail("expected a name, then one or two names with a number each, found {} fields", count);
  QpsFields fields;
  if (named) fields.name = tokens[0];
  fields.pairs[0] = {tokens[first], tokens[first + 1]};
  if (count == first + 4) fields.pairs[1] = {tokens[first + 2], tokens[first + 3]};
  return fields;
}

QpsFields split_by_columns(std::string_view line, const TextScanner& scanner) {
  constexpr std::pair<std::size_t, std::size_t> places[] = {{2, 3},   {5, 12},  {15, 22},
                                                            {25, 36}, {40, 47}, {50, 61}};
  if (line.find('\t') != line.npos) scanner.fail("a tab in a file of fixed columns");
  std::array<std::string_view, std::size(places)> field;
  std::size_t end = 0;  // end of the columns that were read
  const auto expect_blank = [&](std::size_t to) {
    if (end < line.size() && !trimmed(line.substr(end, to - end)).empty())
      scanner.fail("a field outside of its columns");
  };
  for (std::size_t k = 0; k < field.size(); ++k) {
    const auto [first, last] = places[k];
    expect_blank(first - 1);
    if (first <= line.size()) field[k] = trimmed(line.substr(first - 1, last - first + 1));
    end = last;
  }
  expect_blank(std::max(end, line.size()));
  return {.code = field[0], .name = field[1], .pairs = {{{field[2], field[3]}, {field[4], field[5]}}}};
}

}  // namespace slipstick::internal
