// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/block_sweep.hpp"

#include "slipstick/error.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/solvers/sweeps/pgs.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::block_sweep_test {

TEST(BlockSweep, OneContactInEveryRegimeIsAProjection) {
  GaussSeidel gauss_seidel({.local = LocalStep::projected});
  cone_cases::expect_projections(gauss_seidel);
}

TEST(BlockSweep, ExactStepSolvesOneContactAtOnce) {
  const DenseMatrix W = mat({{1.0, 0.2, -0.3}, {0.2, 2.0, 0.1}, {-0.3, 0.1, 0.5}});
  for (const Vector& q : {vec({1.0, 0.1, -0.1}), vec({-1.0, 0.1, 0.2}), vec({-1.0, 2.0, 1.0})}) {
    const Result result = solve_with(GaussSeidel(), cone_cases::contact(W, q, 0.5), 1e-12);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_LE(result.counts.iterations, 2);
  }
}

// On bounds the blocks are rows, so the sweeps are those of the bound solvers, bit by bit but for the order
// of a sum.
TEST(BlockSweep, OnBoundsSweepsAsTheRowMethodsDo) {
  const Problem problem = box_cases::chain(40);
  const Settings settings{.tolerance = 0.0, .max_iterations = 30};
  Result blocks, rows;
  GaussSeidel().solve(problem, settings, blocks);
  Pgs().solve(problem, settings, rows);
  EXPECT_LT((blocks.x - rows.x).norm(), 1e-13 * rows.x.norm());
  Jacobi().solve(problem, settings, blocks);
  Pjacobi().solve(problem, settings, rows);
  EXPECT_LT((blocks.x - rows.x).norm(), 1e-13 * rows.x.norm());
}

TEST(BlockSweep, AgreesWithApgd) {
  for (const bool symmetric : {false, true}) {
    GaussSeidel solver({.symmetric = symmetric});
    cone_cases::expect_agreement(solver, cone_cases::packing(15, 0.3));
    cone_cases::expect_agreement(solver, cone_cases::cones_and_rows(3));
  }
  Jacobi jacobi({.relaxation = 0.0});
  cone_cases::expect_agreement(jacobi, cone_cases::cones_and_rows(3));
  cone_cases::expect_agreement(jacobi, cone_cases::packing(15, 0.3));
}

// The mean diagonal of a contact is not that of its rows, so the same matrix asks for another relaxation.
TEST(BlockSweep, KeptSolversRelaxAnewForOtherSets) {
  Problem rows{csr_from_dense(mat({{100, 0, 0}, {0, 1, 0}, {0, 0, 1}})), vec({-1, 0.1, 0.2}),
               ProductSet::free(3)};
  Problem contact = rows;
  contact.K = ProductSet::cones(vec({0.5}), 3);
  const JacobiSettings settings{.relaxation = 0.0};
  Jacobi kept(settings), fresh(settings);
  Result result, expected;
  kept.solve(rows, {}, result);
  kept.solve(contact, {}, result);
  fresh.solve(contact, {}, expected);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.x, expected.x);
}

TEST(BlockSweep, DampingAndRelaxationReachTheSameAnswer) {
  GaussSeidelSettings settings{.relaxation = 1.3};
  GaussSeidel over(settings);
  cone_cases::expect_agreement(over, cone_cases::cones_and_rows(4));
  settings.relaxation = 0.5;
  settings.damping = 0.7;
  settings.local = LocalStep::projected;
  GaussSeidel damped(settings);
  cone_cases::expect_agreement(damped, cone_cases::cones_and_rows(4));
  Jacobi exact({.relaxation = 0.2, .local = LocalStep::exact});
  cone_cases::expect_agreement(exact, cone_cases::cones_and_rows(4));
}

// Every storage sweeps the same rows.
TEST(BlockSweep, StoragesAgree) {
  Problem problem = cone_cases::packing(10, 0.3);
  const Settings settings{.tolerance = 0.0, .max_iterations = 20};
  Result expected;
  GaussSeidel().solve(problem, settings, expected);
  const auto assembled = problem.A.assemble();
  for (const Operator& storage :
       {Operator(*assembled), Operator(DenseMatrix(*assembled)), Operator(BandedMatrix(*assembled))}) {
    problem.A = storage;
    Result result;
    GaussSeidel().solve(problem, settings, result);
    EXPECT_LT((result.x - expected.x).norm(), 1e-9 * expected.x.norm()) << storage.kind();
  }
}

TEST(BlockSweep, RefusesBadSettings) {
  EXPECT_THROW(Jacobi({.relaxation = 0.0, .local = LocalStep::exact}), Error);
  GaussSeidelSettings settings{.relaxation = 2.0};
  EXPECT_THROW(GaussSeidel{settings}, Error);
  settings.relaxation = 1.0;
  settings.damping = 0.0;
  EXPECT_THROW(GaussSeidel{settings}, Error);
}

}  // namespace slipstick::internal::block_sweep_test
