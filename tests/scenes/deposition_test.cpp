// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/deposition.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tests/support/dense.hpp"

namespace slipstick::internal::deposition_test {

using Eigen::Vector3d;

Deposition deposit(const Container& container, int count, double spread, std::uint64_t seed) {
  Random random(seed);
  Deposition deposition(container, 1.0 + spread);
  for (int i = 0; i < count; ++i) deposition.drop(random.uniform(1.0 - spread, 1.0 + spread), random);
  return deposition;
}

// Deepest overlap of a sphere with another or with the container.
double deepest_overlap(const Deposition& deposition) {
  const auto& spheres = deposition.spheres();
  double deepest = 0.0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (int k = 0; k < deposition.container().surfaces(); ++k)
      deepest = std::max(deepest, -deposition.container().gap(k, spheres[i]));
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = (spheres[i].centre - spheres[j].centre).norm();
      deepest = std::max(deepest, spheres[i].radius + spheres[j].radius - distance);
    }
  }
  return deepest;
}

// Every sphere touches its supports, and a nonnegative combination of their normals is the upward direction.
void expect_carried(const Deposition& deposition) {
  const auto& spheres = deposition.spheres();
  const Container& container = deposition.container();
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    DenseMatrix normals = DenseMatrix::Zero(3, 3);
    int count = 0;
    bool on_floor = false;
    for (const int support : deposition.supports()[i]) {
      if (support == Deposition::none) continue;
      double gap;
      if (support < 0) {
        gap = container.gap(-2 - support, spheres[i]);
        normals.block<3, 1>(0, count++) = container.normal(-2 - support, spheres[i]);
        on_floor = on_floor || support == Deposition::ground(0);
      } else {
        ASSERT_LT(support, static_cast<int>(i));
        const Vector3d apart = spheres[i].centre - spheres[support].centre;
        gap = apart.norm() - spheres[i].radius - spheres[support].radius;
        normals.block<3, 1>(0, count++) = apart.normalized();
      }
      EXPECT_LE(std::abs(gap), 1e-9) << i;
    }
    EXPECT_TRUE(on_floor || count == 3 || (count == 2 && !container.bucket)) << i;
    const Vector up = Vector::Unit(3, 2);
    const Vector shares = least_squares(normals, up, 1e-15);
    EXPECT_LE((normals * shares - up).norm(), 1e-5) << i;
    EXPECT_GE(shares.minCoeff(), -1e-6) << i;
  }
}

TEST(Container, GapsAndNormals) {
  const Sphere sphere{{3.0, 4.0, 2.0}, 1.0};
  const Container cylinder{false, 10.0};
  EXPECT_EQ(cylinder.surfaces(), 2);
  EXPECT_DOUBLE_EQ(cylinder.gap(0, sphere), 1.0);
  EXPECT_DOUBLE_EQ(cylinder.gap(1, sphere), 4.0);
  EXPECT_LE((cylinder.normal(1, sphere) - Vector3d(-0.6, -0.8, 0.0)).norm(), 1e-15);
  const Container bucket{true, 10.0};
  EXPECT_EQ(bucket.surfaces(), 5);
  const double gaps[] = {1.0, 12.0, 6.0, 13.0, 5.0};
  for (int k = 0; k < 5; ++k) {
    EXPECT_DOUBLE_EQ(bucket.gap(k, sphere), gaps[k]);
    // Moving along the normal opens the gap at the same rate.
    const Sphere moved{sphere.centre + 0.5 * bucket.normal(k, sphere), 1.0};
    EXPECT_DOUBLE_EQ(bucket.gap(k, moved), gaps[k] + 0.5);
  }
}

TEST(SphereGrid, FindsAllSpheresWithinReach) {
  const Container container{true, 7.3};
  SphereGrid grid(container, 2.0);
  Random random(3);
  std::vector<Vector3d> centres;
  for (int i = 0; i < 500; ++i) {
    centres.emplace_back(random.uniform(-7.3, 7.3), random.uniform(-7.3, 7.3), random.uniform(0.0, 9.0));
    grid.insert(i, centres.back());
  }
  for (int i = 0; i < 500; ++i) {
    std::vector<int> found, expected;
    grid.visit_near(centres[i], [&](int j) {
      if ((centres[i] - centres[j]).norm() < 2.0) found.push_back(j);
    });
    for (int j = 0; j < 500; ++j) {
      if ((centres[i] - centres[j]).norm() < 2.0) expected.push_back(j);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

TEST(Deposition, FirstSphereLiesOnTheFloor) {
  const Deposition deposition = deposit({false, 3.0}, 1, 0.0, 1);
  EXPECT_DOUBLE_EQ(deposition.spheres()[0].centre.z(), 1.0);
  EXPECT_EQ(deposition.supports()[0], (Deposition::Supports{Deposition::ground(0), -1, -1}));
}

TEST(Deposition, ColumnInANarrowTube) {
  // Unit spheres in a tube of radius 1.5 zigzag between opposite walls. Their centres are 0.5 off the axis,
  // hence 1 apart sideways and sqrt(3) upward. Only the first one may lie anywhere.
  const Deposition deposition = deposit({false, 1.5}, 12, 0.0, 5);
  const auto& spheres = deposition.spheres();
  for (std::size_t i = 2; i < spheres.size(); ++i) {
    EXPECT_NEAR(spheres[i].centre.z() - spheres[i - 1].centre.z(), std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(spheres[i].centre.head<2>().norm(), 0.5, 1e-12);
  }
  expect_carried(deposition);
}

TEST(Deposition, ColumnInASquareTube) {
  // In corners that face each other, each on the one below and two walls.
  const Deposition deposition = deposit({true, 1.4}, 12, 0.0, 5);
  const auto& spheres = deposition.spheres();
  for (std::size_t i = 2; i < spheres.size(); ++i) {
    EXPECT_NEAR(spheres[i].centre.z() - spheres[i - 1].centre.z(), std::sqrt(4.0 - 2.0 * 0.8 * 0.8), 1e-12);
    EXPECT_NEAR(std::abs(spheres[i].centre.x()), 0.4, 1e-12);
    EXPECT_NEAR(std::abs(spheres[i].centre.y()), 0.4, 1e-12);
  }
  expect_carried(deposition);
}

TEST(Deposition, NoOverlapsAndEverySphereIsCarried) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double spread : {0.0, 0.2, 0.7}) {
      const Deposition deposition = deposit({seed % 2 == 0, 6.0}, 400, spread, seed);
      EXPECT_LE(deepest_overlap(deposition), 1e-9);
      expect_carried(deposition);
    }
  }
}

TEST(Deposition, TinyHeapsOfManySeeds) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const double radius = 1.3 + 0.01 * static_cast<double>(seed);
    const Deposition deposition =
        deposit({seed % 2 == 0, radius}, static_cast<int>(seed % 17) + 1, 0.2, seed);
    EXPECT_LE(deepest_overlap(deposition), 1e-9);
    expect_carried(deposition);
  }
}

TEST(Deposition, HeapsAreAsDenseAsDepositsAre) {
  // Random deposits of equal spheres fill some 0.58 of the volume away from the walls.
  const Deposition deposition = deposit({true, 12.0}, 4000, 0.0, 2);
  double volume = 0.0;
  for (const Sphere& sphere : deposition.spheres()) {
    const bool inside = std::max(std::abs(sphere.centre.x()), std::abs(sphere.centre.y())) < 9.0 &&
                        sphere.centre.z() > 4.0 && sphere.centre.z() < 22.0;
    if (inside) volume += 4.0 / 3.0 * 3.14159265 / (18.0 * 18.0 * 18.0);
  }
  EXPECT_GT(volume, 0.54);
  EXPECT_LT(volume, 0.62);
}

}  // namespace slipstick::internal::deposition_test
