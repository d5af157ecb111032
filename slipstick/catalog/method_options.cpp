// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/method_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/renamed.hpp"

namespace slipstick::internal {

MethodOptions::MethodOptions(std::string_view named, const Options& options, AnySettings typed)
    : named_(named), typed_(std::move(typed)) {
  for (const auto& [key, text] : options) {
    const std::size_t dot = key.find('.');
    const std::string method = dot == std::string::npos ? named_ : key.substr(0, dot);
    const std::string own_key = dot == std::string::npos ? key : key.substr(dot + 1);
    check_renamed(WordKind::option, fmt::format("{}.{}", method, own_key));
    if (!by_method_[method].emplace(own_key, text).second)
      fail("option {} of {} is given twice", own_key, method);
  }
}

const Options& MethodOptions::text(std::string_view method) const {
  static const Options none;
  const auto found = by_method_.find(method);
  return found == by_method_.end() ? none : found->second;
}

const AnySettings& MethodOptions::typed(std::string_view method) const {
  static const AnySettings none;
  return method == named_ ? typed_ : none;
}

void MethodOptions::check_methods(std::initializer_list<std::string_view> methods) const {
  for (const auto& [method, options] : by_method_) {
    if (std::find(methods.begin(), methods.end(), method) != methods.end()) continue;
    std::string list;
    for (const std::string_view known : methods) {
      if (!known.empty()) list += (list.empty() ? "" : ", ") + std::string(known);
    }
    fail("option {}.{}: {} has no part in this solve; there are: {}", method, options.begin()->first, method,
         list);
  }
}

}  // namespace slipstick::internal
