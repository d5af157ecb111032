// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "slipstick/settings.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick::internal {

/// The options of a request, sorted by the method they are for. KEY is for the method that the request names.
/// NAME.KEY is for the method NAME that works inside or around it, for instance `bpp.regularization`.
class MethodOptions {
 public:
  /// `typed` is the settings struct of the named method. Fails if a key was renamed.
  MethodOptions(std::string_view named, const Options& options, AnySettings typed = {});

  bool empty() const { return by_method_.empty() && !typed_.has_value(); }
  /// The text options of a method.
  const Options& text(std::string_view method) const;
  /// The settings struct of a method; empty unless it is the named one.
  const AnySettings& typed(std::string_view method) const;
  template <class MethodSettings>
  MethodSettings read(std::string_view method) const {
    return read_options<MethodSettings>(text(method), method, typed(method));
  }
  /// Fails if there are options for any other method.
  void check_methods(std::initializer_list<std::string_view> methods) const;

 private:
  std::string named_;
  std::map<std::string, Options, std::less<>> by_method_;
  AnySettings typed_;
};

}  // namespace slipstick::internal
