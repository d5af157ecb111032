// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/contact/sequence/friction_iterate.hpp"
#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Box friction (Ho 2022, chapter 2). Every tangent of a contact obeys Coulomb's law by itself:
///     |r_T,i| <= mu r_N,  u_T,i = 0 inside, against r_T,i on a bound.
/// The normals are complementary to u_N >= 0. For bounds from given normal impulses the law is one boxed
/// problem, which any method for bounds solves. Its normals give the next bounds, until they no longer
/// change. (The paper's bounds are those of the last step; here the law holds within a step. Diamonds are
/// boxes in other axes (see FrictionIterate), so the same method solves their law.
class BoxFriction : public ContactSolver {
 public:
  /// `law` is box or diamond.
  BoxFriction(FrictionLaw law, std::unique_ptr<Solver> solver) : law_(law), solver_(std::move(solver)) {}
  FrictionLaw law() const override { return law_; }
  std::string explain_unsupported(const LocalContactProblem& /*problem*/) const override { return {}; }

 protected:
  void run(const Run& run) override;

 private:
  void set_bounds();

  FrictionLaw law_;
  std::unique_ptr<Solver> solver_;
  FrictionIterate iterate_;
  Problem boxed_;
  Vector radii_;
  Result inner_;
  WarmStart start_;
  BestIterate best_;
};

}  // namespace slipstick::internal
