// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_barriers.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::shift_barriers_test {

using Facets = Eigen::Matrix<double, 4, 3>;

Facets facets(int size) {
  Facets C;
  C << 1, 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1;
  for (int a = size; a < 3; ++a) C.col(a).setZero();
  return C;
}

// A barrier with W = diag(scale): from x = 1 to x = 1 / scale, z = scale.
PyramidBarrier barrier_of(const Eigen::Vector4d& scale, int size) {
  PyramidBarrier barrier;
  barrier.start(size);
  EXPECT_TRUE(barrier.update(scale.cwiseInverse(), scale));
  return barrier;
}

TEST(PyramidBarrier, FactorsHaveTheScaledFacets) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    Eigen::Vector4d scale;
    for (double& value : scale) value = std::pow(10.0, random.uniform(-8.0, 8.0));
    const int size = 1 + k % 3;
    PyramidBarrier::Frame U;
    ConePoint L;
    Eigen::Matrix3d Q;
    barrier_of(scale, size).factorize(size, U, L, Q);
    const Facets F = scale.asDiagonal() * facets(size);
    // Row by row: a small facet is as accurate as a large one.
    const Facets product = U.leftCols(size) * L.head(size).asDiagonal() * Q.leftCols(size).transpose();
    for (int j = 0; j < 4; ++j) EXPECT_LE((product.row(j) - F.row(j)).norm(), 1e-13 * F.row(j).norm()) << k;
    EXPECT_LE((Q * Q.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_LE(
        (U.leftCols(size).transpose() * U.leftCols(size) - Eigen::MatrixXd::Identity(size, size)).norm(),
        1e-13);
    if (size < 3) continue;
    // det(F'F) is the sum of the squared minors (Cauchy and Binet): all are 2 times three of the scales.
    double minors = 0.0;
    for (int j = 0; j < 4; ++j) minors += std::pow(2.0 * scale.prod() / scale[j], 2);
    EXPECT_NEAR(L.prod() / std::sqrt(minors), 1.0, 1e-12) << scale.transpose();
  }
}

// The scaled points of x and z are lambda, with the product tau.
template <class Barrier>
void expect_start_near(double tau, ConePoint x, ConePoint z) {
  const ConePoint first_x = x, first_z = z;
  Barrier barrier;
  barrier.start(3);
  barrier.start_near(tau, x, z);
  EXPECT_LE((Barrier::product(barrier.lambda(), barrier.lambda()) - tau * Barrier::identity()).norm(),
            1e-6 * tau);
  EXPECT_LE((barrier.unscaled_z(barrier.lambda()) - z).norm(), 1e-6 * z.norm());
  EXPECT_NEAR(x.dot(z) / (Barrier::members * tau), 1.0, 1e-6);
  EXPECT_LE((x - first_x).norm() + (z - first_z).norm(), 20.0 * std::sqrt(tau));
  typename Barrier::Frame U;
  ConePoint L;
  Eigen::Matrix3d Q;
  barrier.factorize(3, U, L, Q);
  const typename Barrier::Scaled scaled = U * (L.asDiagonal() * (Q.transpose() * x));
  EXPECT_LE((scaled - barrier.lambda()).norm(), 1e-6 * std::sqrt(tau));
}

TEST(ShiftBarriers, StartNearAnAnswer) {
  const double half = std::sqrt(0.5);
  for (const double tau : {1e-2, 1e-5, 1e-8}) {
    // Sticks, is open, slides, is idle.
    expect_start_near<ConeBarrier>(tau, {2.0, 0.5, -0.5}, {0.0, 0.0, 0.0});
    expect_start_near<ConeBarrier>(tau, {0.0, 0.0, 0.0}, {2.0, 0.5, -0.5});
    expect_start_near<ConeBarrier>(tau, {1.0, -half, half}, {0.3, 0.3 * half, -0.3 * half});
    expect_start_near<ConeBarrier>(tau, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
    // One tangent sticks, the other one slides; both slide.
    expect_start_near<PyramidBarrier>(tau, {2.0, 0.5, -0.5}, {0.0, 0.0, 0.0});
    expect_start_near<PyramidBarrier>(tau, {0.0, 0.0, 0.0}, {2.0, 0.5, -0.5});
    expect_start_near<PyramidBarrier>(tau, {1.0, -1.0, 0.2}, {0.3, 0.3, 0.0});
    expect_start_near<PyramidBarrier>(tau, {1.0, -1.0, 1.0}, {0.7, 0.3, -0.4});
    expect_start_near<PyramidBarrier>(tau, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  }
}

TEST(PyramidBarrier, FollowsSlacksAndMultipliers) {
  PyramidBarrier barrier;
  barrier.start(3);
  const Eigen::Vector4d x(0.5, 2.0, 1.0, 3.0), z(4.0, 1.0, 0.25, 0.1);
  ASSERT_TRUE(barrier.update(x, z));
  EXPECT_LE((barrier.lambda() - x.cwiseProduct(z).cwiseSqrt()).norm(), 1e-15);
  // z = C' m
  EXPECT_LE((barrier.unscaled_z(barrier.lambda()) - facets(3).transpose() * z).norm(), 1e-14);
  EXPECT_FALSE(barrier.update({1, 1, 0, 1}, {1, 1, 1, 1}));
  EXPECT_EQ(PyramidBarrier::max_step({1, 2, 3, 4}, {-2, 1, -1, 0}), 0.5);
  EXPECT_EQ(PyramidBarrier::max_step({1, 2, 3, 4}, {2, 1, 1, 0}), std::numeric_limits<double>::infinity());
}

template <class Barrier>
void expect_gradient() {
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    const ConePoint y(random.normal(), random.normal(), random.normal());
    const double eps = random.uniform(0.01, 1.0), h = 1e-6;
    const SmoothShift shift = Barrier::shift(y, eps);
    for (const int a : {0, 1}) {
      const ConePoint step = h * ConePoint::Unit(a + 1);
      const double slope =
          (Barrier::shift(y + step, eps).rho - Barrier::shift(y - step, eps).rho) / (2.0 * h);
      EXPECT_NEAR(shift.slope[a], slope, 1e-6);
    }
  }
}

TEST(ShiftBarriers, SmoothTheShiftFromBelow) {
  expect_gradient<ConeBarrier>();
  expect_gradient<PyramidBarrier>();
  const ConePoint y(7.0, 3.0, -4.0);
  EXPECT_NEAR(ConeBarrier::shift(y, 1e-9).rho, 5.0, 1e-15);
  EXPECT_NEAR(PyramidBarrier::shift(y, 1e-9).rho, 7.0, 1e-15);
  EXPECT_LT(PyramidBarrier::shift(y, 0.5).rho, 7.0);
  for (const double eps : {0.0, 0.1}) {
    const SmoothShift rest = PyramidBarrier::shift({1.0, 0.0, 0.0}, eps);
    EXPECT_EQ(rest.rho, 0.0);
    EXPECT_EQ(rest.slope[0], 0.0);
    EXPECT_EQ(rest.slope[1], 0.0);
  }
}

TEST(ShiftBarriers, BringProductsIntoARange) {
  // The eigenvalues of the first are 7 and -3.
  const ConePoint cone = ConePoint(2, 3, 4) + ConeBarrier::change_of_product({2, 3, 4}, 0.1, 10.0);
  EXPECT_NEAR(cone[0] - std::hypot(cone[1], cone[2]), 0.1, 1e-14);
  EXPECT_NEAR(cone[0] + std::hypot(cone[1], cone[2]), 7.0, 1e-14);
  const Eigen::Vector4d product(0.01, 1.0, 12.0, 40.0);
  EXPECT_LE(
      (product + PyramidBarrier::change_of_product(product, 0.1, 10.0) - Eigen::Vector4d(0.1, 1, 10, 30))
          .norm(),
      1e-14)
      << "the change is at most 10";
}

}  // namespace slipstick::internal::shift_barriers_test
