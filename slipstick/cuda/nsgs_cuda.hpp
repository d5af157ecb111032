// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipstick/contact_methods.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/sweep_engine.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// Nsgs on a CUDA device: contacts in the order of colours, those of one colour at the same time (see
/// SweepEngine and ContactLayout). All islands are swept together. The error is tested on the device after 1,
/// 2, 4, 8 sweeps, and then after every 10, or after NsgsSettings::test if that is less. The host sees
/// nothing in between. A problem whose contacts need more than 64 colours is refused: a body with so many
/// contacts.
class NsgsCuda : public ContactSolver {
 public:
  explicit NsgsCuda(const NsgsSettings& settings = {});
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  std::string explain_unsupported(const LocalContactProblem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  void sweep(const Run& run);
  SweepState start(const Run& run);

  NsgsSettings settings_;
  mutable DeviceProblem problem_{ContactOrder::colours};  // explain_unsupported() reads it, run() uses it
  mutable ProductSet set_;
  std::unique_ptr<SweepEngine> engine_;
  int version_ = 0;  // of the problem on the device
  Vector scale_;
  std::vector<double> world_;
};

}  // namespace slipstick::internal
