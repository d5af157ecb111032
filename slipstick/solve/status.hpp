// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace slipstick {

enum class Status {
  not_run,
  solved,  ///< the measure asked for is below the tolerance on the original problem
  iteration_limit,
  time_limit,
  stalled,      ///< the method makes no more progress (rounding, cycling, a singular system)
  infeasible,   ///< the method has proved that no solution exists
  unbounded,    ///< the objective falls without end
  unsupported,  ///< the method cannot take this problem; the message says why
  cancelled,
  numerical_error,  ///< a NaN or an overflow
};

constexpr std::string_view name(Status status) {
  constexpr std::string_view names[] = {"not_run",   "solved",         "iteration_limit", "time_limit",
                                        "stalled",   "infeasible",     "unbounded",       "unsupported",
                                        "cancelled", "numerical_error"};
  return names[static_cast<int>(status)];
}

}  // namespace slipstick
