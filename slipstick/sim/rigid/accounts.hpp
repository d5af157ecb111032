// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "slipstick/model/motion.hpp"
#include "slipstick/run.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"
#include "slipstick/sim/rigid/step_contact.hpp"

namespace slipstick::internal {

/// An impulse on a body, and its moment about the centre of mass.
using Wrench = Eigen::Matrix<double, 6, 1>;

/// Who changed the energy and the momentum of the bodies during a step.
///
/// An impulse changes the kinetic energy by its product with the mean of the velocities before and after, so
/// the sum over all impulses is the change. Work between two bodies is that of their relative velocity. If
/// one of them is immovable, the rest is the work of what moves it.
class Accounts {
 public:
  void begin(std::span<const MovingBody> bodies, const Eigen::Vector3d& gravity);

  /// The velocities around the impulses that come next. Those of `after` are filled later.
  std::vector<Twist> before, after;

  /// Adds the work of a pair of impulses to a cause, for instance energy.joints.
  void add_work(std::span<const MovingBody> bodies, const std::array<int, 2>& pair, const Wrench& on_first,
                const Wrench& on_second, double& cause);
  /// Adds the work of a contact impulse, in world axes.
  void add_contact(std::span<const MovingBody> bodies, const StepContact& contact,
                   const Eigen::Vector3d& impulse);
  void add_stiffness(int body, const Eigen::Vector3d& moment);
  /// An impulse and its moment on a body, from outside.
  void add_push(int body, const Eigen::Vector3d& impulse, const Eigen::Vector3d& moment);
  /// An impulse from outside whose work is a change of potential energy, for instance of gravity.
  void add_outside(const MovingBody& body, const Eigen::Vector3d& impulse);
  /// Between these two calls, positions are corrected.
  void begin_correction(std::span<const MovingBody> bodies, const Eigen::Vector3d& gravity);
  void end_correction(std::span<const MovingBody> bodies, const Eigen::Vector3d& gravity);

  /// Of the correction: the change of the angular momentum.
  double angular_defect() const { return angular_defect_; }

  /// Compares the end of the step with its begin.
  void end(std::span<const MovingBody> bodies, const Eigen::Vector3d& gravity, StepRecord& record);

  EnergyRecord energy;

 private:
  void from_outside(const Eigen::Vector3d& impulse);

  Eigen::Vector3d momentum_ = Eigen::Vector3d::Zero(), outside_ = Eigen::Vector3d::Zero();
  double kinetic_ = 0.0, potential_ = 0.0, corrected_ = 0.0;
  double momentum_scale_ = 0.0;
  Eigen::Vector3d angular_ = Eigen::Vector3d::Zero();
  double angular_defect_ = 0.0;
};

}  // namespace slipstick::internal
