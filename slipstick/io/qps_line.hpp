// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "slipstick/io/text_scanner.hpp"

// The lines of QPS files.
namespace slipstick::internal {

enum class QpsSection { none, rows, columns, rhs, ranges, bounds, quadobj, qmatrix, qsection, objsense, end };
using QpsNames = std::unordered_map<std::string_view, int>;  ///< numbers of rows or columns

/// The fields of a data line: code, a name (of a set, row or column), then names with their numbers.
struct QpsFields {
  std::string_view code;
  std::string_view name;
  struct Pair {
    std::string_view name;
    std::string_view number;
  };
  std::array<Pair, 2> pairs;
};

/// Without the space around it.
std::string_view trimmed(std::string_view text);
/// Keywords may have small letters.
bool is_keyword(std::string_view text, std::string_view keyword);
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> keywords);

/// The fields of a line of a section, with spaces between them. A name of `columns` tells whether the set of
/// a bound is missing. Throws Error with the line of the scanner.
QpsFields split_by_spaces(std::string_view line, QpsSection section, const QpsNames& columns,
                          const TextScanner& scanner);
/// The same in fixed columns: 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, counted from 1, and nothing between
/// them.
QpsFields split_by_columns(std::string_view line, const TextScanner& scanner);

}  // namespace slipstick::internal
