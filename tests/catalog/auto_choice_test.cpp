// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/auto_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::auto_choice_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Names = std::vector<std::string>;

std::vector<AutoStep> choose(const Problem& problem, double tolerance = 1e-8) {
  Vector diagonal(problem.A.rows());
  problem.A.diagonal(diagonal);
  std::vector<AutoStep> chain;
  auto_choice(problem, diagonal, tolerance, chain);
  return chain;
}

Names names_of(const std::vector<AutoStep>& chain) {
  Names names;
  for (const AutoStep& step : chain) names.emplace_back(step.solver);
  return names;
}

// The values of b are not looked at.
Problem identity(Index rows) {
  CsrMatrix a(rows, rows);
  a.setIdentity();
  return {a, Vector::Constant(rows, nan), ProductSet::nonnegative(rows)};
}

TEST(AutoChoice, SymmetricAndSparse) {
  EXPECT_EQ(names_of(choose(identity(1000))),
            (Names{"bpp", "pmprgp", "qp-ipm", "mprgp", "gp-sm", "lemke", "newton-fb", "enumerate", "pgs"}));
  EXPECT_EQ(names_of(choose(identity(1001))),
            (Names{"pmprgp", "qp-ipm", "mprgp", "gp-sm", "lemke", "newton-fb", "enumerate", "pgs"}));
}

TEST(AutoChoice, SmallProblemsArePivotedFirst) {
  EXPECT_EQ(names_of(choose(identity(64))), (Names{"dense-bpp", "lemke", "pmprgp", "qp-ipm", "mprgp", "gp-sm",
                                                   "newton-fb", "enumerate", "pgs"}));
  EXPECT_EQ(names_of(choose(identity(65))).front(), "bpp");
  Problem skew = identity(64);
  skew.symmetric = false;
  EXPECT_EQ(names_of(choose(skew)), (Names{"lemke", "newton-fb", "enumerate", "pgs"}));
  skew = identity(65);
  skew.symmetric = false;
  EXPECT_EQ(names_of(choose(skew)).front(), "lemke");
}

TEST(AutoChoice, DenseRows) {
  const auto chain = [](Index rows) {
    Problem problem = identity(rows);
    problem.A = DenseMatrix(DenseMatrix::Ones(rows, rows));
    return names_of(choose(problem));
  };
  EXPECT_EQ(chain(1000)[0], "dense-bpp");
  EXPECT_EQ(chain(1001)[0], "mprgp");
  // The incomplete factor is for short rows.
  EXPECT_EQ(chain(201)[1], "mprgp");
  EXPECT_EQ(chain(200)[1], "pmprgp");
}

TEST(AutoChoice, MatrixFree) {
  // A matrix that is known by its bodies can be assembled, unless it is too large.
  const auto first = [](Index rows) {
    Problem problem = identity(rows);
    std::vector<Constraint> constraints;
    for (int i = 0; i < rows; ++i) constraints.push_back({i, 1, {0, -1}});
    std::vector<double> entries;
    for (int i = 0; i < rows; ++i) entries.insert(entries.end(), {1, nan});
    problem.A = DelassusOperator(1, 1, {1}, constraints, entries, Vector::Zero(rows));
    return choose(problem).front();
  };
  EXPECT_EQ(first(1).solver, "bpp");
  EXPECT_EQ(first(10000).reason, "bodies, and a factor of their rows fits");
  EXPECT_EQ(first(10001).solver, "mprgp");
  EXPECT_EQ(first(10001).reason, "symmetric and matrix-free");
}

TEST(AutoChoice, LinearRows) {
  const auto with_a_row = [](Index unknowns) {
    Problem problem = identity(unknowns);
    problem.rows =
        LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix::Ones(1, unknowns))),
                   vec({1}), vec({1})};
    return problem;
  };
  EXPECT_EQ(names_of(choose(with_a_row(100))), (Names{"dual-asm", "primal-asm", "qp-ipm", "schurpa"}));
  EXPECT_EQ(names_of(choose(with_a_row(101))),
            (Names{"qp-ipm", "pdasm", "dual-asm", "primal-asm", "schurpa"}));
  Problem skew = with_a_row(3);
  skew.symmetric = false;
  EXPECT_EQ(names_of(choose(skew)), (Names{"newton-fb"}));
}

TEST(AutoChoice, FewComplementarityRowsAreEnumeratedEarly) {
  // Free and fixed rows do not count.
  Problem problem = identity(8);
  problem.K = ProductSet::box(vec({0, 0, 0, 0, 0, -1, -infinity, 2}),
                              vec({infinity, infinity, infinity, infinity, infinity, 1, infinity, 2}));
  problem.symmetric = false;
  EXPECT_EQ(names_of(choose(problem)), (Names{"lemke", "enumerate", "newton-fb", "pgs"}));
  problem = identity(7);
  problem.symmetric = false;
  EXPECT_EQ(names_of(choose(problem)), (Names{"lemke", "newton-fb", "enumerate", "pgs"}));
}

TEST(AutoChoice, WhatIsNotConvex) {
  Problem problem = identity(1001);
  problem.symmetric = false;
  EXPECT_EQ(names_of(choose(problem)), (Names{"newton-fb", "pgs", "lemke", "newton-fb", "enumerate", "pgs"}));
  // A negative diagonal is not convex either, a zero may be.
  Problem diagonal = identity(100);
  Vector entries = Vector::Ones(100);
  entries[3] = -1.0;
  diagonal.A = DenseMatrix(entries.asDiagonal());
  EXPECT_EQ(names_of(choose(diagonal)).front(), "lemke");
  entries[3] = 0.0;
  diagonal.A = DenseMatrix(entries.asDiagonal());
  EXPECT_EQ(names_of(choose(diagonal)).front(), "dense-bpp");
}

TEST(AutoChoice, Cones) {
  Problem problem = identity(9);
  problem.K = ProductSet::cones(vec({0.5, 0.5, 0.5}), 3);
  EXPECT_EQ(names_of(choose(problem)), (Names{"ipm", "apgd"}));
  EXPECT_EQ(names_of(choose(problem, 1.9e-5)), (Names{"ipm", "apgd"}));
  for (const double loose : {1e-4, 2e-5})
    EXPECT_EQ(names_of(choose(problem, loose)), (Names{"apgd", "ipm"})) << "a loose tolerance";
  problem = identity(30003);
  problem.K = ProductSet::cones(Vector::Constant(10001, 0.5), 3);
  EXPECT_EQ(names_of(choose(problem)), (Names{"apgd", "ipm"}));
  problem.symmetric = false;
  EXPECT_EQ(names_of(choose(problem)), Names{"gauss-seidel"});
}

TEST(AutoChoice, NoRows) {
  EXPECT_EQ(names_of(choose({})).front(), "dense-bpp");
}

// Every step is a method of the catalog with a reason, some step takes the problem, and the last one has its
// own limit.
TEST(AutoChoice, NamesMethodsThatTakeTheProblem) {
  Problem lcp = identity(7), skew = identity(7), large = identity(1001), cones = identity(6),
          skew_cones = identity(6), disk = identity(2);
  skew.symmetric = large.symmetric = skew_cones.symmetric = false;
  cones.K = skew_cones.K = ProductSet::cones(vec({0.5, 0.5}), 3);
  disk.K = {};
  disk.K.append_disk(1.0, 2);
  for (const Problem& problem : {lcp, skew, large, cones, skew_cones, disk}) {
    const std::vector<AutoStep> chain = choose(problem);
    EXPECT_TRUE(std::any_of(chain.begin(), chain.end(), [&](const AutoStep& step) {
      return make_solver(step.solver)->explain_unsupported(problem).empty();
    })) << names_of(chain).front();
    for (const AutoStep& step : chain) {
      EXPECT_NE(find_solver(step.solver), nullptr) << step.solver;
      EXPECT_FALSE(step.reason.empty()) << step.solver;
      EXPECT_GE(step.max_iterations, 0);
    }
    EXPECT_EQ(chain.back().max_iterations, 0);
  }
}

// W is not symmetric, and the contact slides: r is on the boundary of its cone.
TEST(AutoChoice, SolvesNonsymmetricContacts) {
  LocalContactProblem problem{.W = csr_from_dense(mat({{2, 0.5, 0}, {-0.5, 2, 0.3}, {0, -0.3, 2}})),
                              .q = vec({-1, 1, 0.2}),
                              .mu = vec({0.4})};
  const DriverResult result = solve(problem, {.friction = FrictionLaw::convex});
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.r.tail(2).norm(), 0.4 * result.r[0], 1e-7);
}

// A chain of bodies, each in contact with the next one.
Problem chain_of_bodies(int contacts) {
  std::vector<double> inverse_mass, jacobian;
  for (int k = 0; k <= contacts; ++k)
    for (int i = 0; i < 9; ++i) inverse_mass.push_back(i % 4 == 0 ? 1.0 : 0.0);
  std::vector<Constraint> constraints;
  for (int k = 0; k < contacts; ++k) {
    constraints.push_back({3 * k, 3, {k, k + 1}});
    for (const double sign : {1.0, -1.0})
      for (int i = 0; i < 9; ++i) jacobian.push_back(i % 4 == 0 ? sign : 0.0);
  }
  return {Operator(DelassusOperator(3, contacts + 1, inverse_mass, constraints, jacobian,
                                    Vector::Zero(3 * contacts))),
          Vector::Constant(3 * contacts, nan), ProductSet::cones(Vector::Constant(contacts, 0.3), 3)};
}

TEST(AutoChoice, ADeviceIsForManyContactsOfBodies) {
  std::vector<AutoStep> chain = {{"apgd", 0, ""}};
  EXPECT_FALSE(add_device_methods(chain_of_bodies(9999), chain));
  EXPECT_FALSE(add_device_methods(identity(30000), chain));
  Problem given = chain_of_bodies(1);
  given.A = Operator(*identity(30000).A.assemble());
  given.b.resize(30000);
  given.K = ProductSet::cones(Vector::Constant(10000, 0.3), 3);
  EXPECT_FALSE(add_device_methods(given, chain)) << "W is given";
  EXPECT_EQ(names_of(chain), Names{"apgd"});
  EXPECT_TRUE(add_device_methods(chain_of_bodies(10000), chain));
  EXPECT_EQ(names_of(chain), (Names{"apgd-cuda", "apgd"}));
}

}  // namespace slipstick::internal::auto_choice_test
