// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::nsgs_test {

Result solved(const LocalContactProblem& problem, double tolerance = 1e-10,
              const NsgsSettings& settings = {}) {
  Nsgs nsgs(settings);
  Result result = solve_coulomb(nsgs, problem, tolerance);
  EXPECT_TRUE(result.solved()) << name(result.status) << " " << result.measures.scaled_natural_map << " "
                               << result.measures.desaxce;
  return result;
}

TEST(Nsgs, BlockOnASlope) {
  for (const int dimension : {2, 3}) {
    for (const double angle : {0.2, 0.5}) {
      const Result result = solved(block_on_slope(dimension, angle, 0.4), 1e-14);
      const double slide = std::max(0.0, 10.0 * (std::sin(angle) - 0.4 * std::cos(angle)));
      EXPECT_NEAR(result.u.tail(dimension - 1).norm(), slide, 1e-13);
      EXPECT_NEAR(result.u[0], 0.0, 1e-14) << "the law, not its convex relative";
      EXPECT_NEAR(result.r[0], 10.0 * std::cos(angle), 1e-13);
      EXPECT_EQ(result.counts.iterations, 1);
    }
    EXPECT_TRUE(solved(block_on_slope(dimension, 0.5, 0.4, 11.0)).r.isZero()) << "parts";
  }
}

// Blocks of mass 1 above each other, one contact each, after a second of gravity.
LocalContactProblem stack_of_blocks(int d, Index blocks) {
  DenseMatrix J = DenseMatrix::Zero(d * blocks, d * blocks);
  for (Index i = 0; i < blocks; ++i) {
    J.block(d * i, d * i, d, d).setIdentity();
    if (i > 0) J.block(d * i, d * (i - 1), d, d) = -DenseMatrix::Identity(d, d);
  }
  Vector q = Vector::Zero(d * blocks);
  q[0] = -10.0;
  return {d, Operator(DenseMatrix(J * J.transpose())), q, Vector::Constant(blocks, 0.5)};
}

TEST(Nsgs, StackCarriesItsWeight) {
  constexpr Index blocks = 10;
  for (const int d : {2, 3}) {
    const Result result = solved(stack_of_blocks(d, blocks), 1e-12);
    for (Index i = 0; i < blocks; ++i)
      EXPECT_NEAR(result.r[d * i], 10.0 * static_cast<double>(blocks - i), 1e-7);
  }
}

// A high stack takes thousands of sweeps: those who look ahead see it after a few.
TEST(Nsgs, GivesUpWhereMoreLiesAheadThanNewtonsMethodCosts) {
  const LocalContactProblem stack = stack_of_blocks(2, 60);
  const auto solve = [&](double newton_steps) {
    Nsgs method({}, std::make_shared<SweepWorkspace>(), {.trial = 25, .newton_steps = newton_steps},
                [](const ContactBlocks&, const Island&) { return 20.0; });
    return solve_coulomb(method, stack, 1e-8);
  };
  const Result slow = solve(1e6);
  EXPECT_TRUE(slow.solved());
  EXPECT_GT(slow.counts.iterations, 1000);
  const Result early = solve(1.0);
  EXPECT_EQ(early.status, Status::iteration_limit);
  EXPECT_GE(early.counts.iterations, 25);
  EXPECT_LE(early.counts.iterations, 100);
}

TEST(Nsgs, RandomContactsObeyTheLaw) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const double asymmetry : {0.0, 1e-3}) {
        const LocalContactProblem problem = random_contacts({.dimension = dimension,
                                                             .contacts = 12,
                                                             .dofs = 60,
                                                             .friction = 0.1 * static_cast<double>(seed % 8),
                                                             .asymmetry = asymmetry,
                                                             .seed = seed});
        expect_coulomb(problem, solved(problem), 1e-7);
      }
    }
  }
}

TEST(Nsgs, EveryOptionEndsAtTheSolution) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  const Vector u = solved(problem, 1e-12).u;
  for (const NsgsSettings& settings :
       {NsgsSettings{.relaxation = 0.7}, NsgsSettings{.relaxation = 1.3},
        NsgsSettings{.order = SweepOrder::symmetric}, NsgsSettings{.order = SweepOrder::forward},
        NsgsSettings{.test = 1}, NsgsSettings{.proximal = 0.5}})
    EXPECT_LE((solved(problem, 1e-12, settings).u - u).norm(), 1e-9 * u.norm());
}

TEST(Nsgs, SpheresUnderTheirWeight) {
  for (const double friction : {0.0, 0.3, 0.8}) {
    const LocalContactProblem problem = sphere_contacts(60, friction);
    expect_coulomb(problem, solved(problem, 1e-9), 1e-6);
  }
}

TEST(Nsgs, UnitsDoNotMatter) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 60, .seed = 3});
  Nsgs nsgs;
  Result reference, result;
  ContactBlocks blocks;
  solve_coulomb(nsgs, blocks, problem, {.tolerance = 1e-10}, reference);
  for (const double mass : {1e-6, 1e6}) {
    for (const double velocity : {1e-6, 1e6}) {
      solve_coulomb(nsgs, blocks, rescaled(problem, mass, velocity), {.tolerance = 1e-10}, result);
      EXPECT_LE(result.measures.scaled_natural_map, 1e-10);
      EXPECT_LE((result.r * mass / velocity - reference.r).norm(), 1e-6 * reference.r.norm());
    }
  }
}

TEST(Nsgs, LimitsAreObeyedWithTheBestAnswer) {
  const LocalContactProblem problem = sphere_contacts(60, 0.3);
  Nsgs nsgs;
  ContactBlocks blocks;
  Result result;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 1u);
  double last = 1e300;
  for (const int sweeps : {3, 30, 300}) {
    Monitor monitor({.tolerance = 1.0, .max_iterations = sweeps}, 1, nullptr);
    Counts counts;
    Vector r = Vector::Zero(problem.q.size()), l;
    nsgs.run({blocks, blocks.islands()[0], {1e-14 * blocks.norm(), 1e300}, monitor, counts, r, l});
    EXPECT_EQ(monitor.status(), Status::iteration_limit);
    EXPECT_EQ(monitor.iterations(), sweeps);
    blocks.scatter(r, l, result.r, result.l);
    measure(problem, FrictionLaw::coulomb, result, result.measures);
    EXPECT_LT(result.measures.scaled_natural_map, 0.5 * last);
    last = result.measures.scaled_natural_map;
  }
}

TEST(Nsgs, RefusesAWrongRelaxation) {
  EXPECT_THROW(Nsgs({.relaxation = 0.0}), Error);
  EXPECT_THROW(Nsgs({.relaxation = 2.0}), Error);
}

TEST(Nsgs, RealProblems) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int count = 0;
  for (const char* folder : {"fc2d", "fc3d"}) {
    for (const NamedContacts& file : real_contacts(folder, sanitized ? 100 : 700)) {
      SCOPED_TRACE(file.name);
      EXPECT_LE(solved(file.problem, 1e-4).measures.desaxce, 1e-4);
      if (file.problem.contacts() <= 12) solved(file.problem, 1e-8);
      ++count;
    }
  }
  EXPECT_GE(count, sanitized ? 15 : 20);
}

}  // namespace slipstick::internal::nsgs_test
