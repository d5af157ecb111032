// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slipstick::internal::cli {

/// The page of apps/viewer around the data of a run.
class PageText {
 public:
  /// `title` is shown by the browser. Throws Error if this program was built without the page.
  explicit PageText(std::string_view title);

  const std::string& before() const { return before_; }  ///< what stands before the blocks
  std::string_view after() const { return after_; }

 private:
  std::string before_;
  std::string_view after_;
};

}  // namespace slipstick::internal::cli
