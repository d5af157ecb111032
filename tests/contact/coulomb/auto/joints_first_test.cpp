// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/joints_first.hpp"

#include <gtest/gtest.h>

#include "slipstick/body_problem.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d cross(const Vector3d& arm) {
  return Matrix3d{{0.0, -arm.z(), arm.y()}, {arm.z(), 0.0, -arm.x()}, {-arm.y(), arm.x(), 0.0}};
}

struct Chain {
  int links = 40;
  int copies = 1;          // of every joint; more are redundant
  double last_mass = 1.0;  // others have 0.1
  bool contact = true;     // of the last link with the ground
  double motor = 0.0;      // the largest impulse of one that holds the turn of the first link
};

// A level chain that is held at its first end, and falls.
BodyProblem problem_of(const Chain& chain) {
  constexpr double length = 0.2, h = 0.01;
  BodyProblem problem;
  problem.reset(chain.links);
  for (int k = 0; k < chain.links; ++k) {
    const double mass = k == chain.links - 1 ? chain.last_mass : 0.1;
    problem.set_body(k, RigidBody::space(1.0 / mass, Matrix3d::Identity() / (0.01 * mass), {},
                                         {0.0, 0.0, -9.81 * h * mass, 0.0, 0.0, 0.0}));
    Eigen::Matrix<double, 3, 6> first, second;
    first << Matrix3d::Identity(), -cross({-0.5 * length, 0.0, 0.0});
    second << -Matrix3d::Identity(), cross({0.5 * length, 0.0, 0.0});
    for (int copy = 0; copy < chain.copies; ++copy)
      problem.add_rows(static_cast<std::uint64_t>(1000 * copy + k),
                       {.bodies = {k, k - 1}, .jacobians = {first, second}});
  }
  if (chain.contact)
    problem.add_contact(5000, {.bodies = {chain.links - 1, -1},
                               .frame = Matrix3d{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                               .arms = {Vector3d(0.5 * length, 0.02, -0.05)},
                               .mu = 0.3,
                               .bias = {0.0, 0.05, 0.01}});
  if (chain.motor > 0.0) {
    SmallMatrix turn = SmallMatrix::Zero(1, 6);
    turn(0, 4) = 1.0;
    problem.add_rows(
        6000, {.bodies = {0, -1}, .jacobians = {turn}, .lower = {-chain.motor}, .upper = {chain.motor}});
  }
  return problem;
}

DriverResult solved(const BodyProblem& problem, const std::string& solver = "auto") {
  DriverResult result;
  Driver({.settings = {.tolerance = 1e-10}, .solver = solver}).solve(problem, result);
  EXPECT_TRUE(result.solved()) << result.message;
  return result;
}

// By the method alone. auto takes it last if there are contacts, too.
Solution by_elimination(const BodyProblem& problem) {
  CoulombSolver solver([] {
    CoulombSolver::Chain chain;
    chain.push_back({[] { return std::make_unique<JointsFirst>(automatic_coulomb_chain); }});
    return chain;
  });
  Result result;
  solver.solve(std::get<LocalContactProblem>(problem.contact_form()), {.tolerance = 1e-10}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  result.v.resize(problem.bodies() * problem.dofs_per_body());
  problem.velocities(result.r, result.v);
  return result;
}

TEST(JointsFirst, AgreesWithAnotherMethod) {
  for (const Chain& chain : {Chain{}, Chain{.motor = 1e-3}, Chain{.contact = false}}) {
    const BodyProblem problem = problem_of(chain);
    const Solution result = by_elimination(problem);
    for (const char* solver : {"ncp-ipm", "auto"}) {
      const DriverResult other = solved(problem, solver);
      EXPECT_LE((result.v - other.v).norm(), 1e-7 * other.v.norm()) << solver;
      EXPECT_LE((result.r - other.r).norm(), 1e-5 * other.r.norm()) << solver;
    }
  }
}

// A pendulum of one rigid piece: all joints hold, so the chain moves as if nothing were there but its end.
TEST(JointsFirst, GreatMassRatiosAreNoTrouble) {
  by_elimination(problem_of({.links = 100, .last_mass = 1e5}));
}

TEST(JointsFirst, RedundantJointsShareTheLoad) {
  const Solution once = by_elimination(problem_of({}));
  const Solution twice = by_elimination(problem_of({.copies = 2}));
  EXPECT_LE((once.v - twice.v).norm(), 1e-8 * once.v.norm());
}

// auto takes it first if there are no contacts, and never if there are many.
TEST(JointsFirst, IsForJoints) {
  const DriverResult result = solved(problem_of({.contact = false}));
  ASSERT_FALSE(result.attempts.empty());
  EXPECT_EQ(result.attempts.front().solver, "joints-first");
  EXPECT_EQ(solved(problem_of({})).attempts.front().solver, "prox");
}

TEST(JointsFirst, LeavesIslandsOfManyContactsToOthers) {
  BodyProblem problem = problem_of({.links = 4});
  for (int k = 0; k < 20; ++k)
    problem.add_contact(static_cast<std::uint64_t>(7000 + k),
                        {.bodies = {k % 4, -1},
                         .frame = Matrix3d{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                         .arms = {Vector3d(0.01 * k, 0.0, -0.05)},
                         .mu = 0.3});
  const DriverResult result = solved(problem);
  for (const Attempt& attempt : result.attempts) EXPECT_NE(attempt.solver, "joints-first");
}

}  // namespace
}  // namespace slipstick::internal
