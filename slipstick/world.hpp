// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>

#include "slipstick/body_problem.hpp"
#include "slipstick/pair_finder.hpp"
#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick {

/// Rigid bodies with contacts and joints that move in time:
///
///     World world(scene);
///     Driver driver({.settings = {.tolerance = scene.tolerance}, .friction = scene.law});
///     while (world.time() < scene.duration) world.step(driver);
///
/// A step finds impulses r and velocities v' with
///     M (v' - v) = h f + J' r,  u = J v' + bias,  r and u obey the law,
/// and moves the bodies with v'. The bias of a contact is gap / h, so that it closes exactly (Heyn 2012,
/// 4-9). Then positions are projected. Stepping has the other choices.
///
/// The same scene, calls and solver give the same bits. Bodies, joints and materials have the numbers of the
/// scene; the parts of cables come behind them. Bad data throw Error and change nothing.
class SLIPSTICK_EXPORT World {
 public:
  /// Checks the scene, and throws Error that names the place of what is wrong. `pairs` finds the shapes that
  /// are near each other, instead of the world itself. The steps do not depend on it.
  explicit World(const Scene& scene, std::shared_ptr<PairFinder> pairs = nullptr);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// The scene with cables as bodies and joints.
  const Scene& scene() const;
  double time() const;
  std::int64_t steps() const;  ///< that are done

  int bodies() const;
  int joints() const;
  BodyState body(int number) const;
  /// -1: no body has this name.
  int find_body(std::string_view name) const;
  void set_body(int number, const BodyState& state);
  /// Acts during the next step, at the centre of mass.
  void push(int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque = Eigen::Vector3d::Zero());
  void set_motor(int joint, double speed, double force);

  /// One step of scene().step, or of another length. An answer that did not converge is used and flagged. If
  /// it has no finite numbers, or an island was refused, the state does not change: the record is flagged,
  /// and time() stays.
  const StepRecord& step(StepSolver& solver);
  const StepRecord& step(double time_step, StepSolver& solver);

  /// The two halves of a step: fills problem() and start(), then has it solved and moves the bodies.
  void prepare(double time_step, StepSolver& solver);
  const StepRecord& advance(StepSolver& solver);
  const BodyProblem& problem() const;
  const WarmStart& start() const;
  const DriverResult& result() const;  ///< of the last step

  const StepRecord& record() const;
  /// Everything about the last step.
  void fill(Frame& frame) const;

  /// Writes the state in the byte order of the machine. A world of the same scene that reads it goes on with
  /// the same bits.
  void save(std::ostream& to) const;
  /// Reads what save() wrote. Throws Error if it is something else, and then changes nothing.
  void restore(std::istream& from);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace slipstick
