// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal::cli {

/// A sentence about bodies that penetrate each other deeply at the start, with their names. Empty if there
/// are none. `first` is the first step.
std::string describe_start_penetration(const Scene& scene, const Frame& first);

}  // namespace slipstick::internal::cli
