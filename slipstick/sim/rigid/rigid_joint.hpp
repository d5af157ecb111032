// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <span>

#include "slipstick/body_problem.hpp"
#include "slipstick/model/motion.hpp"
#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/rigid/accounts.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"

namespace slipstick::internal {

/// A spring and damper in a step: the compliance of a row, and the share of its error that the step removes
/// (Ho 2022, 2.20-2.27).
struct Softness {
  double compliance, share;
};
Softness softness(const Stiffness& soft, double time_step);

/// What a joint needs to know about a step.
struct JointStep {
  double time_step = 0.0;
  double correction = 0.0;  ///< share of an error that the velocities of the step remove
  bool curved = true;       ///< velocities are chords of the paths that the joint allows
};

/// A joint of the world. Rows are those of the first body against the second.
class RigidJoint {
 public:
  RigidJoint(const JointSpec& spec, std::span<const MovingBody> bodies, int number);

  const std::array<int, 2>& bodies() const { return spec_.bodies; }
  JointKind kind() const { return spec_.kind; }
  bool broken() const { return broken_; }
  double coordinate() const { return coordinate_; }
  void set_motor(double speed, double force);

  /// Adds the rows of the joint, of its stops, of its motor and of its friction. A stop may be reached
  /// exactly. It is listed if the joint can reach it in the step: errors are relative to the biases.
  void add_rows(std::span<const MovingBody> bodies, const JointStep& scope, BodyProblem& problem) const;
  /// Adds the rows that hold during an impact: those of the joint, and of stops that it has reached.
  void add_impact_rows(std::span<const MovingBody> bodies, BodyProblem& problem) const;
  /// The error is above this share of the joint's arms.
  bool needs_projection(std::span<const MovingBody> bodies, double share) const;
  /// Adds rows whose impulses remove the error of the joint and of its stops, times 1 / time_step.
  void add_projection(std::span<const MovingBody> bodies, double share, double time_step,
                      BodyProblem& problem) const;

  /// Reads the impulses of the step, and breaks the joint if they are too large. Call it before the bodies
  /// move.
  void take_impulses(std::span<const MovingBody> bodies, const BodyProblem& problem, const Vector& r,
                     double time_step);
  /// Adds the work of the impulses of a step, or of an impact.
  void add_to(Accounts& accounts, std::span<const MovingBody> bodies, const BodyProblem& problem,
              const Vector& r, bool impact = false) const;
  /// Updates the coordinate and the errors. Call it after the bodies have moved.
  void update(std::span<const MovingBody> bodies);
  const JointRecord& record() const { return record_; }

  /// The geometric stiffness of turns of a body (0: the first) under the force of the last step, symmetric.
  Eigen::Matrix3d stiffness(std::span<const MovingBody> bodies, int side) const;

  /// What the joint remembers, for files.
  struct Kept {
    double coordinate, speed, force_limit;
    Eigen::Vector3d force, torque;
    bool broken;
  };
  Kept kept() const;
  void restore(const Kept& kept);

 private:
  using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, 6, 6>;
  using Errors = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

  /// Calls visit(part, impulse on the first body, on the second) for the parts that have rows. The joint
  /// itself has the first `count`.
  template <class Visit>
  void visit_impulses(std::span<const MovingBody> bodies, const BodyProblem& problem, const Vector& r,
                      Index count, const Visit& visit) const;
  RowSpec stop(const std::array<Eigen::Matrix<double, 1, 6>, 2>& row, double sign, double bias) const;

  Pose pose(std::span<const MovingBody> bodies, int side) const;
  Index rows() const;
  Index rigid_rows() const;  // that do not give way; they come first
  Index lengths() const;     // rows whose errors are lengths; the others are angles
  Errors errors(const Pose& first, const Pose& second) const;
  std::array<Jacobian, 2> jacobians(const Pose& first, const Pose& second) const;
  Errors mobility(std::span<const MovingBody> bodies, const std::array<Jacobian, 2>& jacobians) const;
  Errors curvature(std::span<const MovingBody> bodies, const std::array<Jacobian, 2>& jacobians,
                   double time_step) const;
  bool has_coordinate() const { return spec_.kind == JointKind::hinge || spec_.kind == JointKind::slider; }
  double measured_coordinate(const Pose& first, const Pose& second) const;
  std::array<Eigen::Matrix<double, 1, 6>, 2> coordinate_row(const Pose& first, const Pose& second) const;
  void add_coordinate_rows(std::span<const MovingBody> bodies, const JointStep& scope,
                           BodyProblem& problem) const;

  JointSpec spec_;
  int number_ = 0;
  std::array<Eigen::Vector3d, 2> anchors_;  // from the centre of mass, in the axes of each body
  std::array<Eigen::Vector3d, 2> axes_;     // of each body
  std::array<Eigen::Vector3d, 2> across_;   // perpendicular to the axis, in the axes of the second body
  Eigen::Quaterniond reference_ = Eigen::Quaterniond::Identity();  // of the first against the second
  double start_ = 0.0;  // the distance, or the cosine of the axes of a universal joint
  double coordinate_ = 0.0;
  bool broken_ = false;
  JointRecord record_;
};

}  // namespace slipstick::internal
