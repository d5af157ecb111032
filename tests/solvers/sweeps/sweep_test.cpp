// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/error.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::sweep_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// What the kernels read of SweepSolver::Rows.
struct Rows {
  Vector step;
  Vector weight;
  const double* b = nullptr;
  const double* lower = nullptr;
  const double* upper = nullptr;
};

struct Sample {
  Sample(Operator a, Vector load, Vector low, Vector high)
      : A(std::move(a)), b(std::move(load)), lower(std::move(low)), upper(std::move(high)) {
    rows.step.resize(A.rows());
    A.diagonal(rows.step);
    rows.step = rows.step.cwiseInverse();
    rows.weight = Vector::Constant(A.rows(), 2.0);
    rows.b = b.data();
    rows.lower = lower.data();
    rows.upper = upper.data();
    product = Vector::Constant(A.rows(), nan);
  }
  // sweep(kernel) of Gauss-Seidel from x.
  template <class Use>
  double gauss_seidel(Vector& x, const Use& use) {
    return A.visit([&](const auto& a) {
      GaussSeidelSweep sweep(a, rows, x, velocities);
      return use(sweep);
    });
  }
  template <class Use>
  double jacobi(Vector& x, const Use& use, int threads = 1) {
    return A.visit([&](const auto& a) {
      JacobiSweep sweep(a, A, rows, x, velocities, product, partial_sums, threads);
      return use(sweep);
    });
  }
  Operator A;
  Vector b, lower, upper;
  Rows rows;
  Vector velocities, product, partial_sums;
};

// w = (2 x_0 + x_1 - 4, x_0 + 2 x_1 - 1).
Sample two_rows(const Vector& lower = vec({0, 0}), const Vector& upper = vec({infinity, infinity})) {
  return {csr_from_dense(mat({{2, 1}, {1, 2}})), vec({-4, -1}), lower, upper};
}

const auto full = [](auto& sweep) { return sweep.full(); };
const auto backward = [](auto& sweep) { return sweep.backward(); };

TEST(Sweep, GaussSeidelByHand) {
  Sample sample = two_rows();
  Vector x = vec({0, 0});
  // x_0 = 2, then x_1 = max(0, (1 - 2) / 2); the weights are 2.
  EXPECT_EQ(sample.gauss_seidel(x, full), 4.0);
  EXPECT_EQ(x, vec({2, 0}));
  // Backwards x_1 = 1/2 comes first: x_0 = 7/4.
  x.setZero();
  EXPECT_EQ(sample.gauss_seidel(x, backward), 2.0 * std::hypot(0.5, 1.75));
  EXPECT_EQ(x, vec({1.75, 0.5}));
}

TEST(Sweep, JacobiByHand) {
  Sample sample = two_rows();
  Vector x = vec({0, 0});
  EXPECT_EQ(sample.jacobi(x, full), 2.0 * std::hypot(2.0, 0.5));
  EXPECT_EQ(x, vec({2, 0.5}));
}

TEST(Sweep, StepsEndAtTheBounds) {
  Sample sample = two_rows(vec({-1, 0.75}), vec({1.5, 3}));
  Vector x = vec({0, 1});
  EXPECT_EQ(sample.gauss_seidel(x, full), 2.0 * std::hypot(1.5, 0.25));
  EXPECT_EQ(x, vec({1.5, 0.75}));
  // A step of 0 keeps a row unchanged.
  sample.rows.step[0] = 0.0;
  x = vec({-1, 1});
  sample.gauss_seidel(x, full);
  EXPECT_EQ(x, vec({-1, 1}));
  sample.jacobi(x, full);
  EXPECT_EQ(x, vec({-1, 1}));
}

TEST(Sweep, ReducedSweepsMoveTheListedRowsAlone) {
  Sample sample = two_rows();
  const std::vector<int> second = {1};
  const auto reduced = [&](auto& sweep) { return sweep.reduced(second); };
  Vector x = vec({0.25, 0});
  EXPECT_EQ(sample.gauss_seidel(x, reduced), 2.0 * 0.375);
  EXPECT_EQ(x, vec({0.25, 0.375}));
  x = vec({0.25, 0});
  EXPECT_EQ(sample.jacobi(x, reduced), 2.0 * 0.375);
  EXPECT_EQ(x, vec({0.25, 0.375}));
}

TEST(Sweep, ANaNInTheIterateShows) {
  Sample sample = two_rows();
  Vector x = vec({nan, 0});
  EXPECT_TRUE(std::isnan(sample.gauss_seidel(x, full)));
  x = vec({nan, 0});
  EXPECT_TRUE(std::isnan(sample.jacobi(x, full)));
}

// Every storage against the definition, on the matrix of a random body graph.
TEST(Sweep, EveryStorageSweepsTheSame) {
  const DelassusOperator bodies = box_cases::random_bodies(3, true, 0.3);
  const CsrMatrix sparse = bodies.to_csr();
  const DenseMatrix a(sparse);
  const Index n = a.rows();
  Random random(1);
  const Vector b = random_vector(n, random);
  const Vector start = random_vector(n, random).cwiseMax(0.0);
  const std::vector<int> some = {1, 4, 5, 11};
  const Operator storages[] = {sparse, BandedMatrix(sparse), a, bodies};
  for (const Operator& storage : storages) {
    SCOPED_TRACE(storage.kind());
    Sample sample(storage, b, Vector::Zero(n), Vector::Constant(n, infinity));
    const auto step = [&](Vector& x, Index i, const Vector& from) {
      x[i] = std::max(0.0, from[i] - (a.row(i).dot(from) + b[i]) / a(i, i));
    };
    Vector expected = start;
    for (Index i = 0; i < n; ++i) step(expected, i, expected);
    for (Index i = n - 1; i >= 0; --i) step(expected, i, expected);
    for (const int i : some) step(expected, i, expected);
    Vector x = start;
    sample.gauss_seidel(x, [&](auto& sweep) {
      sweep.full();
      sweep.backward();
      return sweep.reduced(some);
    });
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());

    Vector before = start;
    for (Index i = 0; i < n; ++i) step(expected, i, before);
    for (int round = 0; round < 2; ++round) {
      before = expected;
      for (const int i : some) step(expected, i, before);
    }
    x = start;
    sample.jacobi(x, [&](auto& sweep) {
      sweep.full();
      sweep.refresh();
      sweep.reduced(some);
      return sweep.reduced(some);
    });
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  }
}

// The velocities of the bodies follow x; after someone else has changed x they are found anew.
TEST(Sweep, RefreshForgetsTheVelocitiesOfBefore) {
  const DelassusOperator bodies = box_cases::random_bodies(5, false, 0.1);
  const Index n = bodies.rows();
  Sample sample(bodies, Vector::Constant(n, -1.0), Vector::Zero(n), Vector::Constant(n, infinity));
  Vector x = Vector::Zero(n);
  sample.gauss_seidel(x, [&](auto& sweep) {
    sweep.full();
    x.setOnes();
    sweep.refresh();
    return sweep.full();
  });
  Vector expected = Vector::Ones(n);
  sample.gauss_seidel(expected, full);
  EXPECT_LT((x - expected).norm(), 1e-14 * expected.norm());
}

// More rows than one piece of the sum.
TEST(Sweep, JacobiHasTheSameBitsOnAnyThreads) {
  const Index n = 10000;
  CsrMatrix a(n, n);
  a.setIdentity();
  Random random(2);
  Sample sample(a, random_vector(n, random), Vector::Zero(n), Vector::Constant(n, infinity));
  Vector x = Vector::Zero(n), y = Vector::Zero(n);
  const double one = sample.jacobi(x, full, 1);
  const double three = sample.jacobi(y, full, 3);
  EXPECT_EQ(one, three);
  EXPECT_EQ(x, y);
  EXPECT_NEAR(one, 2.0 * sample.b.cwiseMin(0.0).norm(), 1e-12 * one);
}

TEST(Sweep, RelaxationsThatConverge) {
  for (const double good : {1e-3, 1.0, 1.999}) EXPECT_NO_THROW(check_gauss_seidel_relaxation(good));
  for (const double bad : {0.0, -1.0, 2.0, nan}) EXPECT_THROW(check_gauss_seidel_relaxation(bad), Error);
  for (const double good : {0.0, 1.0, 2.0}) EXPECT_NO_THROW(check_jacobi_relaxation(good));
  for (const double bad : {-1e-3, 2.001, nan}) EXPECT_THROW(check_jacobi_relaxation(bad), Error);
}

}  // namespace slipstick::internal::sweep_test
