// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

inline constexpr double standard_gravity = 9.81;  // m/s^2

/// A contact of body `first` with body `second`, or with the ground (-1).
struct RigidContact {
  int first;
  int second;
  Eigen::Vector3d normal;     ///< from the second to the first
  Eigen::Vector3d first_arm;  ///< from the centre of the body to the contact
  Eigen::Vector3d second_arm;
};

/// Returns (N, T1, T2), right-handed. T1 is level unless N is nearly vertical.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& normal);

/// Rigid bodies and their contacts as a contact problem in global form. A body has six degrees of freedom:
/// velocity and angular velocity in world axes about its centre.
class RigidBodies {
 public:
  static constexpr int dofs = 6;

  /// Adds a body at rest. Returns its number.
  int add(double mass, const Eigen::Matrix3d& inertia);
  void push(int body, const Eigen::Vector3d& impulse);
  /// Adds the impulse that gives a body at rest this velocity.
  void move(int body, const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin);
  int count() const { return static_cast<int>(masses_.size()); }
  double mass(int body) const { return masses_[static_cast<std::size_t>(body)]; }

  /// f is the sum of the impulses, and w = 0. `what` names the family in error messages.
  GlobalContactProblem problem(const std::vector<RigidContact>& contacts, double friction,
                               const char* what) const;

 private:
  std::vector<double> masses_;
  std::vector<Eigen::Matrix3d> inertias_;
  std::vector<Eigen::Vector3d> impulses_, moments_;
};

}  // namespace slipstick::internal
