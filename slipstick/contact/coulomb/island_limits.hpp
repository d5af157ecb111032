// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/solve/monitor.hpp"

namespace slipstick::internal {

/// Lets the limits of an island end a solve inside a method.
class IslandLimits : public Observer {
 public:
  explicit IslandLimits(Monitor& monitor) : monitor_(monitor) {}
  bool observe(const Iteration& iteration) override { return !monitor_.interrupted(infinity, iteration.x); }

 private:
  Monitor& monitor_;
};

}  // namespace slipstick::internal
