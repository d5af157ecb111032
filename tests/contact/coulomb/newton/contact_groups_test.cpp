// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/contact_groups.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_groups_test {

LocalContactProblem tower(Index courses, Index bricks) {
  return CondensedProblem(brick_tower({.courses = courses, .bricks = bricks, .jitter = 0.05})).local();
}

// X W_pivots X'
DenseMatrix product(const ContactGroups& groups, int d, int contacts) {
  std::vector<int> first = {0};
  for (const int rank : groups.ranks()) first.push_back(first.back() + rank);
  DenseMatrix x = DenseMatrix::Zero(d * contacts, first.back());
  for (int i = 0; i < contacts; ++i) {
    const int g = groups.group_of(i), rank = groups.rank(g);
    for (int a = 0; a < d; ++a)
      for (int k = 0; k < rank; ++k) x(d * i + a, first[g] + k) = groups.basis(i)[rank * a + k];
  }
  DenseMatrix small = DenseMatrix::Zero(first.back(), first.back());
  for (int g = 0; g < groups.groups(); ++g) {
    for (int k = groups.start()[g]; k < groups.start()[g + 1]; ++k) {
      const int other = groups.columns()[k];
      for (int a = 0; a < groups.rank(g); ++a)
        for (int b = 0; b < groups.rank(other); ++b)
          small(first[g] + a, first[other] + b) = groups.block(k)[groups.width(g) * a + b];
    }
  }
  return x * small * x.transpose();
}

DenseMatrix matrix_of(const ContactBlocks& blocks, const Island& island) {
  const int d = blocks.dimension();
  DenseMatrix all = DenseMatrix::Zero(d * island.contacts(), d * island.contacts());
  for (int i = island.begin; i < island.end; ++i)
    for (int k = blocks.start()[i]; k < blocks.start()[i + 1]; ++k)
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b)
          all(d * (i - island.begin) + a, d * (blocks.columns()[k] - island.begin) + b) =
              blocks.block(k)[d * b + a];
  return all;
}

TEST(ContactGroups, FacesOfATowerHaveRankSix) {
  ContactBlocks blocks;
  blocks.prepare(tower(5, 2));
  const Island island = blocks.islands()[0];
  ContactGroups groups;
  ASSERT_TRUE(groups.find(blocks, island));
  EXPECT_EQ(groups.groups(), 2 + 4 * 4);
  for (const int rank : groups.ranks()) EXPECT_EQ(rank, 6);
  const DenseMatrix w = matrix_of(blocks, island);
  EXPECT_LE((w - product(groups, 3, island.contacts())).cwiseAbs().maxCoeff(),
            1e-12 * w.cwiseAbs().maxCoeff());
}

TEST(ContactGroups, MixedRanksOfAPile) {
  ContactBlocks blocks;
  blocks.prepare(CondensedProblem(rock_pile({.rocks = 20})).local());
  const auto largest = [](const auto& a, const auto& b) { return a.contacts() < b.contacts(); };
  const Island island = std::ranges::max(blocks.islands(), largest);
  ContactGroups groups;
  ASSERT_TRUE(groups.find(blocks, island));
  int alone = 0, six = 0;
  for (const int rank : groups.ranks()) {
    alone += rank == 3;
    six += rank == 6;
  }
  EXPECT_GT(alone, 0);
  EXPECT_GT(six, 0);
  const DenseMatrix w = matrix_of(blocks, island);
  EXPECT_LE((w - product(groups, 3, island.contacts())).cwiseAbs().maxCoeff(),
            1e-11 * w.cwiseAbs().maxCoeff());
}

// H' A H with an asymmetric A of the bodies: rows and columns still have their rank.
TEST(ContactGroups, HoldForAsymmetricMatrices) {
  const GlobalContactProblem global = brick_tower({.courses = 5, .bricks = 2});
  const DenseMatrix h(global.H);
  DenseMatrix inverse = internal::inverse(DenseMatrix(global.M));
  for (Index body = 0; body < h.rows(); body += 6)
    inverse.block<6, 6>(body, body) += 1e-3 * inverse(body, body) * random_matrix(6, 6, 7);
  const DenseMatrix w = h.transpose() * inverse * h;
  LocalContactProblem problem{3, Operator(csr_from_dense(w)), Vector::Ones(w.rows()), global.mu};
  ContactBlocks blocks;
  blocks.prepare(problem);
  const Island island = blocks.islands()[0];
  ContactGroups groups;
  ASSERT_TRUE(groups.find(blocks, island));
  const DenseMatrix own = matrix_of(blocks, island);
  EXPECT_GT((own - own.transpose()).norm(), 1e-6 * own.norm());
  EXPECT_LE((own - product(groups, 3, island.contacts())).cwiseAbs().maxCoeff(),
            1e-11 * own.cwiseAbs().maxCoeff());
}

// The compliance of the bodies' rows is no part of W here.
TEST(ContactGroups, LeaveCompliancesAside) {
  for (const double share : {1e-8, 1e-2, 1e3}) {
    GlobalContactProblem global = brick_tower({.courses = 3, .bricks = 2, .jitter = 0.05});
    const Vector diagonal = dense(CondensedProblem(global).local().W).diagonal();
    global.compliance = share * diagonal.cwiseProduct(Vector::LinSpaced(diagonal.size(), 0.5, 2.0));
    ContactBlocks blocks;
    const CondensedProblem condensed(global);
    blocks.prepare(condensed.local());
    const Island island = blocks.islands()[0];
    ContactGroups groups;
    ASSERT_TRUE(groups.find(blocks, island)) << share;
    EXPECT_EQ(groups.groups(), 2 + 2 * 4);
    for (const int rank : groups.ranks()) EXPECT_EQ(rank, 6);
    DenseMatrix w = matrix_of(blocks, island);
    const double largest = w.cwiseAbs().maxCoeff();
    w.diagonal() -= blocks.compliance();
    EXPECT_LE((w - product(groups, 3, island.contacts())).cwiseAbs().maxCoeff(), 1e-11 * largest);
  }
}

TEST(ContactGroups, AreGivenUpWhereTheyDoNotHold) {
  const LocalContactProblem problem = tower(5, 2);
  ContactGroups groups;
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_TRUE(groups.find(blocks, blocks.islands()[0]));
  // One entry off the diagonal blocks of the groups, so that their ranks stay.
  DenseMatrix w = dense(problem.W);
  Index column = w.cols() - 1;
  while (w(0, column) == 0.0) --column;
  w(0, column) += 1e-6 * w(0, 0);
  LocalContactProblem spoiled = problem;
  spoiled.W = Operator(csr_from_dense(w));
  blocks.prepare(spoiled);
  EXPECT_FALSE(groups.find(blocks, blocks.islands()[0]));
}

TEST(ContactGroups, SpheresHaveNone) {
  ContactBlocks blocks;
  blocks.prepare(sphere_contacts(40, 0.3));
  ContactGroups groups;
  for (const auto& island : blocks.islands()) EXPECT_FALSE(groups.find(blocks, island));
}

}  // namespace slipstick::internal::contact_groups_test
