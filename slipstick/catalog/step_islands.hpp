// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "slipstick/base/timer.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// The islands of a step: finds them in the graph of the bodies, judges the answer of each by itself, and
/// follows the policy for those that miss the tolerance. Keeps its storage.
class StepIslands {
 public:
  explicit StepIslands(const SolveRequest& request) : request_(request) {}

  /// Lists the islands of `bodies` in the result, and judges them. `problem` is their contact form, and
  /// `ruler` is its ruler.
  /// `solver` has solved the contact form, or is null if it does not know islands.
  void report(const BodyProblem& bodies, const LocalContactProblem& problem, const ContactRuler& ruler,
              const ContactSolver* solver, DriverResult& result);
  /// Follows the policy for islands that are not solved, or at rest. Returns true if r has changed. `seconds`
  /// have passed since the start of the step. `warm`: it has a start, so other steps follow it.
  bool follow_policy(const BodyProblem& bodies, const LocalContactProblem& problem, double seconds, bool warm,
                     Observer* observer, DriverResult& result);
  /// Judges the islands again, and sets their status.
  void judge(const BodyProblem& bodies, const LocalContactProblem& problem, const ContactRuler& ruler,
             DriverResult& result);

 private:
  // The error of an island, its q, the terms of that, and the slip of what presses, in squares with the
  // weights of the ruler.
  struct Load {
    double error = 0.0, load = 0.0, floor = 0.0, motion = 0.0;
  };
  // The largest speed of its bodies, and the largest part of one that impulses change in the step.
  struct Speed {
    double speed = 0.0, change = 0.0;
  };
  void find(const DelassusOperator& graph, DriverResult& result);
  void set_island(const LocalContactProblem& whole, const DelassusOperator& graph, int island,
                  const DriverResult& result);
  bool contradicts(const BodyProblem& bodies, DriverResult& result);
  bool creeps(int island, const DriverResult& result) const;
  bool is_near_rest(const BodyProblem& bodies, int island, const DriverResult& result);
  void find_speeds(const BodyProblem& bodies, const DriverResult& result);
  void settle(int island, Observer* observer, DriverResult& result);
  void remedy(int island, Observer* observer, DriverResult& result);
  bool solve_under(FrictionLaw law, double tolerance, Observer* observer, IslandReport& report);
  double spread(const IslandReport& island) const;
  Driver& driver(FrictionLaw law);

  const SolveRequest& request_;
  std::vector<Load> loads_;
  bool weighted_ = false;                      // by the ruler of the whole
  std::vector<Speed> speeds_;                  // of the islands; empty: not yet known for this step
  Vector velocities_, changes_, no_impulses_;  // of the bodies, the second by impulses
  double seconds_ = 0.0;                       // of the step, before timer_ was set
  Timer timer_;
  // The island that is solved by itself.
  std::vector<int> rows_;
  AnyProblem part_;
  StoragePool<DelassusOperator> parts_;
  DelassusOperator::SubmatrixScratch scratch_;
  WarmStart start_;
  DriverResult answer_;
  std::unique_ptr<Driver> driver_, convex_driver_;
};

}  // namespace slipstick::internal
