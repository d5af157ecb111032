// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/policy_list.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/nearest_name.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr std::string_view policy_words[] = {"next", "loosen", "convex", "halve", "keep", "stop"};

double loosen_factor(std::string_view item, std::size_t colon) {
  if (colon == item.npos) fail("--policy: 'loosen' has no factor, expected loosen:FACTOR as in loosen:10");
  const std::string_view text = item.substr(colon + 1);
  const double factor = parse_real("--policy loosen", text);
  if (!(factor >= 1.0 && std::isfinite(factor)))
    fail("--policy: loosen:{} has a factor of {}, expected a finite number of 1 or more", text, factor);
  return factor;
}

}  // namespace

PolicyList parse_policy(std::string_view text) {
  PolicyList list;
  list.usual.actions = {};
  list.deepest.actions = {};
  std::vector<std::string> seen;
  for (const std::string& item : split_list("--policy", text)) {
    const std::size_t colon = item.find(':');
    const std::string word = item.substr(0, colon);
    if (std::find(std::begin(policy_words), std::end(policy_words), word) == std::end(policy_words))
      fail("--policy: '{}' is not known{}", word, suggestion(word, policy_words));
    if (colon != item.npos && word != "loosen")
      fail("--policy: '{}' takes no number, but '{}' was given", word, item);
    if (std::find(seen.begin(), seen.end(), word) != seen.end()) fail("--policy: '{}' is given twice", word);
    if (!seen.empty() && (seen.back() == "keep" || seen.back() == "stop"))
      fail("--policy: '{}' comes after '{}', which is always the last", word, seen.back());
    seen.push_back(word);
    if (word == "loosen") list.usual.looser = list.deepest.looser = loosen_factor(item, colon);
    if (word == "halve") list.halves = true;
    if (word == "halve" || word == "stop") continue;
    const PolicyAction action = word == "next"     ? PolicyAction::next
                                : word == "loosen" ? PolicyAction::loosen
                                : word == "convex" ? PolicyAction::convex
                                                   : PolicyAction::keep;
    if (!list.halves) list.usual.actions.push_back(action);
    list.deepest.actions.push_back(action);
  }
  return list;
}

}  // namespace slipstick::internal::cli
