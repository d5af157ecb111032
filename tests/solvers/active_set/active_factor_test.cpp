// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/active_factor.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/operator.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::active_factor_test {

constexpr Index n = 12;

// A factor that follows a list of normals.
struct Follower {
  explicit Follower(const DenseMatrix& metric) : h(metric) { EXPECT_TRUE(factor.set_metric(h)); }
  void append(const Vector& normal) {
    factor.transform_vector(normal);
    Vector z(n);
    factor.along(z);
    factor.append(z);
    normals.push_back(normal);
  }
  void remove(Index position) {
    factor.remove(position);
    normals.erase(normals.begin() + position);
  }
  // The system [H, -N; N', 0] solved with and without the factor.
  double error(std::uint64_t seed) {
    const auto q = static_cast<Index>(normals.size());
    DenseMatrix k = DenseMatrix::Zero(n + q, n + q);
    k.topLeftCorner(n, n) = h;
    for (Index j = 0; j < q; ++j) {
      k.col(n + j).head(n) = -normals[static_cast<std::size_t>(j)];
      k.row(n + j).head(n) = normals[static_cast<std::size_t>(j)].transpose();
    }
    const Vector side = random_matrix(n + q, 1, seed).col(0);
    Vector x = side.head(n);
    Vector u = side.tail(q);
    factor.solve(x, u);
    const Vector expected = *solve_linear(k, side);
    return ((x - expected.head(n)).norm() + (u - expected.tail(q)).norm()) / expected.norm();
  }
  DenseMatrix h;
  ActiveFactor factor;
  std::vector<Vector> normals;
};

TEST(ActiveFactorTest, FollowsAppendedAndRemovedNormals) {
  Random random(1);
  Follower follower(random_spd(random, n, 1e3));
  EXPECT_LE(follower.error(1), 1e-11);
  for (int step = 0; step < 60; ++step) {
    const auto count = static_cast<Index>(follower.normals.size());
    if (count < n && (count == 0 || random.below(3) != 0)) {
      follower.append(random_vector(n, random));
    } else {
      follower.remove(random.below(count));
    }
    EXPECT_EQ(follower.factor.count(), static_cast<Index>(follower.normals.size()));
    EXPECT_LE(follower.error(static_cast<std::uint64_t>(step)), 1e-8) << step;
  }
}

TEST(ActiveFactorTest, DirectionsLieAlongTheNormals) {
  Random random(2);
  Follower follower(random_spd(random, n, 100.0));
  for (int k = 0; k < 5; ++k) follower.append(random_vector(n, random));
  const Vector normal = random_vector(n, random);
  follower.factor.transform_vector(normal);
  Vector z(n);
  Vector r(5);
  follower.factor.along(z);
  follower.factor.coefficients(r);
  // H z = n - N r and N'z = 0.
  Vector rest = normal;
  for (std::size_t j = 0; j < 5; ++j) {
    rest -= r[static_cast<Index>(j)] * follower.normals[j];
    EXPECT_NEAR(follower.normals[j].dot(z), 0.0, 1e-12);
  }
  EXPECT_LE((follower.h * z - rest).norm(), 1e-11);
  EXPECT_NEAR(follower.factor.independent_part(), z.dot(normal), 1e-11);
  // A combination of those held has nothing new.
  follower.factor.transform_vector(follower.normals[1] - 2.0 * follower.normals[4]);
  EXPECT_EQ(follower.factor.independent_part(), 0.0);
  // The same normal entry by entry.
  follower.factor.transform_entries([&](const auto& visit) {
    for (Index i = 0; i < n; ++i) visit(i, normal[i]);
  });
  const Vector entries = follower.factor.transformed();
  follower.factor.transform_vector(normal);
  EXPECT_LE((entries - follower.factor.transformed()).norm(), 1e-12);
}

TEST(ActiveFactorTest, ClearAndTheDiagonalMetric) {
  Random random(3);
  Follower follower(random_spd(random, n, 10.0));
  follower.append(random_vector(n, random));
  follower.factor.clear();
  follower.normals.clear();
  EXPECT_LE(follower.error(1), 1e-12);
  const Vector d = Vector::LinSpaced(n, 1.0, 12.0);
  follower.factor.set_diagonal_metric(d);
  follower.h = d.asDiagonal();
  EXPECT_LE(follower.error(2), 1e-14);
}

TEST(ActiveFactorTest, RefusesWhatIsNotDefinite) {
  ActiveFactor factor;
  EXPECT_FALSE(factor.set_metric(mat({{1, 2}, {2, 1}})));
  EXPECT_FALSE(factor.set_metric(mat({{1, 1}, {1, 1}})));
  EXPECT_FALSE(factor.set_metric(mat({{0, 0}, {0, 1}})));
  EXPECT_TRUE(factor.set_metric(mat({{2, 1}, {1, 1}})));
}

}  // namespace slipstick::internal::active_factor_test
