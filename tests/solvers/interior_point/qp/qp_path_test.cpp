// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// QpPath, with the QpScaling before it and the QpPolish behind it.
#include "slipstick/solvers/interior_point/qp/qp_path.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/solvers/interior_point/qp/qp_polish.hpp"
#include "slipstick/solvers/interior_point/qp/qp_scaling.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_path_test {

// minimize 1/2 |x|^2 - (1, 0.5, -1)'x over x >= 0, sum x = 1: x = (0.75, 0.25, 0), y = -0.25.
StandardQp simplex() {
  StandardQp qp;
  qp.H = csr_from_dense(DenseMatrix::Identity(3, 3));
  qp.G = csr_from_dense(DenseMatrix::Ones(1, 3));
  qp.c = vec({-1, -0.5, 1});
  qp.lower = Vector::Zero(3);
  qp.upper = Vector::Constant(3, infinity);
  qp.row_lower = qp.row_upper = vec({1});
  return qp;
}

TEST(QpPath, EndsAtTheSolution) {
  const StandardQp qp = simplex();
  QpSystem system;
  system.prepare(qp);
  QpPath path;
  path.prepare(qp, system);
  ASSERT_TRUE(path.start());
  int steps = 0;
  for (; path.gap() > 1e-13 && steps < 20; ++steps) ASSERT_TRUE(path.step(2));
  EXPECT_LE(steps, 12);
  EXPECT_LT((path.x() - vec({0.75, 0.25, 0})).norm(), 1e-6);
  EXPECT_NEAR(path.y()[0], -0.25, 1e-6);
  EXPECT_LT(path.value_residual(), 1e-12);
  EXPECT_LT(path.force_residual(), 1e-12);
  EXPECT_EQ(path.active_side(0), 0);
  EXPECT_EQ(path.active_side(2), -1);
}

TEST(QpPath, FarAndNarrowBoundsCostNoMoreSteps) {
  for (const double upper : {1e10, 1e18}) {
    StandardQp qp = simplex();
    qp.upper = vec({upper, infinity, upper});
    qp.lower[1] = -upper;
    for (const double width : {1e-3, 1e-9}) {
      qp.lower[2] = 0.1 - width;
      qp.upper[2] = 0.1;  // the other two share 0.9: x = (0.7, 0.2, 0.1)
      QpSystem system;
      system.prepare(qp);
      QpPath path;
      path.prepare(qp, system);
      ASSERT_TRUE(path.start(1.0));
      int steps = 0;
      for (; (path.gap() > 1e-12 || path.value_residual() > 1e-9) && steps < 30; ++steps)
        ASSERT_TRUE(path.step(2)) << upper << " " << width;
      EXPECT_LE(steps, 20) << upper << " " << width;
      EXPECT_LT((path.x() - vec({0.7 + 0.5 * width, 0.2 + 0.5 * width, 0.1 - width})).norm(), 1e-5)
          << upper << " " << width;
    }
  }
}

// The least violation of x + y = 4 over [0, 1]^2 is 2.
TEST(QpPath, ElasticRowsMeasureTheirViolation) {
  StandardQp qp;
  qp.H = csr_from_dense(DenseMatrix::Identity(2, 2));
  for (int k = 0; k < 2; ++k) qp.H.valuePtr()[k] = 0.0;
  qp.G = csr_from_dense(DenseMatrix::Ones(1, 2));
  qp.c = qp.lower = Vector::Zero(2);
  qp.upper = Vector::Ones(2);
  qp.row_lower = qp.row_upper = vec({4});
  qp.compliance = 1.0;
  QpSystem system;
  system.prepare(qp);
  QpPath path;
  path.prepare(qp, system);
  ASSERT_TRUE(path.start());
  for (int step = 0; path.gap() > 1e-13 && step < 20; ++step) ASSERT_TRUE(path.step(0));
  EXPECT_NEAR(path.y()[0], 2.0, 1e-6);
  EXPECT_LT((path.x() - vec({1, 1})).norm(), 1e-6);
}

TEST(QpPolish, GivesAllDigitsOfTheSet) {
  const StandardQp qp = simplex();
  QpSystem system;
  system.prepare(qp);
  QpPolish polish;
  polish.prepare(qp, system);
  polish.take_touching(vec({0.7, 0.3, 0}), 1e-6);
  ASSERT_TRUE(polish.solve());
  EXPECT_LT((polish.x() - vec({0.75, 0.25, 0})).norm(), 1e-14);
  EXPECT_NEAR(polish.y()[0], -0.25, 1e-14);
  EXPECT_FALSE(polish.revise());
}

TEST(QpPolish, RevisesAWrongSet) {
  const StandardQp qp = simplex();
  QpSystem system;
  system.prepare(qp);
  QpPolish polish;
  polish.prepare(qp, system);
  polish.take_touching(vec({0, 0.5, 0.5}), 1e-6);
  int rounds = 0;
  do {
    ASSERT_TRUE(polish.solve());
    ++rounds;
  } while (polish.revise() && rounds < 10);
  EXPECT_LT(rounds, 5);
  EXPECT_LT((polish.x() - vec({0.75, 0.25, 0})).norm(), 1e-14);
}

TEST(QpScaling, MakesRowsOfOneSize) {
  StandardQp qp = simplex();
  qp.H.valuePtr()[0] = 1e8;
  qp.G.valuePtr()[1] = 1e-5;
  qp.row_lower = qp.row_upper = vec({3});
  const StandardQp given = qp;
  QpScaling scaling;
  scaling.scale(qp);
  DenseMatrix K = DenseMatrix::Zero(4, 4);
  K.topLeftCorner(3, 3) = DenseMatrix(qp.H) / scaling.objective();
  K.bottomLeftCorner(1, 3) = DenseMatrix(qp.G);
  K.topRightCorner(3, 1) = DenseMatrix(qp.G).transpose();
  for (Index i = 0; i < 4; ++i) {
    EXPECT_GT(K.row(i).cwiseAbs().maxCoeff(), 0.2);
    EXPECT_LT(K.row(i).cwiseAbs().maxCoeff(), 5.0);
  }
  EXPECT_EQ(qp.row_lower[0], 3.0 * scaling.rows()[0]);
  EXPECT_EQ(DenseMatrix(qp.G)(0, 1), 1e-5 * scaling.rows()[0] * scaling.columns()[1]);
  EXPECT_EQ(qp.c[2], given.c[2] * scaling.columns()[2] * scaling.objective());
}

}  // namespace slipstick::internal::qp_path_test
