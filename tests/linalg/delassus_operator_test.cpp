// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/delassus_operator.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linalg/samples.hpp"

namespace slipstick::internal::delassus_operator_test {

using testing::BodyGraph;
using testing::BodyGraphOptions;
using testing::random_vector;

TEST(DelassusOperator, TwoBodiesByHand) {
  // Masses 2 and 4 on a line, a contact between them and one of the first with the ground.
  const DelassusOperator a(1, 2, {0.5, 0.25}, {{0, 1, {0, 1}}, {1, 1, {-1, 0}}}, {-1, 1, 99, 1},
                           Vector::Constant(2, 0.125));
  EXPECT_EQ(a.entry(0, 0), 0.5 + 0.25 + 0.125);
  EXPECT_EQ(a.entry(0, 1), -0.5);
  EXPECT_EQ(a.entry(1, 0), -0.5);
  EXPECT_EQ(a.entry(1, 1), 0.5 + 0.125);
  EXPECT_EQ(a.rows(), 2);
  EXPECT_EQ(a.bodies(), 2);
  EXPECT_EQ(a.dofs(), 2);
  EXPECT_EQ(a.nonzeros(), 4);
}

TEST(DelassusOperator, ABodyOnBothSides) {
  // Both blocks act on the same body: they add up.
  const DelassusOperator a(1, 1, {1.0}, {{0, 1, {0, 0}}}, {2, 3}, Vector::Zero(1));
  EXPECT_EQ(a.entry(0, 0), 25.0);
  Vector y(1);
  a.multiply(Vector::Ones(1), y, 1);
  EXPECT_EQ(y[0], 25.0);
  EXPECT_EQ(a.to_csr().coeff(0, 0), 25.0);
}

TEST(DelassusOperator, VelocitiesAndImpulses) {
  for (const bool diagonal : {false, true}) {
    const BodyGraph graph = testing::random_body_graph({.rows = 0, .diagonal_mass = diagonal, .seed = 7});
    const DelassusOperator a = graph.make();
    Random random(1);
    const Vector x = random_vector(a.rows(), random);
    Vector v(a.dofs()), y(a.rows());
    for (const int threads : {1, 2, 3}) {
      a.body_velocities(x, v, threads);
      EXPECT_NEAR((v - graph.dense_inverse_mass * graph.dense_jacobian.transpose() * x).norm(), 0.0, 1e-11);
      a.row_velocities(v, x, y, threads);
      EXPECT_NEAR((y - graph.dense * x).norm(), 0.0, 1e-11);
    }
    for (Index i = 0; i < a.rows(); ++i) {
      EXPECT_NEAR(a.row_velocity(i, v.data()), graph.dense_jacobian.row(i).dot(v), 1e-12);
      Vector changed = v;
      a.apply_impulse(i, 0.75, changed.data());
      const Vector expected = v + 0.75 * graph.dense_inverse_mass * graph.dense_jacobian.row(i).transpose();
      EXPECT_NEAR((changed - expected).norm(), 0.0, 1e-12);
    }
    EXPECT_NEAR((DenseMatrix(a.jacobian_csr()) - graph.dense_jacobian).norm(), 0.0, 1e-14);
    EXPECT_EQ((DenseMatrix(a.inverse_mass_csr()) - graph.dense_inverse_mass).norm(), 0.0);
  }
}

TEST(DelassusOperator, SetAgain) {
  DelassusOperator kept;
  EXPECT_EQ(kept.rows(), 0);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const BodyGraphOptions options{.dofs = seed % 2 == 0 ? 6 : 3,
                                   .constraints = static_cast<Index>(5 + seed % 4),
                                   .rows = seed % 3 == 0 ? 0 : 3,
                                   .diagonal_mass = seed % 5 == 0,
                                   .seed = seed};
    const BodyGraph graph = testing::random_body_graph(options);
    const DelassusOperator a = graph.make();
    kept.set(options.dofs, options.bodies, graph.inverse_mass, graph.constraints, graph.jacobian,
             graph.compliance);
    Random random(seed);
    const Vector x = random_vector(a.rows(), random);
    Vector y(a.rows()), expected(a.rows());
    for (const int threads : {1, 2}) {
      kept.multiply(x, y, threads);
      a.multiply(x, expected, threads);
      EXPECT_EQ(y, expected);
      EXPECT_NEAR((y - graph.dense * x).norm(), 0.0, 1e-10);
    }
    EXPECT_EQ(kept.bytes_per_product(), a.bytes_per_product());
  }
}

TEST(DelassusOperator, BytesOfAProduct) {
  const BodyGraph graph = testing::random_body_graph({.ground = 0.0});
  // J twice, 16 bytes per constraint and pass, the mass, and the vectors.
  const double j = 8.0 * static_cast<double>(graph.jacobian.size());
  EXPECT_EQ(graph.make().bytes_per_product(), 2.0 * (j + 16.0 * 8) + 8.0 * 5 * 36 + 32.0 * 30 + 32.0 * 24);
}

TEST(DelassusOperator, RefusesWhatDoesNotFit) {
  const std::vector<Constraint> one = {{0, 1, {0, -1}}};
  const Vector c = Vector::Zero(1);
  EXPECT_NO_THROW(DelassusOperator(2, 1, {1, 1}, one, {1, 1, 0, 0}, c));
  EXPECT_NO_THROW(DelassusOperator(2, 1, {1, 0, 0, 1}, one, {1, 1, 0, 0}, c));
  EXPECT_THROW(DelassusOperator(0, 1, {}, one, {}, c), Error);
  EXPECT_THROW(DelassusOperator(2, -1, {}, {}, {}, Vector()), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1, 1}, one, {1, 1, 0, 0}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, one, {1, 1, 0}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, one, {1, 1, 0, 0}, Vector::Zero(2)), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{1, 1, {0, -1}}}, {1, 1, 0, 0}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{0, 0, {0, -1}}}, {}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{0, 2, {0, -1}}}, {1, 1, 1, 1, 0, 0, 0, 0}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{0, 1, {1, -1}}}, {1, 1, 0, 0}, c), Error);
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{0, 1, {0, -2}}}, {1, 1, 0, 0}, c), Error);
  // Sizes whose products overflow.
  constexpr Index many = std::numeric_limits<Index>::max() / 2;
  EXPECT_THROW(DelassusOperator(6, many, {}, {}, {}, Vector()), Error);
  constexpr int all = std::numeric_limits<int>::max();
  EXPECT_THROW(DelassusOperator(2, 1, {1, 1}, {{0, 1, {0, -1}}, {1, all, {0, -1}}}, {1, 1, 0, 0}, c), Error);
}

// Bodies 0 to 4; body 2 is immovable and connects nothing.
TEST(DelassusOperator, IslandsShareMovableBodies) {
  std::vector<Constraint> constraints;
  for (const auto& bodies : {std::array{3, -1}, {0, 2}, {1, 2}, {2, -1}, {4, 0}, {-1, -1}})
    constraints.push_back({static_cast<int>(constraints.size()), 1, bodies});
  const DelassusOperator graph(1, 5, {1, 1, 0, 1, 1}, constraints, std::vector<double>(12, 1.0),
                               Vector::Zero(6));
  EXPECT_EQ(graph.islands(), 5);
  std::vector<int> islands;
  for (std::size_t k = 0; k < constraints.size(); ++k) islands.push_back(graph.island_of(k));
  EXPECT_EQ(islands, (std::vector<int>{0, 1, 2, 3, 1, 4}));
  // A part has only the bodies of its rows.
  const DelassusOperator part = graph.principal_submatrix(std::vector<int>{1, 4});
  EXPECT_EQ(part.bodies(), 3);
  EXPECT_EQ(part.entry(0, 1), graph.entry(1, 4));
  EXPECT_EQ(part.entry(1, 1), graph.entry(4, 4));
}

TEST(DelassusOperator, GivesItsNumbersBack) {
  const testing::BodyGraph graph = testing::random_body_graph({.seed = 3});
  const DelassusOperator a = graph.make();
  const Vector other = Vector::Constant(a.rows(), 0.5);
  const DelassusOperator b = a.with_compliance(other);
  EXPECT_EQ(b.jacobian_by_constraint(), a.jacobian_by_constraint());
  for (Index i = 0; i < a.rows(); ++i)
    EXPECT_NEAR(b.entry(i, i) - 0.5, a.entry(i, i) - a.compliance()[i], 1e-12 * b.entry(i, i));
  EXPECT_EQ(b.entry(1, 0), a.entry(1, 0));
}

}  // namespace slipstick::internal::delassus_operator_test
