// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "slipstick/export.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

struct MassProperties {
  double mass = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre
};

/// Those of a shape in its own axes. Planes, meshes and height fields have no volume: all is 0.
MassProperties mass_properties(const ShapeGeometry& geometry, double density);

/// Turned and moved to another place.
MassProperties placed(const MassProperties& part, const Eigen::Vector3d& position,
                      const Eigen::Quaterniond& orientation);

/// Both as one body (parallel axes).
MassProperties joined(const MassProperties& a, const MassProperties& b);

/// Those of a body in its own axes: of its shapes, then what BodySpec gives instead. A mass that is given
/// scales the inertia of the shapes. A centre that is given does not change it. All is 0 unless the body is
/// movable.
SLIPSTICK_EXPORT MassProperties mass_properties(const Scene& scene, int body);

struct PrincipalAxes {
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
  Eigen::Quaterniond axes =
      Eigen::Quaterniond::Identity();  ///< from the principal axes to those of the tensor
};

/// The tensor is axes diag(moments) axes'. A diagonal tensor keeps its axes. Other moments ascend.
PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia);

}  // namespace slipstick::internal
