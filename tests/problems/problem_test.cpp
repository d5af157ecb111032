// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problem.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::problem_test {

// 2 x 2 with three entries.
CsrMatrix three_entries() {
  return csr_from_dense(mat({{2, 1}, {0, 2}}));
}

Problem bounded(const Vector& lower, const Vector& upper) {
  return {three_entries(), vec({0, 0}), ProductSet::box(lower, upper)};
}

ProblemClass mixed(const Vector& lower, const Vector& upper) {
  return classify(MixedLcp{three_entries(), vec({0, 0}), lower, upper});
}

TEST(ProblemClass, Names) {
  EXPECT_EQ(name(ProblemClass::lcp), "lcp");
  EXPECT_EQ(name(ProblemClass::mlcp), "mlcp");
  EXPECT_EQ(name(ProblemClass::boxed), "boxed");
  EXPECT_EQ(name(ProblemClass::qp), "qp");
  EXPECT_EQ(name(ProblemClass::contact2d), "contact2d");
  EXPECT_EQ(name(ProblemClass::contact3d), "contact3d");
  EXPECT_EQ(name(ProblemClass::global2d), "global2d");
  EXPECT_EQ(name(ProblemClass::global3d), "global3d");
}

TEST(ProblemClass, BoundsDecide) {
  const Vector zero = vec({0, 0}), inf = vec({infinity, infinity});
  const auto both = [](const Vector& lower, const Vector& upper) {
    EXPECT_EQ(mixed(lower, upper), classify(bounded(lower, upper)));
    return mixed(lower, upper);
  };
  EXPECT_EQ(both(zero, inf), ProblemClass::lcp);
  EXPECT_EQ(both(-inf, inf), ProblemClass::mlcp);
  EXPECT_EQ(both(vec({-infinity, 0}), inf), ProblemClass::mlcp);
  EXPECT_EQ(both(vec({-infinity, 1}), inf), ProblemClass::boxed);
  EXPECT_EQ(both(zero, vec({infinity, 1})), ProblemClass::boxed);
  EXPECT_EQ(both(vec({0, 3}), vec({infinity, 3})), ProblemClass::boxed);
  EXPECT_EQ(both(-inf, zero), ProblemClass::boxed);
  EXPECT_EQ(classify(LcpProblem{}), ProblemClass::lcp);
  EXPECT_EQ(classify(Problem{}), ProblemClass::lcp);
}

TEST(ProblemClass, LinearRowsAndConesAreQuadraticPrograms) {
  Problem problem = bounded(vec({0, 0}), vec({infinity, infinity}));
  problem.rows = LinearRows{std::make_shared<CsrMatrix>(1, 2), vec({0}), vec({0})};
  EXPECT_EQ(classify(problem), ProblemClass::qp);
  problem.rows.reset();
  problem.K = ProductSet::cones(vec({0.0}), 2);
  EXPECT_EQ(classify(problem), ProblemClass::qp);
}

TEST(ProblemClass, ContactsByForm) {
  LocalContactProblem local;
  GlobalContactProblem global;
  EXPECT_EQ(classify(local), ProblemClass::contact3d);
  EXPECT_EQ(classify(global), ProblemClass::global3d);
  local.dimension = global.dimension = 2;
  EXPECT_EQ(classify(local), ProblemClass::contact2d);
  EXPECT_EQ(classify(global), ProblemClass::global2d);
}

TEST(ProblemSize, ByHand) {
  EXPECT_EQ(unknowns(LcpProblem{three_entries(), vec({0, 0})}), 2);
  EXPECT_EQ(nonzeros(LcpProblem{three_entries(), vec({0, 0})}), 3);
  EXPECT_EQ(unknowns(MixedLcp{three_entries(), vec({0, 0}), vec({0, 0}), vec({0, 0})}), 2);
  EXPECT_EQ(nonzeros(MixedLcp{three_entries(), vec({0, 0}), vec({0, 0}), vec({0, 0})}), 3);

  Problem problem = bounded(vec({0, 0}), vec({1, 1}));
  EXPECT_EQ(unknowns(problem), 2);
  EXPECT_EQ(nonzeros(problem), 3);
  problem.rows = LinearRows{std::make_shared<CsrMatrix>(csr_from_dense(mat({{1, 1}}))), vec({0}), vec({0})};
  EXPECT_EQ(unknowns(problem), 2);
  EXPECT_EQ(nonzeros(problem), 5);
}

TEST(ProblemSize, ContactsCountTheirJoints) {
  LocalContactProblem local{2, three_entries(), vec({0, 0}), vec({0.5})};
  EXPECT_EQ(local.contacts(), 1);
  EXPECT_EQ(unknowns(local), 2);
  EXPECT_EQ(nonzeros(local), 3);
  // V stands twice in the matrix.
  add_joints(csr_from_dense(mat({{1}, {0}})), csr_from_dense(mat({{4}})), vec({0}), local);
  EXPECT_EQ(unknowns(local), 3);
  EXPECT_EQ(nonzeros(local), 6);

  // The unknowns of the global form are its velocities.
  GlobalContactProblem global;
  global.dimension = 2;
  global.M = csr_from_dense(DenseMatrix(DenseMatrix::Identity(4, 4)));
  global.H = csr_from_dense(mat({{1, 0}, {0, 1}, {0, 0}, {0, 0}}));
  global.mu = vec({0.5});
  EXPECT_EQ(global.contacts(), 1);
  EXPECT_EQ(unknowns(global), 4);
  EXPECT_EQ(nonzeros(global), 6);
  add_joints(csr_from_dense(mat({{0}, {0}, {1}, {1}})), vec({0}), global);
  EXPECT_EQ(unknowns(global), 4);
  EXPECT_EQ(nonzeros(global), 8);
}

}  // namespace slipstick::internal::problem_test
