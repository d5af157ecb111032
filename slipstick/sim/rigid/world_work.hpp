// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <iosfwd>
#include <span>
#include <vector>

#include "slipstick/base/timer.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/sim/collision/collision.hpp"
#include "slipstick/sim/rigid/accounts.hpp"
#include "slipstick/sim/rigid/impacts.hpp"
#include "slipstick/sim/rigid/material_table.hpp"
#include "slipstick/sim/rigid/moving_body.hpp"
#include "slipstick/sim/rigid/projection.hpp"
#include "slipstick/sim/rigid/rigid_joint.hpp"
#include "slipstick/sim/rigid/sleep.hpp"
#include "slipstick/sim/rigid/step_contact.hpp"
#include "slipstick/world.hpp"

namespace slipstick {

/// What a World consists of. A step reads: motions, contacts, impacts, problem; then solve, move, project.
class World::Work {
 public:
  Work(const Scene& scene, std::shared_ptr<PairFinder> pairs);

  const Scene& scene() const { return scene_; }
  double time() const { return time_; }
  std::int64_t steps() const { return steps_; }
  BodyState body(int number) const;
  void set_body(int number, const BodyState& state);
  void push(int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);
  void set_motor(int joint, double speed, double force);

  void prepare(double time_step, StepSolver& solver);
  const StepRecord& advance(StepSolver& solver);
  const BodyProblem& problem() const { return problem_; }
  const WarmStart& start() const { return start_; }
  const DriverResult& result() const { return result_; }
  const StepRecord& record() const { return record_; }
  void fill(Frame& frame) const;

  void save(std::ostream& to) const;
  void restore(std::istream& from);

 private:
  /// How far a contact that sticks has slipped, by the tolerance of the solver.
  struct Creep {
    std::uint64_t key;
    Eigen::Vector3d slip;
  };
  struct Push {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  };

  void check_body(int number) const;
  void set_motions(double time_step);
  void find_contacts(double time_step, std::vector<internal::StepContact>& contacts);
  struct Depth {
    double length = 0.0, share = 0.0;  // m, and of the smaller extent of both bodies
  };
  static Depth deepest(std::span<const internal::StepContact> contacts);
  bool moves_far(double time_step) const;
  bool sleeps(const std::array<int, 2>& pair) const;
  void wake_touched(double time_step);
  void send_to_sleep(double time_step);
  void sum_stiffness();
  void add_contact_stiffness();
  void fill_problem(double time_step);
  void list_rows();
  void add_contact(const internal::StepContact& contact, const Eigen::Vector3d& slip, double time_step);
  void recall(double time_step);
  bool is_usable() const;
  void certify();
  void account(double time_step);
  void find_ballistic(double time_step);
  double lever(int body) const;
  void stop_at_rest(double time_step);
  void move(double time_step);
  void correct(double time_step, StepSolver& solver);
  void keep_creep(double time_step);
  Eigen::Vector3d impulse_of(std::size_t contact) const;

  Scene scene_;
  std::vector<internal::MovingBody> bodies_;
  std::vector<internal::RigidJoint> joints_;
  internal::MaterialTable materials_;
  internal::Collision collision_;
  double time_ = 0.0;
  std::int64_t steps_ = 0;
  std::vector<Push> pushes_;

  std::vector<BodyState> states_;  // of bodies, with the velocities of their origins
  std::vector<internal::TouchPoint> touches_;
  std::vector<internal::StepContact> contacts_;
  std::vector<double> start_gaps_;                // of contacts
  std::vector<internal::StepContact> corrected_;  // after a step with large turns
  std::vector<Eigen::Matrix3d> stiffness_;        // of bodies
  std::vector<std::uint64_t> contact_keys_;       // scratch
  WarmStart contact_impulses_;                    // scratch
  std::vector<char> ballistic_;                   // bodies that nothing touches in this step
  internal::Sleep sleep_;
  std::vector<int> island_of_;  // of bodies, -1: no rows
  std::vector<char> resting_;   // islands
  internal::Impacts impacts_;
  internal::Impacts::Report impact_report_;
  std::vector<internal::MovingBody> before_impacts_;  // empty: there were none
  internal::Projection projection_;
  internal::Accounts accounts_;

  BodyProblem problem_;
  std::vector<int> rows_;  // the first ones of contacts in it, -1: none
  ContactMemory memory_;
  std::vector<Creep> creep_;  // by key
  double memory_step_ = 0.0;  // the time step of what is kept
  double next_step_ = 0.0;    // 0: problem_ is not that of the present state
  WarmStart start_;
  DriverResult result_;
  StepRecord record_;
  internal::Timer timer_;
};

}  // namespace slipstick
