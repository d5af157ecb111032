// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Equal disks in the plane, each resting on two of the layer below and touching its neighbours, over one
/// time step from rest: far more contacts than the balance of forces asks for. A body has three degrees of
/// freedom, velocity and angular velocity; layers come from the floor up, disks from left to right, and for
/// each its contacts with the floor, the disk to its left, and those below. Normals point at the later body.
struct DiskPyramidOptions {
  int width = 10;   ///< disks on the floor
  int layers = 10;  ///< one disk fewer each; at most the width
  double friction = 0.5;
  double slope = 0.0;       ///< of the floor, radians
  double time_step = 0.01;  ///< s
};
GlobalContactProblem disk_pyramid(const DiskPyramidOptions& options);

}  // namespace slipstick::internal
