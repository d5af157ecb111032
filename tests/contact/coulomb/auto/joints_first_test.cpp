// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/joints_first.hpp"

#include <gtest/gtest.h>

#include "slipstick/body_problem.hpp"
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

bool by_elimination(const DriverResult& result) {
  return !result.attempts.empty() && result.attempts.back().solver == "joints-first";
}

TEST(JointsFirst, AgreesWithAnotherMethod) {
  for (const Chain& chain : {Chain{}, Chain{.motor = 1e-3}, Chain{.contact = false}}) {
    const BodyProblem problem = problem_of(chain);
    const DriverResult result = solved(problem);
    EXPECT_TRUE(by_elimination(result));
    const DriverResult other = solved(problem, "ncp-ipm");
    EXPECT_LE((result.v - other.v).norm(), 1e-7 * other.v.norm());
    EXPECT_LE((result.r - other.r).norm(), 1e-5 * other.r.norm());
  }
}

// A pendulum of one rigid piece: all joints hold, so the chain moves as if nothing were there but its end.
TEST(JointsFirst, GreatMassRatiosAreNoTrouble) {
  const DriverResult result = solved(problem_of({.links = 100, .last_mass = 1e5}));
  EXPECT_TRUE(by_elimination(result));
  EXPECT_LE(result.islands.at(0).error, 1e-10);
}

TEST(JointsFirst, RedundantJointsShareTheLoad) {
  const DriverResult once = solved(problem_of({}));
  const DriverResult twice = solved(problem_of({.copies = 2}));
  EXPECT_TRUE(by_elimination(twice));
  EXPECT_LE((once.v - twice.v).norm(), 1e-8 * once.v.norm());
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
