// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/contact/sequence/anderson.hpp"
#include "slipstick/contact/sequence/friction_iterate.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Coulomb's law as a fixed point over convex problems (De Saxce and Feng 1998). For a given s >= 0 the
/// conditions
///     r in K,  u + s in K*,  r'(u + s) = 0,  u = W r + q,  s along the normals
/// are a cone complementarity problem, which any cone solver takes. The law holds if s = mu ||u_T||. The map
/// from s to mu ||u_T|| is iterated with Anderson's acceleration, inexactly. Every problem is solved to a
/// hundredth of the present error, from the last answer. If W is not symmetric, the convex problems have its
/// symmetric part, and the skew part is added to s.
///
/// For moderate friction it converges linearly. If it does not converge, the steps become shorter, and it
/// ends as stalled.
class Desaxce : public ContactSolver {
 public:
  Desaxce(std::unique_ptr<Solver> cone_solver, const DesaxceSettings& settings = {})
      : settings_(settings), solver_(std::move(cone_solver)) {}
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  std::string explain_unsupported(const LocalContactProblem& /*problem*/) const override { return {}; }

 protected:
  void run(const Run& run) override;

 private:
  DesaxceSettings settings_;
  std::unique_ptr<Solver> solver_;
  FrictionIterate iterate_;
  Problem convex_;
  Anderson anderson_;
  Vector shift_, image_;
  Result inner_;
  WarmStart start_;
  BestIterate best_;
};

}  // namespace slipstick::internal
