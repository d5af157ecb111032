// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/mprgp_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::mprgp_cuda_test {

// Spheres without friction.
Problem frictionless(int spheres) {
  const GlobalContactProblem global = sphere_packing({.spheres = spheres});
  return impulse_problem(CondensedProblem(global).local(), FrictionLaw::none).problem;
}

// A chain of rows with a neighbour each, and one row that all others know.
Problem arrow(Index rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i) entries.emplace_back(i, i, i == 0 ? 4.0 * static_cast<double>(rows) : 3.0);
  for (int i = 1; i < rows; ++i) {
    entries.emplace_back(0, i, 1.0);
    entries.emplace_back(i, 0, 1.0);
    if (i > 1) {
      entries.emplace_back(i, i - 1, -0.5);
      entries.emplace_back(i - 1, i, -0.5);
    }
  }
  CsrMatrix A(rows, rows);
  A.setFromTriplets(entries.begin(), entries.end());
  Vector b(rows);
  for (Index i = 0; i < rows; ++i) b[i] = std::sin(7.0 * static_cast<double>(i));
  ProductSet K;
  for (Index i = 0; i < rows; ++i)
    K.append_interval(i % 3 == 0 ? -infinity : -0.2, i % 2 == 0 ? 0.3 : infinity);
  return {A, b, K};
}

// Without a load of each row, impulses are zero but for rounding, which then decides on the steps.
Problem shaken(Problem problem) {
  Random random(9);
  const double size = problem.b.cwiseAbs().maxCoeff();
  for (double& entry : problem.b) entry += size * random.uniform(-0.2, 0.2);
  return problem;
}

struct Case {
  std::string name;
  Problem problem;
};
std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"spheres", frictionless(150)});
  list.push_back({"one sphere", frictionless(1)});
  list.push_back({"joints", random_bodies({.bodies = 40, .contacts = 0, .joint_rows = 60, .seed = 7})});
  list.push_back({"random box", random_box({.rows = 300, .seed = 5}).problem});
  list.push_back({"arrow", arrow(400)});
  return list;
}

// A test for each case, so that each can run in a process of its own.
class MprgpCudaCases : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Every, MprgpCudaCases, ::testing::Range(0, 5));

TEST_P(MprgpCudaCases, IteratesAreThoseOfMprgp) {
  SLIPSTICK_NEEDS_DEVICE();
  const Case one = cases().at(static_cast<std::size_t>(GetParam()));
  SCOPED_TRACE(one.name);
  for (const MprgpSettings& settings :
       {MprgpSettings{}, MprgpSettings{.proportion = 0.5, .step = 1.0, .expansion = Expansion::fixed}}) {
    MprgpCuda device(settings);
    Mprgp host(settings);
    const Problem problem = shaken(one.problem);
    for (const int iterations : {1, 2, 5, 20}) expect_same_iterates(device, host, problem, iterations);
  }
}

TEST(MprgpCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Mprgp host;
    Result expected, result;
    host.solve(one.problem, {.tolerance = 1e-8}, expected);
    MprgpCuda solver;
    solver.solve(one.problem, {.tolerance = 1e-8}, result);
    EXPECT_EQ(result.status, expected.status) << result.message;
    if (!expected.solved()) continue;
    EXPECT_LE(error_of(one.problem, result.x), 1e-8);
    EXPECT_LE(result.counts.iterations, 2 * expected.counts.iterations + 20);
    const Vector first = result.x;
    solver.solve(one.problem, {.tolerance = 1e-8}, result);
    EXPECT_EQ(result.x, first) << "the same bits again";
    MprgpCuda other;
    other.solve(one.problem, {.tolerance = 1e-8}, result);
    EXPECT_EQ(result.x, first) << "the same bits by another object";
  }
}

// The matrix of bodies, and the same one assembled.
TEST(MprgpCuda, TakesBodiesAndSparseMatricesInTurns) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem bodies = frictionless(80);
  const Problem sparse{Operator(*bodies.A.assemble()), bodies.b, bodies.K};
  MprgpCuda solver;
  for (int turn = 0; turn < 2; ++turn) {
    for (const Problem* problem : {&bodies, &sparse}) {
      Result result;
      solver.solve(*problem, {.tolerance = 1e-9}, result);
      EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
      EXPECT_LE(error_of(bodies, result.x), 1.1e-9);
    }
  }
}

TEST(MprgpCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem problem = frictionless(150);
  MprgpCuda solver;
  expect_iteration_limits(solver, problem);
}

TEST(MprgpCuda, EmptyRowsGoToTheirBounds) {
  SLIPSTICK_NEEDS_DEVICE();
  CsrMatrix A(3, 3);
  A.insert(0, 0) = 2.0;
  ProductSet K;
  K.append_interval(0.0, 5.0);
  K.append_interval(-1.0, 5.0);
  K.append_interval(-1.0, 5.0);
  Problem problem{A, vec({-2.0, 1.0, -1.0}), K};
  MprgpCuda solver;
  Result result;
  solver.solve(problem, {}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.x, vec({1.0, -1.0, 5.0}));
  problem.K = ProductSet::free(3);
  solver.solve(problem, {}, result);
  EXPECT_EQ(result.status, Status::unbounded);
}

TEST(MprgpCuda, RefusesByName) {
  const Problem cones = contact(2.0, vec({-1.0, 0.5, 0.0}), 0.3);
  MprgpCuda solver;
  Result result;
  solver.solve(cones, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message.find("mprgp-cuda "), 0U) << result.message;
  if (device_info().usable()) return;
  solver.solve(arrow(5), {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_NE(result.message.find("mprgp-cuda needs a CUDA device"), std::string::npos) << result.message;
}

}  // namespace slipstick::internal::mprgp_cuda_test
