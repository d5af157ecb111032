// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/island_rows.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal::island_rows_test {

// Three balls on the ground, each with a contact. A motor joins the first and the last one.
void fill(BodyProblem& problem) {
  problem.reset(3);
  for (Index k = 0; k < 3; ++k)
    problem.set_body(k, RigidBody::space(1.0 / static_cast<double>(k + 1), Eigen::Matrix3d::Identity(),
                                         {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {0.0, 0.0, -1.0, 0.0, 0.0, 0.0}));
  const Eigen::Matrix3d frame{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  for (int k = 0; k < 3; ++k)
    problem.add_contact(
        static_cast<std::uint64_t>(k),
        {.bodies = {k, -1}, .frame = frame, .arms = {SmallVector{0.0, 0.0, -0.5}}, .mu = 0.1 * (k + 1)});
  Eigen::Matrix<double, 1, 6> row = Eigen::Matrix<double, 1, 6>::Zero();
  row[0] = 1.0;
  problem.add_rows(10, {.bodies = {0, 2},
                        .jacobians = {row, -row},
                        .bias = {0.7},
                        .lower = {-2.0},
                        .upper = {3.0},
                        .compliance = {0.25}});
}

TEST(IslandRows, AnIslandIsAProblemOfItsOwn) {
  BodyProblem bodies;
  fill(bodies);
  const auto& whole = std::get<LocalContactProblem>(bodies.contact_form());
  const std::vector<int> island_of = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0};
  std::vector<int> rows;
  find_island_rows(island_of, 0, rows);
  ASSERT_EQ(rows, (std::vector<int>{0, 1, 2, 6, 7, 8, 9}));
  const LocalContactProblem part = assembled_island(bodies, rows);
  EXPECT_EQ(part.dimension, 3);
  ASSERT_EQ(part.contacts(), 2);
  EXPECT_EQ(part.mu[0], whole.mu[0]);
  EXPECT_EQ(part.mu[1], whole.mu[2]);
  ASSERT_EQ(part.joint_rows(), 1);
  EXPECT_EQ(part.lower[0], -2.0);
  EXPECT_EQ(part.upper[0], 3.0);
  ASSERT_EQ(part.q.size(), 7);
  for (Index k = 0; k < 7; ++k) EXPECT_EQ(part.q[k], whole.q[rows[static_cast<std::size_t>(k)]]);
  Assembler assembler;
  const DenseMatrix all = *assembler.assemble(whole.W), some = *assembler.assemble(part.W);
  ASSERT_EQ(some.rows(), 7);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 7; ++j)
      EXPECT_DOUBLE_EQ(some(i, j), all(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]));
  EXPECT_GT(some(6, 6), 0.25) << "with compliance";
}

TEST(IslandRows, AnIslandMayHaveNoJointsOrNoContacts) {
  BodyProblem bodies;
  fill(bodies);
  const auto& whole = std::get<LocalContactProblem>(bodies.contact_form());
  LocalContactProblem part;
  copy_island(whole, std::vector<int>{9}, part);
  EXPECT_EQ(part.contacts(), 0);
  EXPECT_EQ(part.joint_rows(), 1);
  copy_island(whole, std::vector<int>{3, 4, 5}, part);
  EXPECT_EQ(part.contacts(), 1);
  EXPECT_EQ(part.joint_rows(), 0);
  EXPECT_EQ(part.mu[0], whole.mu[1]);
}

}  // namespace slipstick::internal::island_rows_test
