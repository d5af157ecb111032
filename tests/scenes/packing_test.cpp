// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/packing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal::packing_test {

using Eigen::Vector3d;

PackingOptions packing(Index spheres, std::uint64_t seed = 1) {
  return {.spheres = spheres, .seed = seed};
}

// The bodies of a contact, ascending; one body if the other side is the ground.
std::vector<Index> bodies_of(const CsrMatrix& transposed, Index contact) {
  std::vector<Index> bodies;
  for (Index row = 3 * contact; row < 3 * contact + 3; ++row) {
    for (CsrMatrix::InnerIterator it(transposed, row); it; ++it) bodies.push_back(it.col() / 6);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

TEST(SpherePacking, OneSphereOnTheFloor) {
  PackingOptions options = packing(1);
  options.radius_spread = 0.0;
  const GlobalContactProblem problem = sphere_packing(options);
  ASSERT_EQ(problem.contacts(), 1);
  EXPECT_EQ(problem.dimension, 3);
  const double mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * 1e-6;
  Vector expected_mass(6);
  expected_mass << mass, mass, mass, Vector3d::Constant(0.4 * mass * 1e-4);
  EXPECT_LE((DenseMatrix(problem.M) - DenseMatrix(expected_mass.asDiagonal())).cwiseAbs().maxCoeff(), 1e-16);
  // N = z, T1 = x, T2 = y; the contact is a radius below the centre.
  DenseMatrix h = DenseMatrix::Zero(6, 3);
  h(2, 0) = 1.0;
  h(0, 1) = 1.0;
  h(4, 1) = -0.01;
  h(1, 2) = 1.0;
  h(3, 2) = 0.01;
  EXPECT_LE((DenseMatrix(problem.H) - h).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_NEAR(problem.f[2], -mass * 9.81 * 0.01, 1e-15);
  EXPECT_EQ(problem.f.cwiseAbs().sum(), -problem.f[2]);
  EXPECT_EQ(problem.w, Vector::Zero(3));
  EXPECT_EQ(problem.mu[0], 0.3);
}

TEST(SpherePacking, FramesAreOrthonormalAndArmsMeetAtTheContact) {
  PackingOptions options = packing(60);
  const std::vector<Sphere> spheres = packed_spheres(options, 0.01);
  const GlobalContactProblem problem = sphere_packing(options);
  const CsrMatrix transposed = problem.H.transpose();
  const DenseMatrix h(problem.H);
  for (Index c = 0; c < problem.contacts(); ++c) {
    const std::vector<Index> bodies = bodies_of(transposed, c);
    ASSERT_GE(bodies.size(), 1u);
    ASSERT_LE(bodies.size(), 2u);
    const Index later = bodies.back();
    const Eigen::Matrix3d frame = h.block<3, 3>(6 * later, 3 * c);
    EXPECT_LE((frame.transpose() * frame - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
    const Vector3d normal = frame.col(0);
    const Vector3d arm = -spheres[later].radius * normal;
    for (int k = 1; k < 3; ++k) {
      EXPECT_LE((h.block<3, 1>(6 * later + 3, 3 * c + k) - arm.cross(frame.col(k))).norm(), 1e-16);
    }
    if (bodies.size() == 1) continue;
    const Index earlier = bodies.front();
    const Eigen::Matrix3d opposite = h.block<3, 3>(6 * earlier, 3 * c);
    EXPECT_EQ((frame + opposite).norm(), 0.0);
    EXPECT_LE((normal - (spheres[later].centre - spheres[earlier].centre).normalized()).norm(), 1e-14);
    const Vector3d other_arm = spheres[earlier].radius * normal;
    for (int k = 1; k < 3; ++k) {
      EXPECT_LE((h.block<3, 1>(6 * earlier + 3, 3 * c + k) + other_arm.cross(frame.col(k))).norm(), 1e-16);
    }
  }
}

TEST(SpherePacking, ContactsAreThePairsWithinTheGap) {
  for (const double gap : {0.0, 1e-3, 0.2}) {
    PackingOptions options = packing(150, 4);
    options.gap = gap;
    options.container_radius = 5.0;
    const std::vector<Sphere> spheres = packed_spheres(options, 0.01);
    const double reach = gap * 0.01 + 1e-11;
    Index expected = 0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      expected += spheres[i].centre.z() - spheres[i].radius <= reach;
      expected += 0.05 - spheres[i].centre.head<2>().norm() - spheres[i].radius <= reach;
      for (std::size_t j = 0; j < i; ++j) {
        const double distance = (spheres[i].centre - spheres[j].centre).norm();
        expected += distance - spheres[i].radius - spheres[j].radius <= reach;
      }
    }
    EXPECT_EQ(sphere_packing(options).contacts(), expected);
  }
}

TEST(SpherePacking, CoordinationNumberOfADeposit) {
  for (const bool bucket : {false, true}) {
    PackingOptions options = packing(3000);
    options.bucket = bucket;
    const GlobalContactProblem problem = sphere_packing(options);
    const CsrMatrix transposed = problem.H.transpose();
    double ends = 0.0;  // a pair of spheres counts for both
    for (Index c = 0; c < problem.contacts(); ++c)
      ends += static_cast<double>(bodies_of(transposed, c).size());
    EXPECT_GT(ends / 3000.0, 5.0);
    EXPECT_LT(ends / 3000.0, 6.5);
  }
}

TEST(SpherePacking, EverySizeWorks) {
  for (Index spheres = 1; spheres <= 25; ++spheres) {
    for (const double plate : {0.0, 3.0}) {
      PackingOptions options = packing(spheres, static_cast<std::uint64_t>(spheres));
      options.plate_mass_ratio = plate;
      const GlobalContactProblem problem = sphere_packing(options);
      EXPECT_EQ(problem.M.rows(), 6 * (spheres + (plate > 0.0)));
      EXPECT_EQ(problem.H.cols(), 3 * problem.contacts());
      EXPECT_GE(problem.contacts(), spheres);
      EXPECT_TRUE(problem.H.coeffs().allFinite());
    }
  }
  EXPECT_GE(sphere_packing(packing(6)).contacts(), 10);
}

TEST(SpherePacking, DensityRatio) {
  PackingOptions options = packing(2000);
  options.radius_spread = 0.0;
  options.density_ratio = 100.0;
  const GlobalContactProblem problem = sphere_packing(options);
  double least = 1e300, most = 0.0;
  for (Index i = 0; i < 2000; ++i) {
    const double mass = entry(problem.M, 6 * i, 6 * i);
    least = std::min(least, mass);
    most = std::max(most, mass);
    EXPECT_NEAR(entry(problem.M, 6 * i + 4, 6 * i + 4), 0.4 * mass * 1e-4, 1e-12 * mass);
  }
  EXPECT_LE(most / least, 100.0);
  EXPECT_GT(most / least, 90.0);
  // The geometry does not depend on the densities.
  options.density_ratio = 1.0;
  const GlobalContactProblem even = sphere_packing(options);
  ASSERT_EQ(even.H.nonZeros(), problem.H.nonZeros());
  EXPECT_EQ(even.H.coeffs().matrix(), problem.H.coeffs().matrix());
}

TEST(SpherePacking, PlateRestsOnThreeSpheres) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    PackingOptions options = packing(200, seed);
    options.bucket = seed % 2 == 0;
    options.plate_mass_ratio = 50.0;
    options.gap = 0.0;
    const GlobalContactProblem problem = sphere_packing(options);
    const Index plate = 200;
    double spheres_mass = 0.0;
    for (Index i = 0; i < 200; ++i) spheres_mass += entry(problem.M, 6 * i, 6 * i);
    const double mass = entry(problem.M, 6 * plate, 6 * plate);
    EXPECT_NEAR(mass, 50.0 * spheres_mass, 1e-10 * mass);
    const Eigen::Matrix3d inertia = DenseMatrix(problem.M).bottomRightCorner<3, 3>();
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues()[0], 0.0);

    // Exactly three contacts, and their normal impulses can carry force and moment.
    std::vector<Index> columns;
    for (CsrMatrix::InnerIterator it(problem.H, 6 * plate + 2); it; ++it) {
      if (it.col() % 3 == 0) columns.push_back(it.col());
    }
    ASSERT_EQ(columns.size(), 3u) << seed;
    const DenseMatrix h(problem.H);
    Eigen::Matrix3d normals;  // vertical force and moments about x and y, per impulse
    for (int k = 0; k < 3; ++k)
      normals.col(k) = Vector3d(h(6 * plate + 2, columns[k]), h(6 * plate + 3, columns[k]) / 0.01,
                                h(6 * plate + 4, columns[k]) / 0.01);
    const Vector3d shares = normals.fullPivLu().solve(Vector3d::UnitX());
    EXPECT_GT(shares.minCoeff(), 0.0) << seed;
    EXPECT_GT(h(6 * plate + 2, columns[0]), 0.8);
  }
}

TEST(SpherePacking, SpheresLieUnderThePlate) {
  PackingOptions options = packing(300, 7);
  options.plate_mass_ratio = 1.0;
  options.gap = 0.0;
  const std::vector<Sphere> spheres = packed_spheres(options, 0.01);
  const GlobalContactProblem problem = sphere_packing(options);
  const CsrMatrix transposed = problem.H.transpose();
  for (Index c = 0; c < problem.contacts(); ++c) {
    const std::vector<Index> bodies = bodies_of(transposed, c);
    if (bodies.back() != 300) continue;
    Vector3d normal;
    for (int d = 0; d < 3; ++d) normal[d] = entry(problem.H, 6 * 300 + d, 3 * c);
    const Sphere& touched = spheres[bodies.front()];
    const double offset = normal.dot(touched.centre) + touched.radius;
    for (const Sphere& sphere : spheres) EXPECT_LE(normal.dot(sphere.centre) + sphere.radius, offset + 1e-12);
  }
}

TEST(SpherePacking, SeedsDecideTheBits) {
  const GlobalContactProblem first = sphere_packing(packing(200, 3));
  const GlobalContactProblem again = sphere_packing(packing(200, 3));
  ASSERT_EQ(first.H.nonZeros(), again.H.nonZeros());
  EXPECT_EQ(first.H.coeffs().matrix(), again.H.coeffs().matrix());
  EXPECT_EQ(first.f, again.f);
  EXPECT_NE(first.f, sphere_packing(packing(200, 4)).f);
}

TEST(SpherePacking, RefusesNonsense) {
  EXPECT_THROW(sphere_packing({.spheres = 0}), Error);
  EXPECT_THROW(sphere_packing({.radius_spread = 1.0}), Error);
  EXPECT_THROW(sphere_packing({.container_radius = 1.0}), Error);
  EXPECT_THROW(sphere_packing({.friction = std::nan("")}), Error);
  EXPECT_THROW(sphere_packing({.gap = -1.0}), Error);
  EXPECT_THROW(sphere_packing({.density_ratio = 0.5}), Error);
}

}  // namespace slipstick::internal::packing_test
