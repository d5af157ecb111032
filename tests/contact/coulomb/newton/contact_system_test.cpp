// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/contact_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_system_test {

// Random unknowns of random sizes, every third contact plain.
void fill(ContactSystem& system, const ContactBlocks& blocks, const Island& island, Random& random) {
  const int d = blocks.dimension();
  for (int i = island.begin; i < island.end; ++i) {
    ContactUnknowns& own = system.unknowns(i);
    own.plain = i % 3 == 0;
    own.size = own.plain ? d : static_cast<int>(random.below(d + 1));
    for (int a = 0; a < 9; ++a) {
      own.left[a] = own.right[a] = random.normal();
      own.left[a] += 0.1 * random.normal();
    }
    std::fill_n(own.added, 3, 5.0);
  }
}

// The matrix as ContactSystem's header has it.
DenseMatrix matrix_of(ContactSystem& system, const ContactBlocks& blocks, const Island& island) {
  const int d = blocks.dimension();
  DenseMatrix all = DenseMatrix::Zero(d * island.nodes(), d * island.nodes());
  for (int i = island.begin; i < island.end; ++i)
    for (int k = blocks.start()[i]; k < blocks.start()[i + 1]; ++k)
      for (int a = 0; a < d; ++a)
        for (int c = 0; c < d; ++c)
          all(d * (i - island.begin) + a, d * (blocks.columns()[k] - island.begin) + c) =
              blocks.block(k)[d * c + a];
  DenseMatrix left = DenseMatrix::Zero(all.rows(), system.rows()), right = left;
  DenseMatrix added = DenseMatrix::Zero(system.rows(), system.rows());
  for (int i = island.begin; i < island.end; ++i) {
    const ContactUnknowns& own = system.unknowns(i);
    for (int c = 0; c < own.size; ++c) {
      for (int a = 0; a < d; ++a) {
        const double one = a == c ? 1.0 : 0.0;
        left(d * (i - island.begin) + a, system.offset(i) + c) = own.plain ? one : own.left[own.size * a + c];
        right(d * (i - island.begin) + a, system.offset(i) + c) =
            own.plain ? one : own.right[own.size * a + c];
      }
      added(system.offset(i) + c, system.offset(i) + c) = own.added[c];
    }
  }
  return left.transpose() * all * right + added;
}

TEST(ContactSystem, SolvesWhatItsHeaderSays) {
  for (const int dimension : {2, 3}) {
    for (const Index bilateral : {0, 6}) {
      const LocalContactProblem problem = random_contacts({.dimension = dimension,
                                                           .contacts = 12,
                                                           .dofs = 60,
                                                           .asymmetry = 1e-3,
                                                           .bilateral = bilateral,
                                                           .seed = 4});
      ContactBlocks blocks;
      blocks.prepare(problem);
      ContactSystem system;
      Random random(5);
      for (const auto& island : blocks.islands()) {
        system.prepare(blocks, island);
        fill(system, blocks, island, random);
        if (!system.factorize()) continue;
        const DenseMatrix a = matrix_of(system, blocks, island);
        const Vector b = random_vector(a.rows(), random);
        for (const int refinements : {0, 1}) {
          Vector x = b;
          system.solve(x, refinements);
          EXPECT_LE((a * x - b).norm(), 1e-10 * a.norm() * x.norm());
        }
      }
    }
  }
}

LocalContactProblem tower_contacts(Index courses) {
  LocalContactProblem problem =
      CondensedProblem(brick_tower({.courses = courses, .bricks = 2, .jitter = 0.1})).local();
  problem.W = Operator(*problem.W.assemble());  // nothing is known of the bodies
  return problem;
}

// The same systems with W known as it is, by its rows, and by its bodies and products alone.
TEST(ContactSystem, SolvesInTheSpaceOfBodies) {
  const GlobalContactProblem sheet = elastic_sheet({.side = 6, .stiffness = 30.0});
  const CondensedProblem assembled(sheet), implicit(sheet, Condensation::implicit);
  const GlobalContactProblem packing = sphere_packing({.spheres = 25});
  const CondensedProblem graph(packing);
  LocalContactProblem rows = graph.local();
  rows.W = Operator(*rows.W.assemble());
  for (const auto& [by_rows, by_bodies] :
       {std::pair(&assembled.local(), &implicit.local()), std::pair(&std::as_const(rows), &graph.local())}) {
    ContactBlocks row_blocks, body_blocks;
    row_blocks.prepare(*by_rows);
    body_blocks.prepare(*by_bodies);
    ASSERT_EQ(row_blocks.islands().size(), body_blocks.islands().size());
    const auto largest =
        std::max_element(row_blocks.islands().begin(), row_blocks.islands().end(),
                         [](const auto& a, const auto& b) { return a.contacts() < b.contacts(); });
    const Island island = *largest;
    ASSERT_GE(island.contacts(), 30);
    for (const double added : {1e-6, 1e-3, 1.0, 1e3}) {
      ContactSystem reference, system;
      reference.prepare(row_blocks, island);
      system.prepare(body_blocks, island);
      Random random(3), again(3);
      fill(reference, row_blocks, island, random);
      fill(system, body_blocks, island, again);
      for (ContactSystem* one : {&reference, &system})
        for (int i = island.begin; i < island.end; ++i)
          for (double& value : one->unknowns(i).added) value = added * row_blocks.scale(i);
      ASSERT_TRUE(reference.factorize());
      ASSERT_TRUE(system.factorize());
      EXPECT_NE(system.factor().rows(), system.rows()) << "that of the bodies";
      EXPECT_EQ(system.determinant_sign(), reference.determinant_sign());
      const DenseMatrix a = matrix_of(reference, row_blocks, island);
      const Vector b = random_vector(a.rows(), random);
      Vector x = b;
      system.solve(x, 1);
      EXPECT_LE((a * x - b).norm(), 1e-9 * b.norm()) << added;
    }
  }
}

// Four contacts of rank six between two planks: the same answers and signs, whatever is added.
void expect_groups(const LocalContactProblem& problem, int groups) {
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 1u);
  const auto& island = blocks.islands()[0];
  ContactSystem system;
  int signs[2] = {};
  for (const double added : {1e-8, 1e-3, 1.0, 1e4}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Random random(seed);
      system.prepare(blocks, island);
      fill(system, blocks, island, random);
      for (int i = island.begin; i < island.end; ++i) {
        ContactUnknowns& own = system.unknowns(i);
        for (int a = 0; a < 3; ++a) own.added[a] = added * blocks.scale(i) * random.uniform(0.5, 2.0);
        // A third of the contacts is turned against itself, so that determinants of both signs occur.
        if (i % 3 == 1)
          for (double& value : own.left) value += random.normal();
      }
      ASSERT_TRUE(system.factorize());
      const DenseMatrix a = matrix_of(system, blocks, island);
      EXPECT_EQ(system.factor().rows(), 6 * groups);
      EXPECT_LT(system.factor().rows(), 3 * island.contacts());
      const int sign = determinant_sign(a);
      EXPECT_EQ(system.determinant_sign(), sign);
      ++signs[sign > 0];
      const Vector b = random_vector(a.rows(), random);
      Vector x = b;
      system.solve(x, 1);
      EXPECT_LE((a * x - b).norm(), 1e-11 * a.norm() * x.norm()) << added << " " << seed;
    }
  }
  EXPECT_GT(signs[0], 0);
  EXPECT_GT(signs[1], 0);
}

TEST(ContactSystem, SolvesInGroups) {
  expect_groups(tower_contacts(5), 2 + 4 * 4);
}

// So few contacts that the bodies are not considered.
TEST(ContactSystem, SolvesInGroupsWithCompliance) {
  for (const double share : {1e-6, 1e-2, 1.0}) {
    GlobalContactProblem tower = brick_tower({.courses = 2, .bricks = 2, .jitter = 0.1});
    const Vector diagonal = dense(CondensedProblem(tower).local().W).diagonal();
    tower.compliance = share * diagonal.cwiseProduct(Vector::LinSpaced(diagonal.size(), 0.0, 2.0));
    expect_groups(CondensedProblem(tower).local(), 2 + 4);
  }
}

TEST(ContactSystem, HasNothingToSolveWhereEveryContactIsOpen) {
  const LocalContactProblem problem = random_contacts({.contacts = 4, .dofs = 20});
  ContactBlocks blocks;
  blocks.prepare(problem);
  ContactSystem system;
  system.prepare(blocks, blocks.islands()[0]);
  for (int i = blocks.islands()[0].begin; i < blocks.islands()[0].end; ++i) system.unknowns(i).size = 0;
  EXPECT_FALSE(system.factorize());
  EXPECT_EQ(system.rows(), 0);
}

TEST(ContactSystem, AllocatesNothingForIslandsItHasSeen) {
  for (const LocalContactProblem& problem : {sphere_contacts(60, 0.4), tower_contacts(4)}) {
    ContactBlocks blocks;
    blocks.prepare(problem);
    ContactSystem system;
    Vector x;
    const auto pass = [&] {
      Random random(7);
      for (const auto& island : blocks.islands()) {
        system.prepare(blocks, island);
        fill(system, blocks, island, random);
        if (!system.factorize()) continue;
        x.setOnes(system.rows());
        system.solve(x, 1);
      }
    };
    pass();
    x.resize(problem.q.size());
    pass();
    const std::size_t before = allocations();
    Random random(7);
    for (const auto& island : blocks.islands()) {
      system.prepare(blocks, island);
      fill(system, blocks, island, random);
      if (system.factorize()) system.solve(x.head(system.rows()), 1);
    }
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace slipstick::internal::contact_system_test
