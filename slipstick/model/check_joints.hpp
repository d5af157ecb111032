// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/model/place.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Each throws Error unless the joint or cable is valid.
void check_joint(const Place& place, const Scene& scene, const JointSpec& joint);
void check_cable(const Place& place, const Scene& scene, const CableSpec& cable);

}  // namespace slipstick::internal
