// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/frictionless.hpp"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

TEST(Frictionless, KeepsTheNormalRowsOfEachContact) {
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
  const NormalProblem normal = normal_problem(contact);
  ASSERT_EQ(normal.problem.b.size(), 2);
  EXPECT_EQ(normal.problem.b[0], 1.0);
  EXPECT_EQ(normal.problem.b[1], 4.0);
  EXPECT_EQ(normal.problem.A.entry(1, 1), w(3, 3));
  EXPECT_EQ(normal.problem.A.entry(0, 1), w(0, 3));
  EXPECT_TRUE(normal.problem.K.is_nonnegative_orthant());
  EXPECT_TRUE(normal.problem.symmetric);

  Vector r(6), l(0);
  Vector x(2);
  x << 7.0, 8.0;
  normal.expand(x, r, l);
  Vector expected = Vector::Zero(6);
  expected[0] = 7.0;
  expected[3] = 8.0;
  EXPECT_EQ(r, expected);
  EXPECT_EQ(normal.restrict_to_normals(r, l), x);
}

TEST(Frictionless, BilateralRowsAreFree) {
  LocalContactProblem contact;
  contact.dimension = 2;
  contact.W = Operator(DenseMatrix(DenseMatrix::Identity(2, 2) * 3.0));
  contact.q = Vector::Constant(2, -1.0);
  contact.mu = Vector::Constant(1, 0.5);
  DenseMatrix v(2, 1);
  v << 0.5, 0.25;
  contact.bilateral = LocalBilateral{csr_from_dense(v), csr_from_dense(DenseMatrix::Constant(1, 1, 2.0)),
                                     Vector::Constant(1, -4.0)};
  const NormalProblem normal = normal_problem(contact);
  ASSERT_EQ(normal.problem.b.size(), 2);
  EXPECT_EQ(normal.problem.A.entry(0, 1), 0.5);
  EXPECT_EQ(normal.problem.A.entry(1, 0), 0.5);
  EXPECT_EQ(normal.problem.A.entry(1, 1), 2.0);
  EXPECT_EQ(normal.problem.b[1], -4.0);
  EXPECT_EQ(normal.problem.K.blocks()[1].kind, SetKind::free);
  EXPECT_EQ(normal.problem.K.blocks()[1].role, Role::bilateral);
}

}  // namespace
}  // namespace slipstick
