// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/barrier.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal::barrier_test {

constexpr double inf = std::numeric_limits<double>::infinity();

/// A point inside the cone with the given number of rows, at a relative distance `depth` from its boundary.
ConePoint random_point(Random& random, int rows, double depth) {
  ConePoint x = ConePoint::Zero();
  for (int i = 1; i < rows; ++i) x[i] = random.normal();
  x[0] = rows == 1 ? std::exp(random.normal()) : x.norm() * (1.0 + depth);
  return x;
}

TEST(Jordan, AlgebraByHand) {
  const ConePoint x(3, 1, 2), z(5, -1, 1);
  EXPECT_EQ(jordan_product(x, z), ConePoint(16, 2, 13));
  EXPECT_EQ(jordan_product(x, cone_identity()), x);
  EXPECT_DOUBLE_EQ(cone_determinant(x), 4.0);
  EXPECT_LE((jordan_divide(x, ConePoint(16, 2, 13)) - z).norm(), 1e-14);
}

TEST(Jordan, DivisionInvertsTheProduct) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + trial % 3;
    const ConePoint x = random_point(random, rows, random.uniform());
    const ConePoint y = random_point(random, rows, 0.1) - random_point(random, rows, 0.3);
    const double condition = x.squaredNorm() / cone_determinant(x);
    EXPECT_LE((jordan_divide(x, jordan_product(x, y)) - y).norm(), 1e-14 * condition * (1.0 + y.norm()));
  }
}

TEST(MaxStep, ByHand) {
  EXPECT_EQ(max_step({2, 0, 0}, {-1, 0, 0}), 2.0);
  EXPECT_EQ(max_step({2, 0, 0}, {0, 3, 4}), 0.4);
  EXPECT_EQ(max_step({2, 0, 0}, {5, 3, 4}), inf);
  EXPECT_EQ(max_step({2, 0, 0}, {0, 0, 0}), inf);
  EXPECT_EQ(max_step({5, 3, 4}, {0, 3, 4}), 0.0);
  EXPECT_EQ(max_step({5, 3, 4}, {-5, -3, -4}), 1.0);
}

TEST(NesterovTodd, ScalesBothToTheSamePoint) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + trial % 3;
    const ConePoint x = random_point(random, rows, 0.01 + random.uniform());
    const ConePoint z = std::exp(4.0 * random.normal()) * random_point(random, rows, 0.01 + random.uniform());
    const NesterovTodd scaling = NesterovTodd::scaling_from(x, z);
    const ConePoint lambda = scaling.lambda();
    const double tolerance = 1e-13 * lambda.norm() * scaling.rho() * scaling.rho();
    EXPECT_LE((scaling.apply(x) - lambda).norm(), tolerance);
    EXPECT_LE((scaling.apply_inverse(z) - lambda).norm(), tolerance);
    EXPECT_NEAR(lambda.squaredNorm(), x.dot(z), 1e-12 * x.dot(z));
    // Rows that the block lacks stay zero.
    EXPECT_EQ(lambda.tail(3 - rows).norm(), 0.0);
    EXPECT_GE(scaling.rho(), 1.0);
    EXPECT_NEAR(scaling.direction().norm(), 1.0, 1e-15);
  }
}

TEST(NesterovTodd, OneRowIsTheGeometricMean) {
  const NesterovTodd scaling = NesterovTodd::scaling_from({4, 0, 0}, {9, 0, 0});
  EXPECT_DOUBLE_EQ(scaling.lambda()[0], 6.0);
  EXPECT_DOUBLE_EQ(scaling.beta(), 1.5);
  EXPECT_DOUBLE_EQ(scaling.point()[0], 1.5);
}

// F^2 is the quadratic representation of w, 2 w w' - det(w) diag(1, -1, -1), and its frame diagonalizes F.
TEST(NesterovTodd, PointAndFrame) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const int rows = 2 + trial % 2;
    const ConePoint x = random_point(random, rows, 0.1 + random.uniform());
    const ConePoint z = random_point(random, rows, 0.1 + random.uniform());
    const NesterovTodd scaling = NesterovTodd::scaling_from(x, z);
    const ConePoint w = scaling.point();
    Eigen::Matrix3d quadratic = 2.0 * w * w.transpose();
    quadratic.diagonal() -= cone_determinant(w) * ConePoint(1, -1, -1);
    EXPECT_LE((quadratic * x - z).norm(), 1e-12 * z.norm() * std::pow(scaling.rho(), 2));
    const Eigen::Matrix3d q = scaling.frame();
    EXPECT_LE((q.transpose() * q - Eigen::Matrix3d::Identity()).norm(), 1e-15);
    const Eigen::Matrix3d f = q * scaling.values().asDiagonal() * q.transpose();
    EXPECT_LE((f * f - quadratic).norm(), 1e-13 * quadratic.norm());
    const ConePoint v = random_point(random, rows, 0.0);
    EXPECT_LE((f * v - scaling.apply(v)).norm(), 1e-14 * f.norm() * v.norm());
    EXPECT_LE((scaling.apply_inverse(scaling.apply(v)) - v).norm(),
              1e-13 * std::pow(scaling.rho(), 2) * v.norm());
    EXPECT_EQ(q.col(0).tail(3 - rows).norm(), 0.0);
  }
}

TEST(NesterovTodd, UpdateAgreesWithTheScalingFromScratch) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + trial % 3;
    const auto point = [&] { return random_point(random, rows, 0.2 + random.uniform()); };
    NesterovTodd scaling = NesterovTodd::scaling_from(point(), point());
    for (int step = 0; step < 3; ++step) {
      const ConePoint x = point(), z = point();
      scaling.update(scaling.apply(x), scaling.apply_inverse(z));
      const NesterovTodd fresh = NesterovTodd::scaling_from(x, z);
      EXPECT_NEAR(scaling.beta(), fresh.beta(), 1e-12 * fresh.beta());
      EXPECT_NEAR(scaling.rho(), fresh.rho(), 1e-11 * fresh.rho());
      EXPECT_LE((scaling.point() - fresh.point()).norm(), 1e-11 * fresh.point().norm());
      EXPECT_LE((scaling.lambda() - fresh.lambda()).norm(), 1e-11 * fresh.lambda().norm());
    }
  }
}

// Down to the boundary in steps that keep lambda centred. The distance of x and z = F^2 x to the boundary
// falls below the rounding of their entries. The scaling still knows it accurately. The determinants multiply
// exactly: det F v = beta^2 det v.
TEST(NesterovTodd, KeepsTheDistanceToTheBoundary) {
  Random random(6);
  NesterovTodd scaling;
  double x_determinant = 1.0;
  double z_determinant = 1.0;
  for (int step = 0; step < 40; ++step) {
    // Always shrink x across and z along one direction, which turns slowly.
    const double angle = 1.0 + 1e-3 * step;
    const NesterovTodd shrink =
        NesterovTodd::scaling_from({1, 0.5 * std::cos(angle), 0.5 * std::sin(angle)},
                                   {1, -0.5 * std::cos(angle), -0.5 * std::sin(angle)});
    const ConePoint lambda = scaling.lambda();
    const ConePoint noise(1.0 + 0.1 * random.uniform(), 0.05 * random.normal(), 0.05 * random.normal());
    const ConePoint scaled_x = shrink.apply_inverse(0.7 * jordan_product(lambda, noise));
    const ConePoint scaled_z = shrink.apply(0.7 * lambda);
    x_determinant *= cone_determinant(scaled_x) / cone_determinant(lambda);
    z_determinant *= cone_determinant(scaled_z) / cone_determinant(lambda);
    scaling.update(scaled_x, scaled_z);
    // The eigenvalues of lambda follow from x'z and the determinants.
    const ConePoint next = scaling.lambda();
    EXPECT_NEAR(next.squaredNorm() / scaled_x.dot(scaled_z), 1.0, 1e-13);
    EXPECT_NEAR(cone_determinant(next) / std::sqrt(x_determinant * z_determinant), 1.0, 1e-11);
    EXPECT_NEAR(std::pow(scaling.beta(), 4) / (z_determinant / x_determinant), 1.0, 1e-11);
  }
  // x = F^-1 lambda: its eigenvalues differ by rho^2.
  EXPECT_GE(scaling.rho(), 1e9);
}

// A rank-deficient conic program: minimize 1/2 y'Ay + b'y over the product of cones. Mehrotra's predictor and
// corrector, with the updated scaling in its frame, reach a gap that scaling from x and z would not.
TEST(NesterovTodd, CarriesAnInteriorPointMethodToTheEnd) {
  const int contacts = 6;
  const int rows = 3 * contacts;
  Random random(7);
  DenseMatrix jacobian(8, rows);
  for (double& value : jacobian.reshaped()) value = random.normal();
  Vector velocity(8);
  for (double& value : velocity) value = random.normal();
  // b = J'v + (a dual interior point), so that the problem has a solution.
  const DenseMatrix a = jacobian.transpose() * jacobian;
  Vector b = jacobian.transpose() * velocity;
  for (int c = 0; c < contacts; ++c) b[3 * c] += 0.1;

  std::vector<NesterovTodd> scaling(contacts);
  Vector x(rows), z(rows);
  for (int c = 0; c < contacts; ++c) {
    x.segment<3>(3 * c) = b.norm() * cone_identity();
    z.segment<3>(3 * c) = b.norm() * cone_identity();
    scaling[c] = NesterovTodd::scaling_from(x.segment<3>(3 * c), z.segment<3>(3 * c));
  }
  double gap = inf;
  double residual_norm = inf;
  int iteration = 0;
  for (; iteration < 40; ++iteration) {
    const Vector residual = a * x + b - z;
    gap = 0.0;
    for (const NesterovTodd& s : scaling) gap += s.lambda().squaredNorm();
    residual_norm = residual.norm();
    if (gap <= 1e-20 && residual_norm <= 1e-12) break;
    DenseMatrix q = DenseMatrix::Zero(rows, rows);
    Vector values(rows);
    for (int c = 0; c < contacts; ++c) {
      q.block<3, 3>(3 * c, 3 * c) = scaling[c].frame();
      values.segment<3>(3 * c) = scaling[c].values();
    }
    DenseMatrix system = q.transpose() * a * q;
    system.diagonal() += values.cwiseAbs2();
    const Vector equilibrate = system.diagonal().cwiseSqrt().cwiseInverse();
    system = equilibrate.asDiagonal() * system * equilibrate.asDiagonal();
    const Eigen::LLT<DenseMatrix> factor(system);
    ASSERT_EQ(factor.info(), Eigen::Success);

    Vector dx(rows), dz(rows), ds(rows), dzs(rows);
    const auto direction = [&](double sigma) {
      Vector t(rows);
      for (int c = 0; c < contacts; ++c) {
        const ConePoint& lambda = scaling[c].lambda();
        ConePoint target = -jordan_product(lambda, lambda);
        if (sigma > 0.0)
          target += sigma * gap / contacts * cone_identity() -
                    jordan_product(ds.segment<3>(3 * c), dzs.segment<3>(3 * c));
        t.segment<3>(3 * c) = jordan_divide(lambda, target);
      }
      const Vector rhs = -(1.0 - sigma) * (q.transpose() * residual) + values.cwiseProduct(q.transpose() * t);
      const Vector y = equilibrate.cwiseProduct(factor.solve(equilibrate.cwiseProduct(rhs)));
      dx = q * y;
      ds = q * values.cwiseProduct(y);
      dzs = t - ds;
      double step = 1.0;
      for (int c = 0; c < contacts; ++c) {
        dz.segment<3>(3 * c) = scaling[c].apply(dzs.segment<3>(3 * c));
        step = std::min({step, 0.99 * max_step(scaling[c].lambda(), ds.segment<3>(3 * c)),
                         0.99 * max_step(scaling[c].lambda(), dzs.segment<3>(3 * c))});
      }
      return step;
    };
    const double affine = direction(0.0);
    double affine_gap = 0.0;
    for (int c = 0; c < contacts; ++c) {
      affine_gap += (scaling[c].lambda() + affine * ds.segment<3>(3 * c))
                        .dot(scaling[c].lambda() + affine * dzs.segment<3>(3 * c));
    }
    const double step = direction(std::max(1e-6, std::pow(affine_gap / gap, 3)));
    x += step * dx;
    z += step * dz;
    for (int c = 0; c < contacts; ++c)
      scaling[c].update(scaling[c].lambda() + step * ds.segment<3>(3 * c),
                        scaling[c].lambda() + step * dzs.segment<3>(3 * c));
  }
  EXPECT_LE(gap, 1e-20);
  EXPECT_LE(residual_norm, 1e-12);
  EXPECT_LT(iteration, 40);
  // The natural map of the cones.
  Vector projected = x - (a * x + b);
  ProductSet::cones(Vector::Ones(contacts), 3).project(projected);
  EXPECT_LE((x - projected).norm(), 1e-10);
}

TEST(SmoothedProjection, IsCentred) {
  for (const double mu : {1e-12, 1e-4, 1.0}) {
    for (const ConePoint& t : {ConePoint(1.0, 0.3, -0.2), ConePoint(-1.0, 0.5, 0.1), ConePoint(0.1, 2.0, 1.0),
                               ConePoint(0.0, 0.0, 0.0)}) {
      const ConePoint s = smoothed_projection(t, mu), z = s - t;
      const ConePoint product = jordan_product(s, z);
      EXPECT_GT(s[0], 0.0);
      EXPECT_GT(z[0], 0.0);
      EXPECT_LE((product - mu * cone_identity()).norm(), 1e-14 * (1.0 + t.squaredNorm()));
    }
  }
  // In the limit the projection.
  EXPECT_EQ(smoothed_projection(ConePoint(-2.0, 1.0, 0.0), 0.0), ConePoint(0.0, 0.0, 0.0));
  EXPECT_LE((smoothed_projection(ConePoint(0.0, 1.0, 0.0), 0.0) - ConePoint(0.5, 0.5, 0.0)).norm(), 1e-15);
}

TEST(SmoothedProjection, LiesBetweenBounds) {
  constexpr double width = 1.5;
  for (const double mu : {1e-20, 1e-10, 1e-2, 10.0}) {
    for (const double t : {-5.0, -1e-6, 0.0, 0.7, 1.5, 1e3}) {
      const double below = smoothed_projection(t, width, mu);
      const double above = smoothed_projection(width - t, width, mu);
      ASSERT_GT(below, 0.0);
      ASSERT_GT(above, 0.0);
      EXPECT_NEAR(below + above, width, 1e-15);
      const double balance = below - mu / below + mu / above - t;
      // As good as the last digits of both let it be.
      EXPECT_LE(std::abs(balance), 1e-15 * (width + 5.0 * (mu / below + mu / above) + std::abs(t)))
          << t << " " << mu;
    }
  }
}

}  // namespace slipstick::internal::barrier_test
