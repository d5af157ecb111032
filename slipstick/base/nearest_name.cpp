// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace slipstick::internal {
namespace {

// The fewest letters that are changed, added or left out (Levenshtein).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t fewest = word.size() + 1;
  if (word.size() > 200) return nearest;
  for (const std::string_view name : names) {
    const std::size_t count = edits(word, name);
    if (count < fewest && 2 * count <= name.size()) {
      fewest = count;
      nearest = name;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(word, names);
  if (!nearest.empty()) return fmt::format(", did you mean '{}'?", nearest);
  constexpr std::size_t most = 30;
  return fmt::format(", expected one of {}{}", fmt::join(names.first(std::min(most, names.size())), ", "),
                     names.size() > most ? ", ..." : "");
}

}  // namespace slipstick::internal
