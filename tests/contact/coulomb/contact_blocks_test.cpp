// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/contact_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_blocks_test {

// Contacts 0 and 3, 1, 2 and 4 touch each other; one stored block is zero.
LocalContactProblem three_islands(int dimension, Random& random) {
  const Index n = 5 * dimension;
  DenseMatrix W = DenseMatrix::Zero(n, n);
  const auto fill = [&](Index i, Index j) {
    for (Index a = 0; a < dimension; ++a)
      for (Index b = 0; b < dimension; ++b)
        W(dimension * i + a, dimension * j + b) = random.uniform(-1.0, 1.0) + (i == j && a == b ? 4.0 : 0.0);
  };
  for (Index i = 0; i < 5; ++i) fill(i, i);
  fill(0, 3);
  fill(3, 0);
  fill(4, 2);
  LocalContactProblem problem{.dimension = dimension, .W = Operator(W), .q = Vector(n), .mu = Vector(5)};
  for (Index i = 0; i < n; ++i) problem.q[i] = random.uniform(-1.0, 1.0);
  for (Index i = 0; i < 5; ++i) problem.mu[i] = random.uniform(0.0, 1.0);
  return problem;
}

TEST(ContactBlocks, PutsConnectedContactsTogether) {
  for (const int dimension : {2, 3}) {
    Random random(1);
    ContactBlocks blocks;
    blocks.prepare(three_islands(dimension, random));
    ASSERT_EQ(blocks.islands().size(), 3u);
    EXPECT_EQ(blocks.islands()[0].contacts(), 2);
    EXPECT_EQ(blocks.islands()[1].contacts(), 1);
    EXPECT_EQ(blocks.islands()[2].contacts(), 2);
    EXPECT_EQ(blocks.start().back(), 8) << "zero blocks are left out";
  }
}

TEST(ContactBlocks, HasTheVelocitiesOfAnyStorage) {
  for (const int dimension : {2, 3}) {
    Random random(2);
    LocalContactProblem problem = three_islands(dimension, random);
    const CsrMatrix sparse = *problem.W.assemble();
    const std::vector<Operator> storages{problem.W, Operator(sparse)};
    Vector r(problem.q.size());
    for (double& value : r) value = random.uniform(-1.0, 1.0);
    const Vector expected = sparse * r + problem.q;
    for (const Operator& W : storages) {
      problem.W = W;
      ContactBlocks blocks;
      blocks.prepare(problem);
      Vector own_r, own_u(r.size()), u;
      blocks.gather(r, own_r);
      for (const auto& island : blocks.islands()) blocks.velocities(island, own_r, own_u);
      blocks.scatter(own_u, u);
      EXPECT_LE((u - expected).norm(), 1e-15 * expected.norm()) << W.kind();
    }
  }
}

// Bodies 0 to 3; body 3 is immovable. Contacts are on the ground, between two bodies, and twice on one body.
// Masses are whole blocks or diagonals.
TEST(ContactBlocks, ReadsBodiesAsItReadsTheirMatrix) {
  for (const bool diagonal : {false, true}) {
    for (const int d : {2, 3}) {
      const int dofs = d == 3 ? 6 : 3;
      Random random(4);
      std::vector<double> inverse_mass;
      for (int body = 0; body < 4; ++body) {
        const DenseMatrix inverse = (body < 3 ? 1.0 : 0.0) * random_spd(random, dofs, 10.0);
        for (Index i = 0; i < dofs; ++i)
          for (Index j = 0; j < dofs; ++j)
            if (!diagonal || i == j) inverse_mass.push_back(inverse(i, j));
      }
      std::vector<Constraint> constraints;
      for (const auto& bodies : {std::array{-1, 0}, {0, 1}, {1, 0}, {3, 2}, {2, 2}, {3, -1}}) {
        constraints.push_back({d * static_cast<int>(constraints.size()), d, bodies});
      }
      std::vector<double> jacobian(constraints.size() * static_cast<std::size_t>(2 * d * dofs));
      for (double& value : jacobian) value = random.uniform(-1.0, 1.0);
      Vector compliance = Vector::Zero(static_cast<Index>(constraints.size()) * d);
      compliance[1] = 0.5;
      const Index n = compliance.size();
      const Operator graph(DelassusOperator(dofs, 4, inverse_mass, constraints, jacobian, compliance));
      const LocalContactProblem by_bodies{
          .dimension = d, .W = graph, .q = Vector::Ones(n), .mu = Vector::Constant(n / d, 0.5)};
      LocalContactProblem by_rows = by_bodies;
      by_rows.W = Operator(CsrMatrix(*graph.assemble()));
      ContactBlocks is, should;
      is.prepare(by_bodies);
      should.prepare(by_rows);
      EXPECT_EQ(should.islands().size(), 3u);
      ASSERT_EQ(is.islands().size(), should.islands().size());
      ASSERT_EQ(is.start(), should.start());
      ASSERT_EQ(is.columns(), should.columns());
      for (int k = 0; k < is.start().back(); ++k) {
        for (int e = 0; e < d * d; ++e) EXPECT_NEAR(is.block(k)[e], should.block(k)[e], 1e-13) << k;
      }
    }
  }
}

// Chains of three bodies on the ground, read by two threads and by the caller's own.
TEST(ContactBlocks, ThreadsReadTheSameBits) {
  constexpr int chains = 70, bodies = 3 * chains;
  Random random(9);
  std::vector<Constraint> constraints;
  for (int body = 0; body < bodies; ++body) {
    constraints.push_back({3 * static_cast<int>(constraints.size()), 3, {body, -1}});
    if (body % 3 < 2) constraints.push_back({3 * static_cast<int>(constraints.size()), 3, {body, body + 1}});
  }
  std::vector<double> jacobian(constraints.size() * 36), inverse_mass(bodies * 6);
  for (double& value : jacobian) value = random.uniform(-1.0, 1.0);
  for (double& value : inverse_mass) value = random.uniform(0.5, 2.0);
  const Index n = 3 * static_cast<Index>(constraints.size());
  const LocalContactProblem problem{
      .W = Operator(DelassusOperator(6, bodies, inverse_mass, constraints, jacobian, Vector::Zero(n))),
      .q = Vector::Ones(n),
      .mu = Vector::Constant(n / 3, 0.5)};
  ContactBlocks alone, together;
  alone.prepare(problem);
  together.prepare(problem, {.threads = 2});
  EXPECT_EQ(alone.tasks().threads(), 1);
  EXPECT_EQ(together.tasks().threads(), 2);
  ASSERT_EQ(together.islands().size(), static_cast<std::size_t>(chains));
  ASSERT_EQ(together.start(), alone.start());
  ASSERT_EQ(together.columns(), alone.columns());
  EXPECT_TRUE(std::equal(alone.block(0), alone.block(alone.start().back()), together.block(0)));
}

TEST(ContactBlocks, ReadsNewVectorsForTheSameMatrix) {
  Random random(3);
  LocalContactProblem problem = three_islands(3, random);
  ContactBlocks blocks;
  blocks.prepare(problem);
  const auto version = blocks.version();
  problem.q *= 2.0;
  problem.mu.setConstant(0.25);
  blocks.prepare(problem);
  EXPECT_EQ(blocks.version(), version);
  EXPECT_EQ(blocks.norm(), problem.q.stableNorm());
  EXPECT_EQ(blocks.mu(4), 0.25);
  EXPECT_EQ(blocks.q(1)[0], problem.q[9]) << "contact 3 is the second one of its island";
  ContactBlocks others;
  others.prepare(problem);
  EXPECT_NE(others.version(), version);
  problem.W = Operator(dense(problem.W));
  blocks.prepare(problem);
  EXPECT_NE(blocks.version(), version);
}

TEST(ContactBlocks, JoinsContactsThroughJoints) {
  Random random(4);
  LocalContactProblem problem = three_islands(3, random);
  // Row 0 joins contacts 1 and 4, row 1 stands alone. Rows 2 to 5 are one joint of two nodes.
  std::vector<Triplet> coupling{{3, 0, 1.0}, {13, 0, -2.0}}, own{{0, 0, 3.0}, {1, 1, 2.0}};
  for (int i = 2; i < 6; ++i)
    for (int j = 2; j < 6; ++j) own.push_back({i, j, i == j ? 4.0 : 1.0});
  add_joints(csr_from_triplets(15, 6, coupling), csr_from_triplets(6, 6, own),
             Vector{{0.5, -1.0, 0.1, 0.2, 0.3, 0.4}}, problem);
  problem.lower[3] = -0.25;
  ContactBlocks blocks;
  blocks.prepare(problem);
  EXPECT_EQ(blocks.nodes(), 9);
  ASSERT_EQ(blocks.islands().size(), 4u);
  EXPECT_EQ(blocks.islands()[1].contacts(), 3);
  EXPECT_EQ(blocks.islands()[1].nodes(), 4);
  EXPECT_EQ(blocks.islands()[2].contacts(), 0);
  EXPECT_EQ(blocks.islands()[2].nodes(), 1);
  EXPECT_EQ(blocks.islands()[3].nodes(), 2);
  const int joint = blocks.islands()[3].begin;
  EXPECT_EQ(blocks.row_scale(joint, 1), 4.0);
  EXPECT_EQ(blocks.lower(joint, 1), -0.25);
  EXPECT_EQ(blocks.upper(joint, 1), infinity);
  EXPECT_EQ(blocks.upper(joint + 1, 1), 0.0) << "a row that the joint does not have";

  Vector r(problem.q.size());
  for (double& value : r) value = random.uniform(-1.0, 1.0);
  Vector own_r, u, own_u(blocks.q().size());
  blocks.gather(r, own_r);
  for (const auto& island : blocks.islands()) blocks.velocities(island, own_r, own_u);
  blocks.scatter(own_u, u);
  EXPECT_LE((u - (*problem.W.assemble() * r + problem.q)).norm(), 1e-14);
}

TEST(ContactBlocks, LoneContactsShareIslands) {
  constexpr int contacts = Islands::most_lone_contacts + 4;
  LocalContactProblem problem;
  problem.dimension = 2;
  problem.mu = Vector::Constant(contacts, 0.5);
  problem.q = Vector::LinSpaced(2 * contacts, -1.0, 1.0);
  DenseMatrix W = DenseMatrix::Identity(2 * contacts, 2 * contacts);
  W(2, 8) = W(8, 2) = 0.5;  // contacts 1 and 4 are a pair
  problem.W = Operator(csr_from_dense(W));
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 3u);
  EXPECT_EQ(blocks.islands()[0].contacts(), Islands::most_lone_contacts);
  EXPECT_EQ(blocks.islands()[1].contacts(), 2);
  EXPECT_EQ(blocks.islands()[2].contacts(), 2);

  const Vector r = Vector::LinSpaced(2 * contacts, 1.0, 2.0);
  Vector own_r, own_u(2 * contacts), u;
  blocks.gather(r, own_r);
  for (const auto& island : blocks.islands()) blocks.velocities(island, own_r, own_u);
  blocks.scatter(own_u, u);
  EXPECT_LE((u - (W * r + problem.q)).norm(), 1e-14);
}

TEST(ContactBlocks, TakesNoContacts) {
  ContactBlocks blocks;
  blocks.prepare({});
  EXPECT_EQ(blocks.contacts(), 0);
  EXPECT_TRUE(blocks.islands().empty());
}

// The error that methods see is the one that judges.
TEST(CoulombMethod, MeasuresAsTheRulerDoes) {
  for (const int dimension : {2, 3}) {
    for (int seed = 0; seed < 50; ++seed) {
      Random random(seed);
      LocalContactProblem problem = three_islands(dimension, random);
      if (seed % 2 == 1) problem = random_contacts({.dimension = dimension, .bilateral = 4, .bounded = 5});
      Solution solution;
      solution.r.resize(problem.q.size());
      for (double& value : solution.r) value = random.uniform(-1.0, 1.0);
      Measures measures;
      measure(problem, FrictionLaw::coulomb, solution, measures);

      ContactBlocks blocks;
      blocks.prepare(problem);
      Counts counts;
      Monitor monitor({}, 1, nullptr);
      Vector r, u(blocks.q().size());
      blocks.gather(solution.r, r);
      double scaled = 0.0, published = 0.0;
      for (const auto& island : blocks.islands()) {
        blocks.velocities(island, r, u);
        scaled += std::pow(relative_error({blocks, island, {1.0, 1e300}, monitor, counts, r}, r, u), 2);
        published += std::pow(relative_error({blocks, island, {1e300, 1.0}, monitor, counts, r}, r, u), 2);
      }
      const double norm = problem.q.norm();
      EXPECT_NEAR(std::sqrt(scaled) / blocks.weighted_norm(), measures.scaled_natural_map, 1e-13);
      const double largest =
          std::max({norm, solution.r.norm(), solution.u.head(problem.contact_rows()).norm()});
      EXPECT_NEAR(std::sqrt(published) / largest, measures.desaxce, 1e-13);
    }
  }
}

}  // namespace slipstick::internal::contact_blocks_test
