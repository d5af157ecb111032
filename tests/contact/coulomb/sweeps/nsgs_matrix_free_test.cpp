// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"

#include <gtest/gtest.h>

#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::nsgs_matrix_free_test {

TEST(NsgsMatrixFree, SweepsAsTheBlocksDo) {
  const LocalContactProblem problem = sphere_contacts(60, 0.3);
  ASSERT_EQ(problem.W.kind(), "Delassus");
  NsgsMatrixFree matrix_free;
  Nsgs assembled;
  Result result;
  matrix_free.solve(problem, {.tolerance = 1e-9}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_LE(result.measures.desaxce, 1e-9);
  expect_coulomb(problem, result, 1e-6);
  const Result other = solve_coulomb(assembled, problem, 1e-9);
  EXPECT_LE((result.r - other.r).norm(), 1e-6 * other.r.norm());
}

TEST(NsgsMatrixFree, TakesEveryStorageAndDimension) {
  NsgsMatrixFree solver;
  for (const int dimension : {2, 3}) {
    LocalContactProblem problem = random_contacts(
        {.dimension = dimension, .contacts = 10, .dofs = 60, .friction = 0.4, .asymmetry = 1e-3, .seed = 4});
    const CsrMatrix sparse = *problem.W.assemble();
    const std::vector<Operator> storages{problem.W, Operator(sparse)};
    for (const Operator& W : storages) {
      problem.W = W;
      Result result;
      solver.solve(problem, {.tolerance = 1e-10}, result);
      EXPECT_TRUE(result.solved()) << W.kind() << ": " << result.message;
      expect_coulomb(problem, result, 1e-7);
    }
  }
}

TEST(NsgsMatrixFree, EveryOptionEndsAtTheSolution) {
  const LocalContactProblem problem = sphere_contacts(20, 0.5);
  for (const NsgsSettings& settings :
       {NsgsSettings{.relaxation = 0.8}, NsgsSettings{.order = SweepOrder::symmetric},
        NsgsSettings{.test = 1}, NsgsSettings{.proximal = 0.1}}) {
    NsgsMatrixFree solver(settings);
    Result result;
    solver.solve(problem, {.tolerance = 1e-8}, result);
    EXPECT_TRUE(result.solved()) << result.message;
  }
}

TEST(NsgsMatrixFree, WarmStartAtTheSolutionIsFree) {
  const LocalContactProblem problem = sphere_contacts(20, 0.5);
  NsgsMatrixFree solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-9}, result);
  const WarmStart start{result.r};
  solver.solve(problem, {.tolerance = 1e-8}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 0);
}

TEST(NsgsMatrixFree, SameBitsAgain) {
  const LocalContactProblem problem = sphere_contacts(20, 0.5);
  NsgsMatrixFree solver;
  Result result;
  const Settings settings{.tolerance = 1e-14, .max_iterations = 60};
  solver.solve(problem, settings, result);
  const Vector first = result.r;
  solver.solve(problem, settings, result);
  EXPECT_EQ(result.r, first);
  EXPECT_EQ(result.status, Status::iteration_limit);
}

TEST(NsgsMatrixFree, TakesJointsLimitsAndMotors) {
  for (const int dimension : {2, 3}) {
    const LocalContactProblem problem = random_contacts(
        {.dimension = dimension, .contacts = 6, .friction = 0.3, .bilateral = 2, .bounded = 5});
    Result result;
    NsgsMatrixFree().solve(problem, {.tolerance = 1e-9}, result);
    ASSERT_TRUE(result.solved());
    expect_coulomb(problem, result, 1e-6);
  }
}

TEST(NsgsMatrixFree, NothingIsSolvedByNothing) {
  Result result;
  NsgsMatrixFree().solve({3, Operator(DenseMatrix(0, 0)), Vector(0), Vector(0)}, {}, result);
  EXPECT_TRUE(result.solved());
}

}  // namespace slipstick::internal::nsgs_matrix_free_test
