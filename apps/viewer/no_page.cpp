// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/viewer_page.hpp"

namespace slipstick::internal::cli {

std::string_view viewer_page() {
  return {};
}

}  // namespace slipstick::internal::cli
