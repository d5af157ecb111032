// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/body_problem.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"
#include "slipstick/sim/rigid/body.hpp"
#include "slipstick/sim/rigid/detection.hpp"
#include "slipstick/sim/rigid/joint.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick::internal {

struct RigidSettings {
  Eigen::Vector3d gravity = {0.0, 0.0, -standard_gravity};
  double mu = 0.5;  ///< friction coefficient of material 0
  /// Share of a penetration, or of a joint's error, that a step removes; 0 to 1. More adds energy.
  double correction = 0.2;
  /// Largest speed at which a penetration is removed, > 0. Bodies would jump out of a deep one.
  double correction_speed = 0.5;
  /// Contacts with a gap of this share of the bodies' radii, and stops within this angle, are listed even if
  /// they cannot close, >= 0.
  double margin = 0.02;
};

/// What happened in a step.
struct StepReport {
  Status status = Status::not_run;  ///< of the solver
  Index contacts = 0;
  Index rows = 0;            ///< of contacts, joints, limits and motors
  double penetration = 0.0;  ///< the largest at the start of the step
  double joint_error = 0.0;  ///< the largest distance of two anchors after the step
  double energy = 0.0;       ///< kinetic and potential, after the step
};

/// Rigid bodies in space with contacts and joints, stepped by semi-implicit Euler at velocity level
/// (Stewart and Trinkle 1996). The solver finds impulses r so that r and u obey the law:
///     M (v' - v) = h f + J' r,  u = J v' + bias.
/// The positions then move with v' for a step h. The bias of a contact is gap / h, so that it closes
/// exactly and does not bounce. A penetration and the error of a joint are removed step by step.
///
/// Bodies, contacts and joints are numbered from 0 in the order in which they were added. Bad data throw
/// Error, which names the body or joint, and change nothing. Once the contacts have settled, a step allocates
/// nothing.
class RigidSimulator {
 public:
  explicit RigidSimulator(const RigidSettings& settings = {});

  int add(const Body& body);
  int add(const GivenContact& contact);
  /// Bodies that a joint connects do not touch each other.
  int add(const BallJoint& joint);
  int add(const Hinge& hinge);

  /// Adds a material with this friction coefficient on itself. With another one it has the geometric mean of
  /// both.
  int add_material(double mu);
  /// Sets the friction coefficient of two materials.
  void set_friction(int first, int second, double mu);
  double friction(int first, int second) const;
  int materials() const { return static_cast<int>(friction_.rows()); }

  std::span<const Body> bodies() const { return bodies_; }
  const Body& body(int number) const;
  std::span<const Joint> joints() const { return joints_; }
  const Joint& joint(int number) const;
  const RigidSettings& settings() const { return settings_; }
  double time() const { return time_; }

  /// Sets velocity and spin, for instance those of an immovable body for the next step.
  void set_velocity(int body, const Eigen::Vector3d& velocity,
                    const Eigen::Vector3d& spin = Eigen::Vector3d::Zero());
  void set_motor(int joint, const Motor& motor);

  /// One step: prepare(), then advance().
  const StepReport& step(double time_step, StepSolver& solver);

  /// Fills problem() and start() for a step from the present state.
  void prepare(double time_step);
  /// Solves the problem of prepare() and moves the bodies. An answer that did not converge is used. If it has
  /// no finite numbers, or an island was refused, the state does not change, and the report has the status.
  /// What was added or set since prepare() needs another prepare().
  const StepReport& advance(StepSolver& solver);

  /// Those of the last step, or of the one that is prepared.
  const BodyProblem& problem() const { return problem_; }
  const WarmStart& start() const { return start_; }
  std::span<const Touch> touches() const { return touches_; }
  const DriverResult& result() const { return result_; }
  const StepReport& report() const { return report_; }
  /// The impulse of a key (see keys.hpp) in the last step, a row per entry. Empty if it has none, and between
  /// prepare() and advance().
  ConstVectorView impulse(std::uint64_t key) const;

 private:
  void check_material(int number) const;
  int keep(Joint joint);
  void add_contact(const Touch& touch, double time_step);
  void recall(double time_step);
  void move(double time_step);

  RigidSettings settings_;
  std::vector<Body> bodies_;
  std::vector<GivenContact> given_;
  std::vector<Joint> joints_;
  std::vector<std::uint64_t> jointed_;  // pairs of bodies, sorted
  Eigen::MatrixXd friction_;            // of pairs of materials
  double time_ = 0.0;

  Detection detection_;
  std::vector<Touch> touches_;
  BodyProblem problem_;
  ContactMemory memory_;
  double memory_step_ = 0.0;  // the time step of what is kept
  double next_step_ = 0.0;    // 0: problem_ is not that of the present state
  bool has_answer_ = false;   // result_ is that of problem_
  WarmStart start_;
  DriverResult result_;
  StepReport report_;
};

}  // namespace slipstick::internal
