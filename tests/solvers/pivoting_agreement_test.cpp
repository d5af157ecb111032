// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The pivoting methods against each other, and against methods of another kind.
#include <gtest/gtest.h>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::pivoting_agreement_test {

using namespace box_cases;

constexpr const char* methods[] = {"ppm", "bpp", "bpp-pcg", "pgcg", "dantzig", "lemke"};

TEST(PivotingAgreement, TheSameXUpToACondition) {
  for (const double condition : {1.0, 1e2, 1e4, 9e4}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const KnownProblem known = random_box({.rows = sanitized ? 60 : 150,
                                             .condition = condition,
                                             .degenerate = seed == 2 ? 0.3 : 0.0,
                                             .free = 0.1,
                                             .two_sided = 0.3,
                                             .fixed = 0.05,
                                             .seed = seed});
      for (const char* name : methods) {
        // As far as rounding lets each of them go.
        const Result result = solve_with(*make_solver(name), known.problem, 1e-15);
        EXPECT_LE(result.measures.scaled_natural_map, 1e-13) << name << ", condition " << condition;
        EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << name << ", condition " << condition;
      }
    }
  }
}

TEST(PivotingAgreement, BeyondItTheSameMeasure) {
  for (const double condition : {1e6, 1e8, 1e10}) {
    for (const Index deficiency : {0, 30}) {
      const KnownProblem known = random_box({.rows = 120,
                                             .condition = condition,
                                             .rank_deficiency = deficiency,
                                             .degenerate = 0.3,
                                             .two_sided = 0.3});
      for (const char* name : methods) {
        const Result result = solve_with(*make_solver(name), known.problem, 1e-9);
        EXPECT_TRUE(result.solved()) << name << ", condition " << condition << ": " << result.message;
      }
    }
  }
}

// A box that the floor holds at every corner of a fine grid: the contacts are many times redundant.
TEST(PivotingAgreement, RedundantContacts) {
  const int side = 6, contacts = side * side;
  DenseMatrix J(contacts, 3);
  for (int c = 0; c < contacts; ++c) {
    J.row(c) << 1.0, (c % side) / (side - 1.0) - 0.5, (c / side) / (side - 1.0) - 0.5;
  }
  const Vector velocity = vec({-1.0, 0.2, -0.3});
  const Problem problem = lcp(J * J.transpose(), J * velocity);
  Vector first;
  for (const char* name : methods) {
    const Result result = solve_with(*make_solver(name), problem, 1e-10);
    EXPECT_TRUE(result.solved()) << name << ": " << result.message;
    const Vector after = velocity + J.transpose() * result.x;
    if (first.size() == 0) first = after;
    EXPECT_LE((after - first).norm(), 1e-8) << name;
  }
}

// Bodies on top of each other, light ones below a heavy one: every contact carries what is above it.
TEST(PivotingAgreement, HeavyOnLight) {
  const int bodies = 12;
  for (const double ratio : {1e3, 1e5}) {
    Vector mass = Vector::Ones(bodies);
    mass[bodies - 1] = ratio;
    DenseMatrix A = DenseMatrix::Zero(bodies, bodies);
    Vector b = Vector::Zero(bodies), carried(bodies);
    b[0] = -0.1;  // the velocity of the lowest body against the ground after a step of free fall
    for (int k = 0; k < bodies; ++k) {
      A(k, k) = 1.0 / mass[k] + (k > 0 ? 1.0 / mass[k - 1] : 0.0);
      if (k > 0) A(k, k - 1) = A(k - 1, k) = -1.0 / mass[k - 1];
      carried[k] = 0.1 * mass.tail(bodies - k).sum();
    }
    for (const char* name : methods) {
      const Result result = solve_with(*make_solver(name), lcp(A, b), 1e-14);
      EXPECT_LE(result.measures.scaled_natural_map, 1e-9) << name;
      EXPECT_LE((result.x - carried).norm(), 1e-6 * carried.norm()) << name << ", mass ratio " << ratio;
    }
  }
}

// Spheres with friction in boxes: more impulses than motions, so that pivots alone lead nowhere for long.
TEST(PivotingAgreement, FrictionInBoxes) {
  const Problem cones = packing(sanitized ? 15 : 40, 0.5);
  Problem problem;
  problem.A = Operator(cones.A.assemble());
  problem.b = cones.b;
  const double load = cones.b.cwiseAbs().maxCoeff() / problem.A.entry(0, 0);
  for (Index row = 0; row < cones.b.size(); row += 3) {
    problem.K.append_nonnegative(1, Role::normal);
    for (int k = 0; k < 2; ++k) problem.K.append_interval(-0.2 * load, 0.2 * load, Role::friction);
  }
  Vector first;
  const Options shifts = {{"regularization", "1e-3"}, {"pivot_limit", "5"}};
  for (const auto& [name, options] :
       {std::pair<const char*, Options>{"bpp", {}}, {"bpp", shifts}, {"pgcg", {}}, {"dantzig", {}}}) {
    const Result result = solve_with(*make_solver(name, options), problem, 1e-9);
    EXPECT_TRUE(result.solved()) << result.message;
    if (first.size() == 0) first = result.w;
    EXPECT_LE((result.w - first).norm(), 1e-5 * problem.b.norm()) << result.message;
  }
}

}  // namespace slipstick::internal::pivoting_agreement_test
