// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/renamed.hpp"

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

struct RenamedWord {
  WordKind kind;
  std::string_view old_word;
  std::string_view new_word;
};
constexpr RenamedWord renamed_words[] = {
    {WordKind::solver, "desaxce", "desaxce-fixed-point"},
    {WordKind::solver, "box", "box-sequence"},
    {WordKind::solver, "tableau", "lemke"},
    {WordKind::friction, "staggered", "--solver staggered"},
    {WordKind::argument, "--condense", "--assemble-w"},
    {WordKind::option, "dense-bpp.patience", "stall_limit"},
    {WordKind::option, "bpp.patience", "stall_limit"},
    {WordKind::option, "bpp-pcg.patience", "stall_limit"},
    {WordKind::option, "nsn.patience", "stall_limit"},
    {WordKind::option, "prox.patience", "stall_limit"},
};

}  // namespace

void check_renamed(WordKind kind, std::string_view word) {
  for (const RenamedWord& row : renamed_words) {
    if (row.kind == kind && row.old_word == word)
      fail("'{}' was renamed: write {}", row.old_word, row.new_word);
  }
}

}  // namespace slipstick::internal
