// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/body_contacts.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::body_contacts_test {

struct Bodies {
  bool diagonal = false;  // masses
  double compliance = 0.0;
};

// Five bodies with random Jacobians: pairs, the ground, a body that cannot move, and one body on both sides.
LocalContactProblem some_bodies(const Bodies& options) {
  constexpr int dofs = 6, bodies = 5;
  Random random(7);
  std::vector<Constraint> constraints;
  const int pairs[][2] = {{0, 1}, {1, 2}, {2, -1}, {-1, 0}, {3, 1}, {3, 3}, {4, 2}};
  for (const auto& pair : pairs)
    constraints.push_back(
        {.row = 3 * static_cast<int>(constraints.size()), .rows = 3, .body = {pair[0], pair[1]}});
  std::vector<double> jacobian(constraints.size() * 2 * 3 * dofs), masses;
  for (double& entry : jacobian) entry = random.uniform(-1.0, 1.0);
  for (int body = 0; body < bodies; ++body) {
    const bool fixed = body == 4;
    if (options.diagonal) {
      for (int e = 0; e < dofs; ++e) masses.push_back(fixed ? 0.0 : random.uniform(0.5, 2.0));
      continue;
    }
    DenseMatrix root = DenseMatrix::Zero(dofs, dofs);
    for (int a = 0; a < dofs; ++a)
      for (int c = 0; c <= a; ++c) root(a, c) = fixed ? 0.0 : random.uniform(0.2, 1.0);
    const DenseMatrix inverse = root * root.transpose();
    for (int a = 0; a < dofs; ++a)
      for (int c = 0; c < dofs; ++c) masses.push_back(inverse(a, c));
  }
  const auto rows = static_cast<Index>(3 * constraints.size());
  LocalContactProblem problem;
  problem.W = Operator(DelassusOperator(dofs, bodies, masses, constraints, jacobian,
                                        Vector::Constant(rows, options.compliance)));
  problem.q = Vector::LinSpaced(rows, -1.0, 1.0);
  problem.mu = Vector::Constant(rows / 3, 0.3);
  return problem;
}

class BodyContactsTest : public testing::TestWithParam<Bodies> {};

TEST_P(BodyContactsTest, VelocitiesAreThoseOfW) {
  const LocalContactProblem problem = some_bodies(GetParam());
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_TRUE(BodyContacts::takes(blocks));
  Vector r(problem.q.size()), u(problem.q.size());
  for (Index i = 0; i < r.size(); ++i) r[i] = std::sin(static_cast<double>(3 * i));
  for (const Island& island : blocks.islands()) {
    BodyContacts contacts;
    ASSERT_TRUE(contacts.assign(blocks, island));
    Vector v(contacts.velocities());
    contacts.set_velocities(island, r.data(), v.data());
    blocks.velocities(island, r, u);
    for (int i = island.begin; i < island.end; ++i) {
      const double* own = r.data() + static_cast<Index>(3) * i;
      double velocity[3], others[3] = {};
      contacts.contact_velocity(i, v.data(), own, blocks.q(i), velocity);
      contacts.add_others(i, v.data(), own, others);
      const double* D = blocks.block(blocks.diagonal(i));
      for (int a = 0; a < 3; ++a) {
        const double expected = u[static_cast<Index>(3) * i + a];
        EXPECT_NEAR(velocity[a], expected, 1e-12);
        double rest = expected - blocks.q(i)[a];
        for (int c = 0; c < 3; ++c) rest -= D[3 * c + a] * own[c];
        EXPECT_NEAR(others[a], rest, 1e-12);
      }
    }
  }
}

TEST_P(BodyContactsTest, VelocitiesFollowAChange) {
  const LocalContactProblem problem = some_bodies(GetParam());
  ContactBlocks blocks;
  blocks.prepare(problem);
  const Island island = blocks.islands()[0];
  BodyContacts contacts;
  ASSERT_TRUE(contacts.assign(blocks, island));
  Vector r = Vector::Ones(problem.q.size()), v(contacts.velocities()), fresh(contacts.velocities());
  contacts.set_velocities(island, r.data(), v.data());
  const double change[3] = {0.5, -0.25, 2.0};
  contacts.push(island.begin + 1, change, v.data());
  for (Index a = 0; a < 3; ++a) r[3 * (island.begin + 1) + a] += change[a];
  contacts.set_velocities(island, r.data(), fresh.data());
  EXPECT_LE((v - fresh).norm(), 1e-13 * fresh.norm());
}

INSTANTIATE_TEST_SUITE_P(Masses, BodyContactsTest,
                         testing::Values(Bodies{}, Bodies{.diagonal = true}, Bodies{.compliance = 0.1}));

TEST(BodyContacts, NeedsBodies) {
  ContactBlocks blocks;
  LocalContactProblem problem = some_bodies({});
  problem.W = Operator(problem.W.assemble());
  blocks.prepare(problem);
  EXPECT_FALSE(BodyContacts::takes(blocks));
}

TEST(BodyContacts, RefusesAMassThatIsNotPositive) {
  LocalContactProblem problem;
  std::vector<double> masses(36, 0.0);
  for (int e = 0; e < 6; ++e) masses[static_cast<std::size_t>(7 * e)] = e == 3 ? -1.0 : 1.0;
  const std::vector<double> jacobian(36, 1.0);
  problem.W = Operator(
      DelassusOperator(6, 1, masses, {{.row = 0, .rows = 3, .body = {0, -1}}}, jacobian, Vector::Zero(3)));
  problem.q = Vector::Ones(3);
  problem.mu = Vector::Ones(1);
  ContactBlocks blocks;
  blocks.prepare(problem);
  BodyContacts contacts;
  EXPECT_FALSE(contacts.assign(blocks, blocks.islands()[0]));
}

}  // namespace slipstick::internal::body_contacts_test
