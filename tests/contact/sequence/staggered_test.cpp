// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/staggered.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/sequence/box_friction.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/solvers/projected/apgd.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::staggered_test {

std::unique_ptr<Staggered> staggered(FrictionLaw law, const StaggeredSettings& settings = {}) {
  return std::make_unique<Staggered>(law, std::make_unique<Apgd>(), std::make_unique<Apgd>(), settings);
}

Result solved(ContactSolver& solver, const LocalContactProblem& problem, double tolerance = 1e-12) {
  Result result;
  solver.solve(problem, {.tolerance = tolerance}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  return result;
}

LocalContactProblem one_contact(const Vector& q, double mu) {
  return {3, DenseMatrix(vec({2, 1, 1}).asDiagonal()), q, vec({mu})};
}

LocalContactProblem packing(double friction) {
  return CondensedProblem(sphere_packing({.spheres = 40, .friction = friction})).local();
}

// Frictional contact in the plane: three blocks in a row that lean on each other, bodies of 2 unknowns.
LocalContactProblem planar(double mu) {
  const DenseMatrix j = random_matrix(6, 8, 3);
  return {2, DenseMatrix(j * j.transpose()), vec({-1, 0.4, -2, -0.3, -0.5, 1}), Vector::Constant(3, mu)};
}

TEST(Staggered, OneContactInEveryRegime) {
  const auto disk = staggered(FrictionLaw::coulomb);
  EXPECT_TRUE(solved(*disk, one_contact(vec({1, 5, 5}), 0.5)).r.isZero(1e-12)) << "parts";
  EXPECT_TRUE(solved(*disk, one_contact(vec({-4, 0.6, -0.8}), 0.5)).r.isApprox(vec({2, -0.6, 0.8}), 1e-10))
      << "sticks";
  EXPECT_TRUE(solved(*disk, one_contact(vec({-4, 6, -8}), 0.5)).r.isApprox(vec({2, -0.6, 0.8}), 1e-10))
      << "slides";
}

TEST(Staggered, DiamondSlidesAlongItsFacet) {
  const auto diamond = staggered(FrictionLaw::diamond);
  const double radius = 1.0;  // mu r_N
  const Vector sliding = solved(*diamond, one_contact(vec({-4, 6, -8}), 0.5)).r;
  EXPECT_TRUE(sliding.isApprox(vec({2, 0, radius}), 1e-10)) << sliding.transpose() << ": a corner";
  const Vector facet = solved(*diamond, one_contact(vec({-4, 3, -3.4}), 0.5)).r;
  // The point of |a| + |b| = 1 next to (-3, 3.4) is (-0.3, 0.7).
  EXPECT_TRUE(facet.isApprox(vec({2, -0.3, 0.7}), 1e-10)) << facet.transpose();
}

TEST(Staggered, CoupledContactObeysTheLaw) {
  for (const double mu : {0.1, 0.3, 0.7}) {
    const Result result = solved(*staggered(FrictionLaw::coulomb), packing(mu), 1e-9);
    EXPECT_LE(result.measures.scaled_natural_map, 1e-9);
    EXPECT_LE(result.measures.desaxce, 1e-6) << "the published error, unscaled";
  }
}

// Diamonds both ways: in turns, and as boxes in turned axes.
TEST(Staggered, DiamondsBothWaysAgree) {
  const LocalContactProblem problem = packing(0.7);
  const Result in_turns = solved(*staggered(FrictionLaw::diamond), problem, 1e-9);
  BoxFriction boxes(FrictionLaw::diamond, std::make_unique<Apgd>());
  const Result as_boxes = solved(boxes, problem, 1e-9);
  EXPECT_LE((in_turns.u - as_boxes.u).norm(), 1e-6 * problem.q.norm());
  EXPECT_LT(as_boxes.counts.iterations, in_turns.counts.iterations);
}

// The two problems throw the impulse back and forth here. The answer is honest, and good to a hundredth.
TEST(Staggered, IsHonestWhereConvergenceIsNotPromised) {
  Result result;
  staggered(FrictionLaw::diamond)->solve(packing(0.3), {.tolerance = 1e-8}, result);
  EXPECT_EQ(result.solved(), result.measures.scaled_natural_map <= 1e-8);
  EXPECT_LT(result.measures.scaled_natural_map, 1e-2);
}

// Both problems' conditions, written out.
TEST(Staggered, BothProblemsAreOptimal) {
  const LocalContactProblem problem = packing(0.3);
  const Result result = solved(*staggered(FrictionLaw::coulomb), problem, 1e-10);
  const double size = problem.q.norm();
  for (Index c = 0; c < problem.contacts(); ++c) {
    const auto r = result.r.segment(3 * c, 3);
    const auto u = result.u.segment(3 * c, 3);
    EXPECT_GE(r[0], -1e-12);
    EXPECT_GE(u[0], -1e-8 * size);
    const double slip = u.tail(2).norm();
    EXPECT_LE(r.tail(2).norm(), problem.mu[c] * r[0] * (1 + 1e-8) + 1e-9);
    // Dissipation is as large as it can be.
    EXPECT_NEAR(r.tail(2).dot(u.tail(2)), -problem.mu[c] * r[0] * slip, 1e-8 * size);
  }
}

TEST(Staggered, InThePlaneAllLawsAgree) {
  for (const double mu : {0.05, 0.3}) {
    const LocalContactProblem problem = planar(mu);
    const Vector disk = solved(*staggered(FrictionLaw::coulomb), problem).u;
    const Vector diamond = solved(*staggered(FrictionLaw::diamond), problem).u;
    BoxFriction box(FrictionLaw::box, std::make_unique<Apgd>());
    EXPECT_TRUE(disk.isApprox(diamond, 1e-8));
    EXPECT_TRUE(disk.isApprox(solved(box, problem).u, 1e-8));
  }
}

TEST(Staggered, NoFrictionIsOneProblem) {
  LocalContactProblem problem = packing(0.0);
  const Result result = solved(*staggered(FrictionLaw::coulomb), problem, 1e-10);
  for (Index c = 0; c < problem.contacts(); ++c) EXPECT_TRUE(result.r.segment(3 * c + 1, 2).isZero());
}

TEST(Staggered, JointsHold) {
  LocalContactProblem problem = planar(0.3);
  const DenseMatrix v = mat({{0.5}, {0.25}, {0}, {0.1}, {0}, {0.3}});
  add_joints(csr_from_dense(v), csr_from_dense(DenseMatrix::Constant(1, 1, 4.0)), Vector::Constant(1, -1.0),
             problem);
  const Result result = solved(*staggered(FrictionLaw::coulomb), problem, 1e-10);
  EXPECT_NEAR(result.u[6], 0.0, 1e-8);
  BoxFriction box(FrictionLaw::box, std::make_unique<Apgd>());
  EXPECT_TRUE(result.u.isApprox(solved(box, problem, 1e-10).u, 1e-6));
}

TEST(Staggered, TurnsAndShiftsTheJacobianOfBodiesIfAskedTo) {
  GlobalContactProblem global = sphere_packing({.spheres = 30, .friction = 0.4});
  const LocalContactProblem problem = CondensedProblem(global).local();
  for (const double proximal : {0.0, 1e-2}) {
    Vector r[2];
    for (const bool keeps_bodies : {false, true}) {
      Staggered solver(FrictionLaw::diamond, std::make_unique<Apgd>(), std::make_unique<Apgd>(),
                       {.proximal = proximal}, keeps_bodies);
      r[keeps_bodies ? 1 : 0] = solved(solver, problem, 1e-9).r;
    }
    EXPECT_LE((r[0] - r[1]).norm(), 1e-5 * r[0].norm());
    EXPECT_NE(r[0], r[1]) << "the matrices have other bits";
  }
}

TEST(Staggered, ProximalShiftVanishes) {
  const LocalContactProblem problem = packing(0.3);
  const auto shifted = staggered(FrictionLaw::coulomb, {.proximal = 0.1});
  EXPECT_TRUE(solved(*shifted, problem, 1e-9).solved());
}

TEST(Staggered, KineticRuleEndsEarly) {
  const LocalContactProblem problem = packing(0.3);
  const auto loose = staggered(FrictionLaw::coulomb, {.kinetic_tolerance = 1e-2});
  Result early, late;
  loose->solve(problem, {.tolerance = 1e-12}, early);
  staggered(FrictionLaw::coulomb)->solve(problem, {.tolerance = 1e-12, .max_iterations = 500}, late);
  EXPECT_LT(early.counts.iterations, late.counts.iterations);
  EXPECT_EQ(early.status, Status::stalled);
}

TEST(Staggered, LimitsAreObeyed) {
  Result result;
  staggered(FrictionLaw::coulomb)->solve(packing(0.3), {.tolerance = 1e-14, .max_iterations = 2}, result);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.counts.iterations, 2);
}

TEST(Staggered, MethodThatCannotTakeDisksSaysSo) {
  Staggered wrong(FrictionLaw::coulomb, std::make_unique<Mprgp>(), std::make_unique<Mprgp>());
  Result result;
  wrong.solve(packing(0.3), {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_NE(result.message.find("disk"), std::string::npos) << result.message;
}

// The convex problems have the symmetric part, the law that is met has W as given.
TEST(Staggered, AsymmetryIsNoObstacle) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::diamond}) {
    LocalContactProblem problem = one_contact(vec({-1, 0.2, -0.1}), 0.3);
    problem.W = Operator(mat({{1, 0.05, 0}, {0, 1, 0.02}, {-0.03, 0, 1}}));
    EXPECT_LE(solved(*staggered(law), problem, 1e-10).measures.scaled_natural_map, 1e-10);
  }
}

TEST(BoxFriction, EveryTangentByItself) {
  BoxFriction box(FrictionLaw::box, std::make_unique<Apgd>());
  const Result result = solved(box, one_contact(vec({-4, 6, -0.5}), 0.5));
  EXPECT_TRUE(result.r.isApprox(vec({2, -1, 0.5}), 1e-10)) << result.r.transpose();
}

TEST(BoxFriction, PackingsWithLittleAndMuchFriction) {
  for (const double mu : {0.1, 0.3, 0.7}) {
    BoxFriction box(FrictionLaw::box, std::make_unique<Mprgp>());
    const Result result = solved(box, packing(mu), 1e-8);
    for (Index i = 0; i < result.r.size(); ++i)
      EXPECT_LE(std::abs(result.r[i]), (i % 3 == 0 ? 1.0 : mu) * result.r[i - i % 3] + 1e-9);
  }
}

}  // namespace slipstick::internal::staggered_test
