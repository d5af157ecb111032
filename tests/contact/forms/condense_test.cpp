// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/forms/condense.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::condense_test {

// Two masses of 2 and 4 on a line, with one contact between them and one with the ground. `coupling` is their
// entry of M.
GlobalContactProblem two_masses(double coupling) {
  GlobalContactProblem problem;
  problem.dimension = 2;
  DenseMatrix m = DenseMatrix::Zero(4, 4);
  m.diagonal() << 2.0, 2.0, 4.0, 4.0;
  m(0, 2) = m(2, 0) = coupling;
  problem.M = csr_from_dense(m);
  DenseMatrix h = DenseMatrix::Zero(4, 4);
  h << 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1;
  problem.H = csr_from_dense(h);
  problem.f = Vector::LinSpaced(4, -2.0, 1.0);
  problem.w = Vector::LinSpaced(4, 0.1, 0.4);
  problem.mu = Vector::Constant(2, 0.3);
  return problem;
}

void expect_condensed(const GlobalContactProblem& problem, const CondensedProblem& condensed) {
  const DenseMatrix inverse = internal::inverse(DenseMatrix(problem.M));
  const DenseMatrix h(problem.H);
  const LocalContactProblem& local = condensed.local();
  DenseMatrix W = h.transpose() * inverse * h;
  if (problem.compliance.size() > 0) W.diagonal() += problem.compliance;
  EXPECT_LT((DenseMatrix(*local.W.assemble()) - W).norm(), 1e-12);
  EXPECT_LT((condensed.diagonal() - W.diagonal()).norm(), 1e-12);
  EXPECT_EQ(local.lower, problem.lower);
  EXPECT_EQ(local.upper, problem.upper);
  EXPECT_LT((local.q - (h.transpose() * inverse * problem.f + problem.w)).norm(), 1e-12);
  EXPECT_EQ(local.mu, problem.mu);
  Vector r = Vector::LinSpaced(h.cols(), 0.5, 2.0);
  const Vector velocity = inverse * (h * r + problem.f);
  Vector v;
  condensed.velocity(r, v);
  EXPECT_LT((v - velocity).norm(), 1e-12 * (1.0 + velocity.norm()));
}

TEST(Condense, BlockDiagonalMassStaysMatrixFree) {
  const GlobalContactProblem problem = two_masses(0.0);
  const CondensedProblem condensed(problem);
  EXPECT_EQ(condensed.local().W.kind(), "Delassus");
  expect_condensed(problem, condensed);
}

TEST(Condense, CoupledMassIsFactored) {
  const GlobalContactProblem problem = two_masses(1.0);
  const CondensedProblem condensed(problem);
  expect_condensed(problem, condensed);
}

// Joints and compliance change nothing in the way that W is known.
TEST(Condense, JointsAndComplianceComeAlong) {
  for (const double coupling : {0.0, 0.5}) {
    GlobalContactProblem problem = two_masses(coupling);
    add_joints(csr_from_dense(mat({{1, 0}, {0, 1}, {0, 0}, {2, 1}})), vec({0.25, 0.5}), problem);
    problem.lower[1] = -0.5;
    for (const bool compliant : {false, true}) {
      if (compliant) problem.compliance = Vector::LinSpaced(6, 0.0, 0.5);
      for (const Condensation how : {Condensation::assembled, Condensation::implicit}) {
        const CondensedProblem condensed(problem, how);
        EXPECT_EQ(condensed.local().W.kind(), how == Condensation::implicit ? "condensed" : "Delassus");
        expect_condensed(problem, condensed);
      }
    }
  }
}

TEST(Condense, NoContact) {
  GlobalContactProblem problem = two_masses(0.0);
  problem.H = CsrMatrix(4, 0);
  problem.w.resize(0);
  problem.mu.resize(0);
  const CondensedProblem condensed(problem);
  EXPECT_EQ(condensed.local().q.size(), 0);
  Vector v;
  condensed.velocity(Vector(), v);
  EXPECT_LT((problem.M * v - problem.f).norm(), 1e-12);
}

TEST(Condense, SaysWhereTheMassIsNotPositiveDefinite) {
  GlobalContactProblem problem = two_masses(0.0);
  problem.M.coeffRef(3, 3) = -1.0;
  const std::string message = message_of([&] { CondensedProblem{problem}; });
  EXPECT_NE(message.find("row 3"), std::string::npos) << message;
}

TEST(Condense, PackingOfSpheres) {
  const GlobalContactProblem problem = sphere_packing({.spheres = 20});
  expect_condensed(problem, CondensedProblem(problem));
}

TEST(Condense, ImplicitIsTheSameMatrix) {
  for (const double coupling : {0.0, 1.0}) {
    const GlobalContactProblem problem = two_masses(coupling);
    const CondensedProblem condensed(problem, Condensation::implicit);
    EXPECT_EQ(condensed.local().W.kind(), "condensed");
    expect_condensed(problem, condensed);
    Vector diagonal(condensed.local().W.rows());
    condensed.local().W.diagonal(diagonal);
    EXPECT_LT((condensed.diagonal() - diagonal).norm(), 1e-14);
  }
}

// A small one is not worth a thought, one that couples many contacts stays as it is.
TEST(Condense, ByCost) {
  const GlobalContactProblem small = elastic_sheet({.side = 3}), large = elastic_sheet({.side = 20});
  EXPECT_EQ(CondensedProblem(small, Condensation::by_cost).local().W.kind(), "sparse");
  EXPECT_EQ(CondensedProblem(large, Condensation::by_cost).local().W.kind(), "condensed");
  const GlobalContactProblem packing = sphere_packing({.spheres = 50});
  EXPECT_EQ(CondensedProblem(packing, Condensation::by_cost).local().W.kind(), "Delassus");
}

TEST(Condense, KeepsWhatStaysTheSame) {
  GlobalContactProblem problem = two_masses(1.0);
  CondensedProblem condensed(problem);
  const Operator W = condensed.local().W;
  const ComponentInverse* inverse = &condensed.inverse();
  problem.f[1] += 3.0;
  problem.w[2] -= 1.0;
  problem.mu[0] = 0.7;
  condensed.set(problem, Condensation::assembled);
  EXPECT_TRUE(condensed.local().W.same_storage(W));
  expect_condensed(problem, condensed);
  problem.H.coeffRef(0, 0) = 2.0;
  condensed.set(problem, Condensation::assembled);
  EXPECT_FALSE(condensed.local().W.same_storage(W));
  EXPECT_EQ(&condensed.inverse(), inverse) << "that of M";
  expect_condensed(problem, condensed);
  problem.M.coeffRef(0, 0) = 7.0;
  condensed.set(problem, Condensation::assembled);
  expect_condensed(problem, condensed);
}

}  // namespace slipstick::internal::condense_test
