// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/uic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::uic_test {

UicOptions grid(int dimension, int resolution, std::uint64_t seed = 1) {
  return {.dimension = dimension, .resolution = resolution, .seed = seed};
}

// Over-relaxed projected Gauss-Seidel, empty rows skipped; enough for small grids.
Vector solve(const Problem& problem, int sweeps) {
  const CsrMatrix& a = *problem.A.assemble();
  const Vector diagonal = a.diagonal();
  Vector p = Vector::Zero(a.rows());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (diagonal[i] == 0.0) continue;
      p[i] = std::max(0.0, p[i] - 1.7 * (row_dot(a, i, p.data()) + problem.b[i]) / diagonal[i]);
    }
  }
  return p;
}

// The sums of b over the connected parts of A's graph.
std::vector<double> room_of_parts(const Problem& problem) {
  const CsrMatrix& a = *problem.A.assemble();
  std::vector<char> seen(static_cast<std::size_t>(a.rows()), 0);
  std::vector<double> sums;
  std::vector<Index> stack;
  for (Index seed = 0; seed < a.rows(); ++seed) {
    if (seen[seed]) continue;
    sums.push_back(0.0);
    seen[seed] = 1;
    stack = {seed};
    while (!stack.empty()) {
      const Index i = stack.back();
      stack.pop_back();
      sums.back() += problem.b[i];
      for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
        if (!seen[it.col()]) stack.push_back(it.col());
        seen[it.col()] = 1;
      }
    }
  }
  return sums;
}

TEST(UicPressure, OneCellIsEmpty) {
  for (const int dimension : {2, 3}) {
    const Problem problem = uic_pressure(grid(dimension, 1));
    EXPECT_EQ(problem.A.rows(), 1);
    EXPECT_EQ(problem.A.nonzeros(), 0);
    EXPECT_EQ(problem.b[0], 1.0);
  }
}

TEST(UicPressure, FourCellsByHand) {
  // Faces run from the centre (distance 0.45) to the middle of an edge (-0.05): nine tenths are open.
  UicOptions options = grid(2, 2);
  options.time_step = 0.5;
  options.max_density = 4.0;
  const DenseMatrix a(*uic_pressure(options).A.assemble());
  DenseMatrix expected(4, 4);
  expected << 2, -1, -1, 0,  //
      -1, 2, 0, -1,          //
      -1, 0, 2, -1,          //
      0, -1, -1, 2;
  expected *= 0.9 * (0.5 * 0.5 / 4.0) / (0.5 * 0.5);
  EXPECT_LE((a - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(UicPressure, EightCellsByHand) {
  // A face is a square with one open corner, 0.45 against -0.05 at two others: a triangle of legs 0.9.
  const Problem problem = uic_pressure(grid(3, 2));
  const double scale = 0.01 * 0.01 * 4.0;
  EXPECT_NEAR(problem.A.entry(0, 1), -0.405 * scale, 1e-18);
  EXPECT_NEAR(problem.A.entry(0, 4), -0.405 * scale, 1e-18);
  EXPECT_NEAR(problem.A.entry(0, 0), 3.0 * 0.405 * scale, 1e-18);
  EXPECT_EQ(problem.A.entry(0, 3), 0.0);
}

TEST(UicPressure, OpenFacesCoverTheDisk) {
  // The weights of the faces across x sum to the disk's area, up to the grid's accuracy.
  const int n = 100;
  const Problem problem = uic_pressure(grid(2, n));
  const double scale = 0.01 * 0.01 * n * n;
  double weights = 0.0;
  for (Index i = 0; i + 1 < problem.A.rows(); ++i) weights -= problem.A.entry(i, i + 1) / scale;
  EXPECT_NEAR(weights / (n * n), std::numbers::pi * 0.45 * 0.45, 1e-3);

  const int m = 30;
  const Problem ball = uic_pressure(grid(3, m));
  const double ball_scale = 0.01 * 0.01 * m * m;
  weights = 0.0;
  for (Index i = 0; i + m * m < ball.A.rows(); ++i) weights -= ball.A.entry(i, i + m * m) / ball_scale;
  EXPECT_NEAR(weights / (m * m * m), 4.0 / 3.0 * std::numbers::pi * std::pow(0.45, 3), 2e-3);
}

TEST(UicPressure, LaplacianWithEmptyRowsInTheSolid) {
  for (const int dimension : {2, 3}) {
    for (const int n : {2, 3, 4, 5, 8, 13}) {
      const Problem problem = uic_pressure(grid(dimension, n));
      const CsrMatrix& a = *problem.A.assemble();
      ASSERT_EQ(a.rows(), static_cast<Index>(std::pow(n, dimension) + 0.5));
      EXPECT_TRUE(problem.symmetric);
      EXPECT_EQ(asymmetry(a), 0.0);
      EXPECT_TRUE(problem.K.is_nonnegative_orthant());
      for (Index i = 0; i < a.rows(); ++i) {
        double sum = 0.0;
        Index last = -1;
        for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
          EXPECT_GT(it.col(), last);
          last = it.col();
          sum += it.value();
          if (it.col() == i) {
            EXPECT_GT(it.value(), 0.0);
          } else {
            EXPECT_LT(it.value(), 0.0);
          }
        }
        EXPECT_LE(std::abs(sum), 1e-15 * a.coeff(i, i));
        // A cell whose nearest corner is outside of the disk has no open face.
        double square = 0.0;
        for (int axis = 0; axis < dimension; ++axis) {
          const Index position = i / static_cast<Index>(std::pow(n, axis) + 0.5) % n;
          const double centre = std::abs((static_cast<double>(position) + 0.5) / n - 0.5);
          const double nearest = std::max(0.0, centre - 0.5 / n);
          square += nearest * nearest;
        }
        const bool empty = a.outerIndexPtr()[i] == a.outerIndexPtr()[i + 1];
        if (square > 0.45 * 0.45) {
          EXPECT_TRUE(empty) << i;
        }
        if (square < 0.4 * 0.4 && n > 4) {
          EXPECT_FALSE(empty) << i;
        }
        if (empty) {
          EXPECT_EQ(problem.b[i], 1.0);
        }
      }
    }
  }
}

TEST(UicPressure, PositiveSemidefinite) {
  const DenseMatrix a(*uic_pressure(grid(2, 14)).A.assemble());
  const Vector spectrum = eigenvalues(a);
  EXPECT_GE(spectrum[0], -1e-15);
}

TEST(UicPressure, EveryPartHasRoom) {
  for (const int dimension : {2, 3}) {
    for (int n = 1; n <= (dimension == 2 ? 40 : 12); ++n) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (const double fill : {0.0, 0.3, 0.5, 1.0}) {
          UicOptions options = grid(dimension, n, seed);
          options.fill = fill;
          options.overfull = 0.5;
          const Problem problem = uic_pressure(options);
          for (const double sum : room_of_parts(problem)) EXPECT_GT(sum, 0.0);
          EXPECT_LE(problem.b.maxCoeff(), 1.0);
          EXPECT_TRUE(problem.b.allFinite());
        }
      }
    }
  }
}

TEST(UicPressure, OverfullPartIsConnectedAndOfTheSizeAskedFor) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    UicOptions options = grid(2, 32, seed);
    options.overfull = 0.03;
    Problem problem = uic_pressure(options);
    const Index count = (problem.b.array() < 0.0).count();
    ASSERT_GT(count, 0);
    EXPECT_NEAR(-problem.b.cwiseMin(0.0).sum() / static_cast<double>(count), 0.03, 1e-12);
    std::vector<int> rows;
    for (int i = 0; i < problem.A.rows(); ++i) {
      if (problem.b[i] < 0.0) rows.push_back(i);
    }
    Problem overfull;
    overfull.A = problem.A.principal_submatrix(rows);
    overfull.b = Vector::Ones(count);
    EXPECT_EQ(room_of_parts(overfull).size(), 1u);
  }
}

TEST(UicPressure, SolutionHasAnActiveSetOfSomeSize) {
  double least = 1.0, most = 0.0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Problem problem = uic_pressure(grid(2, 20, seed));
    const Vector p = solve(problem, 3000);
    Vector w(p.size());
    problem.A.multiply(p, w);
    w += problem.b;
    EXPECT_LE(p.cwiseMin(w).lpNorm<Eigen::Infinity>(), 1e-8) << seed;
    const Vector diagonal = problem.A.assemble()->diagonal();
    const double open = static_cast<double>((diagonal.array() > 0.0).count());
    const double pressed = static_cast<double>((p.array() > 0.0).count()) / open;
    EXPECT_GT(pressed, 0.1) << seed;
    EXPECT_LT(pressed, 0.9) << seed;
    least = std::min(least, pressed);
    most = std::max(most, pressed);
  }
  EXPECT_GT(most - least, 0.2);  // the seeds differ
}

TEST(UicPressure, SeedsDecideTheBits) {
  const Problem first = uic_pressure(grid(3, 10, 5));
  const Problem again = uic_pressure(grid(3, 10, 5));
  EXPECT_EQ(first.b, again.b);
  EXPECT_NE(first.b, uic_pressure(grid(3, 10, 6)).b);
}

TEST(UicPressure, RefusesNonsense) {
  EXPECT_THROW(uic_pressure(grid(1, 4)), Error);
  EXPECT_THROW(uic_pressure(grid(2, 0)), Error);
  EXPECT_THROW(uic_pressure(grid(3, 2000)), Error);
  EXPECT_THROW(uic_pressure({.time_step = 0.0}), Error);
  EXPECT_THROW(uic_pressure({.fill = std::nan("")}), Error);
}

}  // namespace slipstick::internal::uic_test
