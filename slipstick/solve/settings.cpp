// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/settings.hpp"

#include "slipstick/base/error.hpp"

namespace slipstick::internal {

void check_settings(const Settings& settings) {
  if (!(settings.tolerance >= 0.0)) fail("the tolerance must be at least 0, not {}", settings.tolerance);
  if (settings.max_iterations < 0)
    fail("the iteration limit must be at least 0, not {}", settings.max_iterations);
  if (!(settings.time_limit >= 0.0)) fail("the time limit must be at least 0 s, not {}", settings.time_limit);
  if (settings.threads < 1) fail("the number of threads must be at least 1, not {}", settings.threads);
  if (settings.device < -1) fail("the device must be at least 0, or -1 for none, not {}", settings.device);
}

}  // namespace slipstick::internal
