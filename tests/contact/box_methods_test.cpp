// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What methods for the law of boxes have in common.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/auto/solver_stage.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/sequence/box_friction.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::box_methods_test {

std::unique_ptr<ContactSolver> make_sequence() {
  return std::make_unique<BoxFriction>(FrictionLaw::box, std::make_unique<Mprgp>());
}

Result solved_by(ContactSolver& solver, const LocalContactProblem& problem, double tolerance) {
  Result result;
  solver.solve(problem, {.tolerance = tolerance}, result);
  EXPECT_TRUE(result.solved()) << name(result.status) << ' ' << result.measures.scaled_natural_map;
  return result;
}

struct Sequence : SolverStage {
  Sequence() : SolverStage("box-sequence", make_sequence) {}
};

template <class Method>
class BoxMethods : public testing::Test {
 protected:
  static Result solved(const LocalContactProblem& problem, double tolerance = 1e-9) {
    const auto make = [] {
      CoulombSolver::Chain chain;
      chain.push_back({[] { return std::make_unique<Method>(); }});
      return chain;
    };
    CoulombSolver solver(make, FrictionLaw::box);
    return solved_by(solver, problem, tolerance);
  }
};
using Methods = testing::Types<Nsgs, NsgsFast, Nsn, Prox, ShiftIpm, Sequence>;
TYPED_TEST_SUITE(BoxMethods, Methods);

// Both axes slide, one axis slides, none, and the block parts.
TYPED_TEST(BoxMethods, BlockOnASlopeAcrossTheAxes) {
  const DenseMatrix W = DenseMatrix::Identity(3, 3);
  EXPECT_LE((this->solved(one_contact(W, vec({-2, 3, 4}), 0.5)).r - vec({2, -1, -1})).norm(), 1e-7);
  EXPECT_LE((this->solved(one_contact(W, vec({-2, 0.5, 4}), 0.5)).r - vec({2, -0.5, -1})).norm(), 1e-7);
  EXPECT_LE((this->solved(one_contact(W, vec({-2, 0.9, -0.9}), 0.5)).r - vec({2, -0.9, 0.9})).norm(), 1e-7);
  EXPECT_LE((this->solved(one_contact(W, vec({-2, 0.9, -0.9}), 0.0)).r - vec({2, 0, 0})).norm(), 1e-7);
  EXPECT_TRUE(this->solved(one_contact(W, vec({1, 3, 4}), 0.5)).r.isZero(1e-7));
}

TYPED_TEST(BoxMethods, AgreeWithTheSequenceOnRandomContacts) {
  const auto sequence = make_sequence();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    LocalContactProblem problem = random_contacts({.contacts = 12,
                                                   .dofs = 60,
                                                   .friction = 0.05 * static_cast<double>(seed),
                                                   .bilateral = seed % 2 == 0 ? 5 : 0,
                                                   .bounded = seed % 3 == 0 ? 4 : 0,
                                                   .seed = seed});
    problem.mu[3] = 0.0;
    const Result expected = solved_by(*sequence, problem, 1e-10);
    const Result result = this->solved(problem, 1e-10);
    EXPECT_LE((result.u - expected.u).norm(), 1e-7 * problem.q.norm()) << seed;
  }
}

TYPED_TEST(BoxMethods, HoldsAStack) {
  const LocalContactProblem problem = stack_of_blocks(3, 12);
  EXPECT_LE(this->solved(problem, 1e-9).u.norm(), 1e-7 * problem.q.norm());
}

// Velocities of redundant contacts contradict each other: q gets a part that no impulse can change. Inner
// stresses must grow until contacts open or slide.
TEST(BoxTower, ShiftIpmSolvesContradictingContacts) {
  const auto make = [] {
    CoulombSolver::Chain chain;
    chain.push_back({[] { return std::make_unique<ShiftIpm>(); }});
    return chain;
  };
  CoulombSolver solver(make, FrictionLaw::box);
  for (const BrickPattern pattern : {BrickPattern::crossed, BrickPattern::wall}) {
    const CondensedProblem tower(
        brick_tower({.pattern = pattern, .courses = 12, .bricks = 2, .jitter = 0.05, .seed = 2}));
    LocalContactProblem problem = tower.local();
    Random random(4);
    for (Index i = 0; i < problem.contacts(); ++i)
      problem.q[3 * i] += 1e-4 * random.normal() * problem.q.lpNorm<Eigen::Infinity>();
    solved_by(solver, problem, 1e-6);
  }
}

// What the chain makes of redundant contacts, with each island by itself.
TEST(BoxChain, SolvesRedundantContacts) {
  CoulombSolver solver([] { return box_chain(make_sequence); }, FrictionLaw::box);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LocalContactProblem few =
        random_contacts({.contacts = 20, .dofs = 18, .friction = 0.6, .seed = seed});
    solved_by(solver, side_by_side(few, sphere_contacts(60, 0.5, seed)), 1e-8);
  }
}

}  // namespace slipstick::internal::box_methods_test
