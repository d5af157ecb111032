// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/free_preconditioner.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/pivoting/free_system.hpp"
#include "slipstick/solvers/pivoting/pgcg.hpp"
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::free_preconditioner_test {

using enum FreePreconditioning;

const std::vector<char> all = {1, 1, 1}, ends = {1, 0, 1};
const std::vector<FreePreconditioning> factors = {ic0, mic0, imaginary, partial_shift, ict};
const std::vector<LeavingRows> ways = {LeavingRows::mask, LeavingRows::downdate};

// P^-1 by columns.
DenseMatrix inverse(const FreePreconditioner& preconditioner, Index n) {
  DenseMatrix whole(n, n);
  Vector z(n);
  for (Index i = 0; i < n; ++i) {
    preconditioner.apply(Vector::Unit(n, i), z);
    whole.col(i) = z;
  }
  return whole;
}

TEST(FreePreconditioner, IsExactWhereThereIsNoFill) {
  const Operator A(mat({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}));
  for (const FreePreconditioning p : factors) {
    FreePreconditioner preconditioner;
    preconditioner.prepare(A, {.preconditioner = p, .refactor = 0.0});
    preconditioner.set_free(all);
    Vector z(3);
    preconditioner.apply(vec({6, 10, 8}), z);
    EXPECT_NEAR((z - vec({1, 2, 3})).norm(), 0.0, 1e-14);
    preconditioner.set_free(ends);
    preconditioner.apply(vec({4, 7, 2}), z);
    EXPECT_NEAR((z - vec({1, 0, 1})).norm(), 0.0, 1e-14);
    EXPECT_EQ(preconditioner.factorizations(), 2);
  }
}

TEST(FreePreconditioner, MasksRowsThatHaveLeft) {
  const Operator A(mat({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}));
  FreePreconditioner preconditioner;
  preconditioner.prepare(A, {.preconditioner = ic0, .leaving = LeavingRows::mask, .refactor = 1.0});
  preconditioner.set_free(all);
  preconditioner.set_free(ends);
  EXPECT_EQ(preconditioner.factorizations(), 1);
  Vector z(3);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z[1], 0.0);
  EXPECT_GT(z[0], 0.0);
  EXPECT_GT(z[2], 0.0);
}

TEST(FreePreconditioner, Jacobi) {
  const Operator A(mat({{4, 1, 0}, {1, 0, 1}, {0, 1, 2}}));
  FreePreconditioner preconditioner;
  preconditioner.prepare(A, {.preconditioner = jacobi});
  preconditioner.set_free(all);
  Vector z(3);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z, vec({1, 7, 1}));
  preconditioner.set_free(ends);
  preconditioner.apply(vec({4, 7, 2}), z);
  EXPECT_EQ(z, vec({1, 0, 1}));
  EXPECT_EQ(preconditioner.factorizations(), 0);
}

// Without fill to drop, a downdate of the first row is the factor of the others, to which a mask is not.
TEST(FreePreconditioner, DowndatesRowsThatHaveLeft) {
  const Operator A(mat({{4, 1, 1}, {1, 3, 1}, {1, 1, 2}}));
  const std::vector<char> last = {0, 1, 1};
  const DenseMatrix exact = internal::inverse(mat({{3, 1}, {1, 2}}));
  for (const FreePreconditioning p : factors) {
    FreePreconditioner preconditioner;
    for (const LeavingRows leaving : ways) {
      preconditioner.prepare(
          A, {.preconditioner = p, .drop_tolerance = 0.0, .leaving = leaving, .refactor = 1.0});
      preconditioner.set_free(all);
      preconditioner.set_free(last);
      EXPECT_EQ(preconditioner.factorizations(), 1);
      const double error = (inverse(preconditioner, 3).bottomRightCorner(2, 2) - exact).norm();
      if (leaving == LeavingRows::downdate) {
        EXPECT_LE(error, 1e-3);  // changes of a pivot below 1e-4 are not followed
      } else {
        EXPECT_GE(error, 1e-2);
      }
    }
  }
}

TEST(FreePreconditioner, RowsThatComeBackAfterADowndateHaveTheirDiagonal) {
  const Operator A(mat({{4, 1, 1}, {1, 3, 1}, {1, 1, 2}}));
  FreePreconditioner preconditioner;
  preconditioner.prepare(A, {.preconditioner = ic0, .leaving = LeavingRows::downdate, .refactor = 1.0});
  preconditioner.set_free(all);
  preconditioner.set_free(std::vector<char>{0, 1, 1});
  const DenseMatrix without = inverse(preconditioner, 3);
  EXPECT_TRUE(without.col(0).isZero());
  preconditioner.set_free(all);
  const DenseMatrix back = inverse(preconditioner, 3);
  EXPECT_EQ(back(0, 0), 0.25);
  EXPECT_EQ(back.bottomRightCorner(2, 2), without.bottomRightCorner(2, 2));
  EXPECT_TRUE(back.col(0).tail(2).isZero());
  EXPECT_EQ(preconditioner.factorizations(), 1);
  // It still counts as a changed row. If it was masked, it does not.
  for (const LeavingRows leaving : ways) {
    preconditioner.prepare(A, {.preconditioner = ic0, .leaving = leaving, .refactor = 0.5});
    for (const auto& free : {all, std::vector<char>{0, 1, 1}, all, ends}) preconditioner.set_free(free);
    EXPECT_EQ(preconditioner.factorizations(), leaving == LeavingRows::downdate ? 2 : 1);
  }
}

// Whatever leaves and comes back, and however ill-conditioned the matrix is.
TEST(FreePreconditioner, StaysSymmetricPositiveDefinite) {
  const Problem problem = random_box({.rows = 40, .condition = 1e8}).problem;
  Random random(3);
  FreePreconditioner preconditioner;
  for (const FreePreconditioning p : factors) {
    for (const LeavingRows leaving : ways) {
      preconditioner.prepare(problem.A, {.preconditioner = p, .leaving = leaving, .refactor = 0.4});
      for (int change = 0; change < 12; ++change) {
        std::vector<char> free(40);
        for (char& f : free) f = random.uniform() < 0.8;
        preconditioner.set_free(free);
        const DenseMatrix P = inverse(preconditioner, 40);
        EXPECT_LE((P - P.transpose()).norm(), 1e-12 * P.norm());
        for (Index i = 0; i < 40; ++i) {
          EXPECT_EQ(P.row(i).isZero(), free[static_cast<std::size_t>(i)] == 0);
        }
        // Semidefinite but for the rounding of entries that spread widely.
        EXPECT_GE(eigenvalues(P)[0], -1e-12 * P.norm());
      }
    }
  }
}

TEST(FreePreconditioner, ASecondPassAllocatesNothing) {
  const Problem problem = random_box({.rows = 200}).problem;
  FreePreconditioner preconditioner;
  std::vector<char> free(200, 1);
  Vector r = Vector::Ones(200), z(200);
  const auto pass = [&](FreePreconditioning p, LeavingRows leaving) {
    preconditioner.prepare(problem.A, {.preconditioner = p, .leaving = leaving, .refactor = 0.03});
    for (std::size_t i = 0; i < 200; i += 3) {
      free.assign(200, 1);
      for (std::size_t k = 0; k <= i; k += 3) free[k] = k % 2 == 0;
      preconditioner.set_free(free);
      preconditioner.apply(r, z);
    }
  };
  for (const FreePreconditioning p : factors) {
    for (const LeavingRows leaving : ways) {
      pass(p, leaving);
      const std::size_t before = allocations();
      pass(p, leaving);
      EXPECT_EQ(allocations(), before) << static_cast<int>(p);
      EXPECT_GT(preconditioner.factorizations(), 1);
    }
  }
}

template <class Settings>
std::vector<Settings> every_option() {
  std::vector<Settings> list;
  for (const FreePreconditioning p : {jacobi, ic0, mic0, imaginary, partial_shift, ict}) {
    for (const LeavingRows leaving : ways) {
      for (const IncompleteScaling scaling :
           {IncompleteScaling::none, IncompleteScaling::diagonal, IncompleteScaling::column_norm}) {
        Settings settings;
        settings.preconditioner = p;
        settings.leaving = leaving;
        settings.scaling = scaling;
        list.push_back(settings);
      }
    }
  }
  Settings settings;
  settings.preconditioner = ict;
  settings.most_entries = 3;
  settings.drop_tolerance = 1e-4;
  list.push_back(settings);
  return list;
}

TEST(FreePreconditioner, EveryOptionReachesTheSameAnswer) {
  const KnownProblem known = random_box({.rows = 150, .condition = 1e4, .free = 0.1, .two_sided = 0.3});
  const auto expect_solved = [&](Solver& solver, const FreePreconditionerSettings& settings) {
    const Result result = solve_with(solver, known.problem, 1e-11);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.x - known.x).norm(), 1e-6 * known.x.norm())
        << static_cast<int>(settings.preconditioner) << ", " << static_cast<int>(settings.leaving) << ", "
        << static_cast<int>(settings.scaling);
  };
  for (const auto& settings : every_option<PgcgSettings>()) {
    Pgcg solver(settings);
    expect_solved(solver, settings);
  }
  for (const auto& settings : every_option<BppPcgSettings>()) {
    PrincipalPivoting solver(settings);
    expect_solved(solver, settings);
  }
}

// Conjugate gradients for the rest after a tenth of the rows has left, the factor being that of all rows.
TEST(FreePreconditioner, ADowndateTakesNoMoreInnerIterationsThanAMask) {
  for (const FreePreconditioning p : factors) {
    std::int64_t products[2] = {0, 0};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Problem problem = random_box({.rows = 300, .condition = 1e6, .seed = seed}).problem;
      Random random(seed);
      std::vector<char> free(300, 1);
      for (char& f : free) f = random.uniform() > 0.1;
      Vector r = problem.b, x(300);
      for (Index i = 0; i < 300; ++i) r[i] *= free[static_cast<std::size_t>(i)];
      for (std::size_t way = 0; way < ways.size(); ++way) {
        PcgFreeSystem system({.preconditioner = p, .leaving = ways[way], .refactor = 1.0});
        system.prepare(problem.A, 1);
        system.set_free(std::vector<char>(300, 1));
        system.set_free(free);
        EXPECT_TRUE(system.correct(r, 1e-9 * r.norm(), x));
        Counts counts;
        system.count(counts);
        EXPECT_EQ(counts.factorizations, 1);
        products[way] += counts.products;
      }
    }
    EXPECT_LT(products[1], products[0]) << static_cast<int>(p);
  }
}

}  // namespace slipstick::internal::free_preconditioner_test
