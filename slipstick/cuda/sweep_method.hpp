// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/cuda/sweep_engine.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// The common base of NsgsCuda and NsgsFastCuda: sweeps of a SweepEngine under Coulomb's law. All islands are
/// swept together. A problem whose contacts need more than 64 colours is refused: a body with so many
/// contacts. Returns the best tested r.
class SweepMethod : public ContactSolver {
 public:
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  std::string explain_unsupported(const LocalContactProblem& problem) const override;

 protected:
  SweepMethod(const char* name, SweepKind kind) : name_(name), kind_(kind) {}
  void run(const Run& run) override;

  /// Sweeps until the monitor ends it. `state` is that of the start, which is tested. Returns the last state.
  virtual SweepState sweep(const Run& run, Monitor& monitor, SweepState state) = 0;
  /// What steers the sweeps, beside the norms of the problem.
  virtual SweepState steering() const = 0;

  /// The present r of the device, if an observer reads it.
  const Vector& present(const Run& run);
  SweepEngine& engine() { return *engine_; }

 private:
  void iterate(const Run& run);
  SweepState start(const Run& run);

  const char* name_;
  SweepKind kind_;
  mutable DeviceProblem problem_{ContactOrder::colours};  // explain_unsupported() reads it, run() uses it
  mutable ProductSet set_;
  HeldEngine<SweepEngine> engine_;
  Vector scale_;
  std::vector<double> world_;
};

}  // namespace slipstick::internal
