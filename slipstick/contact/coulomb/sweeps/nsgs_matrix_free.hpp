// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/sweeps/coulomb_sweep.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// Nsgs without blocks of W. The sweep takes its rows from the storage of the problem. For a matrix-free
/// operator it goes through the bodies, whose velocities follow r. It serves problems whose W is too large to
/// assemble. Otherwise Nsgs is faster, and it solves islands one by one.
class NsgsMatrixFree : public ContactSolver {
 public:
  explicit NsgsMatrixFree(const NsgsSettings& settings = {});
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  std::string explain_unsupported(const LocalContactProblem& /*problem*/) const override { return {}; }

 protected:
  void run(const Run& run) override;

 private:
  template <int d>
  struct Workspace {
    Operator seen;
    SweepContacts<d> contacts;
    std::vector<double> diagonal;  // blocks, row by row
  };
  template <int d>
  void prepare(const LocalContactProblem& problem, Workspace<d>& workspace);
  template <int d, class Storage>
  void sweep_until_solved(const Run& run, const Storage& W, Workspace<d>& workspace);
  template <class Rows>
  double sweep_joints(const Run& run, Rows& rows, bool backward) const;

  NsgsSettings settings_;
  Workspace<2> plane_;
  Workspace<3> space_;
  DenseMatrix block_;
  Vector diagonal_;  // of the rows of joints
  Vector velocities_;
  BestIterate best_;
};

}  // namespace slipstick::internal
