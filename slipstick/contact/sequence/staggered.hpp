// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/contact/sequence/friction_iterate.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Staggered projections (Litven 2013, Algorithm 4.1; Kaufman et al. 2008) for contact with friction:
///     u = W r + q,  0 <= r_N perpendicular to u_N >= 0,  r_T in the set of radius mu r_N, -u_T in its normal
///     cone there.
/// Two convex problems in turn, each by a given method:
///     (C)  min 1/2 r_N' W_NN r_N + (q_N + W_NT r_T)' r_N   over r_N >= 0
///     (F)  min 1/2 r_T' W_TT r_T + (q_T + W_TN r_N)' r_T   over ||r_T|| <= mu r_N, contact by contact
/// Joints, limits and motors are in both. Under Coulomb's law the sets of (F) are disks, exact. Under the law
/// of diamonds they are boxes in turned axes (see FrictionIterate), and (F) is a boxed problem. The facets of
/// (F2) with their null space (Algorithm 5.2) are not needed.
///
/// Every problem has a solution and the sequence never fails, but it need not converge. If friction is large,
/// the impulse may alternate between the two problems. Then the radii follow the normal impulses more slowly.
/// If that does not help either, the method ends as stalled.
class Staggered : public ContactSolver {
 public:
  /// `law` is coulomb or diamond. `contact` takes bounds. `friction` takes disks, or bounds for diamonds and
  /// in the plane.
  /// `keeps_bodies`: the methods take a matrix J M^-1 J' + C as it is, and it is not assembled.
  Staggered(FrictionLaw law, std::unique_ptr<Solver> contact, std::unique_ptr<Solver> friction,
            const StaggeredSettings& settings = {}, bool keeps_bodies = false);
  FrictionLaw law() const override { return law_; }
  std::string explain_unsupported(const LocalContactProblem& /*problem*/) const override { return {}; }

 protected:
  void run(const Run& run) override;

 private:
  // A convex problem in some of the rows of x.
  struct Part {
    std::vector<int> rows;
    Problem problem;
    double shift = 0.0;  // shift of its diagonal
    std::unique_ptr<Solver> solver;
    WarmStart start;
    Result result;
  };
  void prepare(const Run& run);
  void state_parts();
  void add_proximal_term(Part& part) const;
  void couple(const Part& part, const Run& run);
  bool solve_part(Part& part, double target, const Run& run, Monitor& monitor);
  void set_radii();
  double kinetic_error() const;

  FrictionLaw law_;
  StaggeredSettings settings_;
  bool keeps_bodies_;
  FrictionIterate iterate_;
  Part contact_, friction_;
  Vector x_, radii_;
  Vector alone_, coupled_;              // x in the rows of one part, and A times it
  Vector previous_, previous_coupled_;  // the same for the friction part, one iteration before
  double contact_energy_ = 0.0;
  BestIterate best_;
};

}  // namespace slipstick::internal
