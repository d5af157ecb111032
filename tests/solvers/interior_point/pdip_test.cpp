// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/solvers/interior_point/ipm.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::pdip_test {

Pdip direct() {
  return Pdip(PdipSettings{});
}

Pdip krylov() {
  PdipSettings settings;
  settings.direction = PdipDirection::krylov;
  return Pdip(settings);
}

Pdip spike() {
  return Pdip(PPdipSettings{});
}

struct Way {
  const char* name;
  Pdip (*make)();
  double tolerance;  // that it reaches
};
// Without a preconditioner BiCGStab does not get to the end of an ill-conditioned system.
constexpr Way ways[] = {{"direct", direct, 1e-12}, {"krylov", krylov, 1e-8}, {"spike", spike, 1e-12}};

void expect_velocities(Solver&& solver, const Problem& problem, const Vector& expected, double tolerance) {
  const Result result = solve_with(solver, problem, tolerance);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.w - expected).norm(), 1e-4 * problem.b.norm());
}

TEST(Pdip, OneContactInEveryRegimeIsAProjection) {
  Pdip iterative = krylov();
  for (const Vector& q :
       {vec({1.0, 0.2, 0.1}), vec({-1.0, 0.2, 0.1}), vec({-1.0, 2.0, -1.0}), vec({-1.0, 3.0})}) {
    const Problem problem = cone_cases::contact(2.0, q, 0.4);
    const Result result = solve_with(iterative, problem, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
    Vector expected = -q / 2.0;
    problem.K.project(expected);
    EXPECT_LT((result.x - expected).norm(), 1e-7);
  }
}

TEST(Pdip, ContactsThatAreSingularAlongTheCone) {
  Pdip factorized;
  cone_cases::expect_singular_contacts(factorized, 1e-8);
}

TEST(Pdip, BoundsOfEveryKind) {
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    Pdip solver = way.make();
    cone_cases::expect_bounds_of_every_kind(solver, way.tolerance);
  }
}

TEST(Pdip, BilateralRowsConesAndBoundsTogether) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Problem problem = cone_cases::cones_and_rows(seed);
    for (const Way& way : ways) {
      SCOPED_TRACE(way.name);
      Pdip solver = way.make();
      cone_cases::expect_agreement(solver, problem, std::max(way.tolerance, 1e-9));
    }
  }
}

// Joints of a chain hang from a wall: free rows alone.
TEST(Pdip, FreeRowsAloneAreALinearSystem) {
  Problem problem{.A = Operator(csr_from_dense(DenseMatrix{{2.0, 1.0}, {1.0, 3.0}})),
                  .b = Vector{{-4.0, -7.0}},
                  .K = ProductSet::free(2)};
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    const Result result = solve_with(way.make(), problem, 1e-12);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_NEAR(result.x[0], 1.0, 1e-11);
    EXPECT_NEAR(result.x[1], 2.0, 1e-11);
  }
}

TEST(Pdip, AgreesWithIpmOnPackings) {
  for (const double friction : {0.1, 0.8}) {
    const Problem problem = cone_cases::packing(24, friction);
    const Result expected = solve_with(Ipm(), problem, 1e-10);
    ASSERT_TRUE(expected.solved());
    expect_velocities(Pdip(), problem, expected.w, 1e-8);
    expect_velocities(spike(), problem, expected.w, 1e-8);
    expect_velocities(krylov(), problem, expected.w, 1e-5);
  }
}

// Bodies on top of each other, four contacts below each: 12 rows for 6 degrees of freedom.
TEST(Pdip, SolvesRankDeficientStacks) {
  const GlobalContactProblem global = sphere_packing({.spheres = 60, .plate_mass_ratio = 100.0});
  Problem problem{
      .A = Operator(*body_graph(global)),
      .b = global.H.transpose() * Vector(global.f.array() / global.M.diagonal().array()) + global.w,
      .K = ProductSet::cones(global.mu, 3)};
  Pdip plain, partitioned = spike();
  for (Pdip* solver : {&plain, &partitioned}) {
    const Result result = solve_with(*solver, problem, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
  }

  // The same contact four times: the impulse may be shared in any way.
  DenseMatrix jacobian(12, 3);
  for (int k = 0; k < 4; ++k) jacobian.middleRows(3 * k, 3).setIdentity();
  problem.A = Operator(csr_from_dense(DenseMatrix(jacobian * jacobian.transpose())));
  problem.b = jacobian * Eigen::Vector3d(-1.0, 0.6, 0.1);
  problem.K = ProductSet::cones(Vector::Constant(4, 0.5), 3);
  Vector expected = Eigen::Vector3d(1.0, -0.6, -0.1);
  ProductSet one;
  one.append_cone(0.5, 3);
  one.project(expected);
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    const Result result = solve_with(way.make(), problem, std::max(way.tolerance, 1e-10));
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LT((jacobian.transpose() * result.x - expected).norm(), 1e-6);
  }
}

TEST(Pdip, PreconditionerSpendsOneIterationWhereTheBandIsWhole) {
  const Problem problem = cone_cases::packing(40, 0.3);
  const Result whole = solve_with(spike(), problem, 1e-6);
  ASSERT_TRUE(whole.solved()) << whole.message;
  const Result plain = solve_with(krylov(), problem, 1e-6);
  // Three products of BiCGStab with its last check for each of two directions, and three of the method.
  EXPECT_LE(whole.counts.products, 16 * (whole.counts.iterations + 1));
  EXPECT_LT(20 * whole.counts.products, plain.counts.products);
  EXPECT_EQ(plain.counts.factorizations, 0);
  EXPECT_EQ(whole.counts.factorizations, whole.counts.iterations);
}

// On the bodies, or on the contacts if the matrix is not given by its bodies.
TEST(Pdip, PreconditionersOnBodiesAndContactsGiveTheSameIterates) {
  Problem problem = cone_cases::packing(40, 0.3);
  const Result bodies = solve_with(spike(), problem, 1e-6);
  ASSERT_TRUE(bodies.solved()) << bodies.message;
  problem.A = Operator(problem.A.assemble());
  const Result contacts = solve_with(spike(), problem, 1e-6);
  EXPECT_EQ(bodies.counts.iterations, contacts.counts.iterations);
  EXPECT_LT((bodies.w - contacts.w).norm(), 1e-6 * problem.b.norm());
}

// Near the end of the way the bodies' preconditioner has lost too many digits.
TEST(Pdip, ContactsTakeOverFromBodies) {
  const Problem problem = cone_cases::packing(24, 0.8);
  const Result result = solve_with(spike(), problem, 1e-11);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.counts.factorizations, result.counts.iterations + 1);
}

TEST(Pdip, OtherPreconditionersChangeTheWorkNotTheAnswer) {
  const Problem problem = cone_cases::packing(20, 0.3);
  const Result expected = solve_with(Ipm(), problem, 1e-10);
  PPdipSettings settings;
  settings.drop_off = 0.01;
  settings.krylov_iterations = 2000;
  expect_velocities(Pdip(settings), problem, expected.w, 1e-5);
  settings.drop_off = 0.0;
  settings.partitions = 2;
  expect_velocities(Pdip(settings), problem, expected.w, 1e-8);
}

TEST(Pdip, WarmStartDoesNoHarm) {
  const Problem problem = cone_cases::packing(20, 0.3);
  Pdip solver;
  const Result cold = solve_with(solver, problem);
  ASSERT_TRUE(cold.solved());
  const WarmStart solution{cold.x};
  EXPECT_EQ(solve_with(solver, problem, 1e-8, &solution).counts.iterations, 0);
  const WarmStart far{Vector(1e3 * cold.x)};
  EXPECT_TRUE(solve_with(solver, problem, 1e-8, &far).solved());
  const WarmStart near{Vector(1.01 * cold.x)};
  const Result warm = solve_with(solver, problem, 1e-8, &near);
  EXPECT_TRUE(warm.solved());
  EXPECT_LE(warm.counts.iterations, 2 * cold.counts.iterations);
}

TEST(Pdip, OpposedClosingWallsAreNotSolved) {
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    const Result result = solve_with(way.make(), cone_cases::closing_walls());
    EXPECT_NE(result.status, Status::solved);
    EXPECT_TRUE(result.x.allFinite());
  }
}

TEST(Pdip, RefusesWhatItCannotTake) {
  Problem problem = cone_cases::contact(1.0, Vector::Ones(3), 0.5);
  EXPECT_EQ(Pdip().explain_unsupported(problem), "");
  problem.symmetric = false;
  EXPECT_EQ(Pdip().explain_unsupported(problem).substr(0, 5), "pdip ");
  EXPECT_EQ(spike().explain_unsupported(problem).substr(0, 7), "p-pdip ");
  problem.symmetric = true;
  problem.K = {};
  problem.K.append_disk(1.0, 3);
  EXPECT_NE(Pdip().explain_unsupported(problem).find("disk"), std::string::npos);
}

}  // namespace slipstick::internal::pdip_test
