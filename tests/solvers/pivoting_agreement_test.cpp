// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The pivoting methods against each other, and against methods of another kind.
#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/pivoting/dantzig.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"
#include "slipstick/solvers/pivoting/pgcg.hpp"
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::pivoting_agreement_test {

using namespace box_cases;

struct Named {
  std::string name;
  std::unique_ptr<Solver> solver;
};

std::vector<Named> methods() {
  std::vector<Named> list;
  list.push_back({"ppm", std::make_unique<PrincipalPivoting>(PpmSettings{})});
  list.push_back({"bpp", std::make_unique<PrincipalPivoting>(BppSettings{})});
  list.push_back({"bpp-pcg", std::make_unique<PrincipalPivoting>(BppPcgSettings{})});
  list.push_back({"pgcg", std::make_unique<Pgcg>()});
  list.push_back({"dantzig", std::make_unique<Dantzig>()});
  list.push_back({"lemke", std::make_unique<Lemke>()});
  return list;
}

TEST(PivotingAgreement, TheSameXUpToACondition) {
  for (const double condition : {1.0, 1e2, 1e4, 9e4}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      RandomBoxOptions options;
      options.rows = sanitized ? 60 : 150;
      options.condition = condition;
      options.degenerate = seed == 2 ? 0.3 : 0.0;
      options.free = 0.1;
      options.two_sided = 0.3;
      options.fixed = 0.05;
      options.seed = seed;
      const KnownProblem known = random_box(options);
      for (const auto& [name, solver] : methods()) {
        // As far as rounding lets each of them go.
        const Result result = solve_with(*solver, known.problem, 1e-15);
        EXPECT_LE(result.measures.scaled_natural_map, 1e-13) << name << ", condition " << condition;
        EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << name << ", condition " << condition;
      }
    }
  }
}

TEST(PivotingAgreement, BeyondItTheSameMeasure) {
  for (const double condition : {1e6, 1e8, 1e10}) {
    for (const Index deficiency : {0, 30}) {
      RandomBoxOptions options;
      options.rows = 120;
      options.condition = condition;
      options.degenerate = 0.3;
      options.two_sided = 0.3;
      options.rank_deficiency = deficiency;
      const KnownProblem known = random_box(options);
      for (const auto& [name, solver] : methods()) {
        const Result result = solve_with(*solver, known.problem, 1e-9);
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
  for (const auto& [name, solver] : methods()) {
    const Result result = solve_with(*solver, problem, 1e-10);
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
    for (const auto& [name, solver] : methods()) {
      const Result result = solve_with(*solver, lcp(A, b), 1e-14);
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
  BppSettings regularized;
  regularized.regularization = 1e-3;
  regularized.pivot_limit = 5;
  PrincipalPivoting bpp{BppSettings{}}, shifted(regularized);
  Pgcg pgcg;
  Dantzig dantzig;
  for (Solver* solver : std::initializer_list<Solver*>{&bpp, &shifted, &pgcg, &dantzig}) {
    const Result result = solve_with(*solver, problem, 1e-9);
    EXPECT_TRUE(result.solved()) << result.message;
    if (first.size() == 0) first = result.w;
    EXPECT_LE((result.w - first).norm(), 1e-5 * problem.b.norm()) << result.message;
  }
}

}  // namespace slipstick::internal::pivoting_agreement_test
