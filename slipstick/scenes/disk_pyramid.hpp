// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Equal disks in the plane, over one time step from rest. Each rests on two disks of the layer below and
/// touches its neighbours. There are far more contacts than the balance of forces needs. A body has three
/// degrees of freedom: velocity and angular velocity. Layers are numbered from the floor up, disks from left
/// to right. The contacts of a disk are those with the floor, the disk to its left, and the disks below.
/// Normals point to the later body.
struct DiskPyramidOptions {
  int width = 10;   ///< disks on the floor
  int layers = 10;  ///< one disk fewer each; at most the width
  double friction = 0.5;
  double slope = 0.0;       ///< slope of the floor, radians
  double time_step = 0.01;  ///< s
};
GlobalContactProblem disk_pyramid(const DiskPyramidOptions& options);

}  // namespace slipstick::internal
