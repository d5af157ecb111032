// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/forms/impulse_problem.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal::impulse_problem_test {

TEST(ImpulseProblem, WithoutFrictionKeepsTheNormalRows) {
  LocalContactProblem contact;
  contact.dimension = 3;
  DenseMatrix w(6, 6);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j)
      w(i, j) = i == j ? 10.0 + static_cast<double>(i) : 0.1 * static_cast<double>(i * j);
  }
  contact.W = Operator(w);
  contact.q = Vector::LinSpaced(6, 1.0, 6.0);
  contact.mu = Vector::Constant(2, 0.5);
  const ImpulseProblem normal = impulse_problem(contact, FrictionLaw::none);
  ASSERT_EQ(normal.problem.b.size(), 2);
  EXPECT_EQ(normal.problem.b[0], 1.0);
  EXPECT_EQ(normal.problem.b[1], 4.0);
  EXPECT_EQ(normal.problem.A.entry(1, 1), w(3, 3));
  EXPECT_EQ(normal.problem.A.entry(0, 1), w(0, 3));
  EXPECT_TRUE(normal.problem.K.is_nonnegative_orthant());
  EXPECT_TRUE(normal.problem.symmetric);

  Vector r(6);
  Vector x(2);
  x << 7.0, 8.0;
  normal.expand(x, r);
  Vector expected = Vector::Zero(6);
  expected[0] = 7.0;
  expected[3] = 8.0;
  EXPECT_EQ(r, expected);
  Vector back;
  normal.restrict_impulses(r, back);
  EXPECT_EQ(back, x);
}

TEST(ImpulseProblem, JointsAreFreeAndLimitsHaveBounds) {
  LocalContactProblem contact{.dimension = 2,
                              .W = Operator(DenseMatrix(DenseMatrix::Identity(2, 2) * 3.0)),
                              .q = Vector::Constant(2, -1.0),
                              .mu = Vector::Constant(1, 0.5)};
  DenseMatrix v(2, 1);
  v << 0.5, 0.25;
  add_joints(csr_from_dense(v), csr_from_dense(DenseMatrix::Constant(1, 1, 2.0)), Vector::Constant(1, -4.0),
             contact);
  const ImpulseProblem normal = impulse_problem(contact, FrictionLaw::none);
  ASSERT_EQ(normal.problem.b.size(), 2);
  EXPECT_EQ(normal.problem.A.entry(0, 1), 0.5);
  EXPECT_EQ(normal.problem.A.entry(1, 0), 0.5);
  EXPECT_EQ(normal.problem.A.entry(1, 1), 2.0);
  EXPECT_EQ(normal.problem.b[1], -4.0);
  EXPECT_EQ(normal.problem.K.blocks()[1].kind, SetKind::free);
  EXPECT_EQ(normal.problem.K.blocks()[1].role, Role::bilateral);
  contact.lower[0] = -0.5;
  const ImpulseProblem limited = impulse_problem(contact, FrictionLaw::none);
  EXPECT_EQ(limited.problem.K.blocks()[1].kind, SetKind::interval);
  EXPECT_EQ(limited.problem.K.lower()[1], -0.5);
  EXPECT_EQ(limited.problem.K.upper()[1], infinity);
}

TEST(ImpulseProblem, ConvexLawKeepsTheConesAndSharesTheMatrix) {
  LocalContactProblem contact{.dimension = 3,
                              .W = Operator(DenseMatrix(DenseMatrix::Identity(6, 6))),
                              .q = Vector::LinSpaced(6, 1.0, 6.0),
                              .mu = Vector::Constant(2, 0.5)};
  const ImpulseProblem convex = impulse_problem(contact, FrictionLaw::convex);
  EXPECT_TRUE(convex.problem.A.same_storage(contact.W));
  EXPECT_EQ(convex.problem.b, contact.q);
  ASSERT_EQ(convex.problem.K.blocks().size(), 2u);
  EXPECT_EQ(convex.problem.K.blocks()[1].kind, SetKind::cone);
  EXPECT_EQ(convex.problem.K.blocks()[1].parameter, 0.5);
}

TEST(ImpulseProblem, ContactsWithoutFrictionKeepTheirNormalRowAmongCones) {
  LocalContactProblem contact;
  contact.dimension = 2;
  contact.W = Operator(DenseMatrix(Vector::LinSpaced(6, 1.0, 6.0).asDiagonal()));
  contact.q = Vector::LinSpaced(6, 1.0, 6.0);
  contact.mu.resize(3);
  contact.mu << 0.5, 0.0, 0.25;
  const ImpulseProblem convex = impulse_problem(contact, FrictionLaw::convex);
  EXPECT_EQ(convex.rows, (std::vector<int>{0, 1, 2, 4, 5}));
  EXPECT_EQ(convex.problem.A.entry(3, 3), 5.0);
  EXPECT_EQ(convex.problem.b[3], 5.0);
  EXPECT_EQ(convex.problem.K.blocks()[1].kind, SetKind::nonnegative);
  Vector r(6);
  convex.expand(Vector::LinSpaced(5, 1.0, 5.0), r);
  EXPECT_EQ(r, (Vector(6) << 1.0, 2.0, 3.0, 0.0, 4.0, 5.0).finished());
  Vector back;
  convex.restrict_impulses(r, back);
  EXPECT_EQ(back, Vector(Vector::LinSpaced(5, 1.0, 5.0)));
}

TEST(ImpulseProblem, SymmetrizedHasTheMeanOfOppositeEntries) {
  LocalContactProblem contact;
  contact.dimension = 2;
  DenseMatrix w(2, 2);
  w << 1.0, 0.5, 0.25, 2.0;
  contact.W = Operator(w);
  contact.q = Vector::Ones(2);
  contact.mu = Vector::Ones(1);
  EXPECT_FALSE(impulse_problem(contact, FrictionLaw::convex).problem.symmetric);
  const LocalContactProblem result = SymmetrizedProblem().set(contact);
  EXPECT_EQ(result.W.entry(0, 1), 0.375);
  EXPECT_EQ(result.W.entry(1, 0), 0.375);
  EXPECT_TRUE(impulse_problem(result, FrictionLaw::convex).problem.symmetric);
}

}  // namespace slipstick::internal::impulse_problem_test
