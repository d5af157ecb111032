// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What first-order methods for Coulomb's law have in common.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "slipstick/contact/coulomb/newton/admm.hpp"
#include "slipstick/contact/coulomb/newton/extragradient.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::coulomb_methods_test {

template <class Method>
class CoulombMethods : public testing::Test {
 protected:
  static Result solved(const LocalContactProblem& problem, double tolerance = 1e-8) {
    Method method;
    Result result = solve_coulomb(method, problem, tolerance);
    EXPECT_TRUE(result.solved()) << name(result.status) << " " << result.measures.scaled_natural_map << " "
                                 << result.measures.desaxce;
    return result;
  }
};
using Methods = testing::Types<Nsgs, NsgsFast, Admm, Extragradient>;
TYPED_TEST_SUITE(CoulombMethods, Methods);

TYPED_TEST(CoulombMethods, BlockOnASlope) {
  for (const int dimension : {2, 3}) {
    for (const double angle : {0.2, 0.5}) {
      const Result result = this->solved(block_on_slope(dimension, angle, 0.4), 1e-12);
      const double slide = std::max(0.0, 10.0 * (std::sin(angle) - 0.4 * std::cos(angle)));
      EXPECT_NEAR(result.u.tail(dimension - 1).norm(), slide, 1e-10);
      EXPECT_NEAR(result.u[0], 0.0, 1e-10);
      EXPECT_NEAR(result.r[0], 10.0 * std::cos(angle), 1e-10);
    }
    EXPECT_TRUE(this->solved(block_on_slope(dimension, 0.5, 0.4, 11.0)).r.isZero()) << "parts";
  }
}

TYPED_TEST(CoulombMethods, RandomContactsObeyTheLaw) {
  Nsgs nsgs;
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const LocalContactProblem problem = random_contacts({.dimension = dimension,
                                                           .contacts = 12,
                                                           .dofs = 60,
                                                           .friction = 0.1 * static_cast<double>(seed % 8),
                                                           .asymmetry = seed % 2 == 0 ? 0.0 : 1e-3,
                                                           .seed = seed});
      const Result result = this->solved(problem, 1e-9);
      expect_coulomb(problem, result, 1e-6);
      const Vector u = solve_coulomb(nsgs, problem, 1e-9).u;
      EXPECT_LE((result.u - u).norm(), 1e-6 * problem.q.norm());
    }
  }
}

TYPED_TEST(CoulombMethods, JointsHold) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const LocalContactProblem problem = random_contacts(
          {.dimension = dimension, .contacts = 8, .dofs = 50, .friction = 0.4, .bilateral = 5, .seed = seed});
      const Result result = this->solved(problem, 1e-9);
      expect_coulomb(problem, result, 1e-6);
      EXPECT_EQ(result.r[problem.contact_rows() + 2], 0.0) << "a row that nothing moves";
    }
  }
}

TYPED_TEST(CoulombMethods, LimitsAndMotorsHold) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const LocalContactProblem problem = limits_and_motors(dimension, seed);
      expect_coulomb(problem, this->solved(problem, 1e-9), 1e-6);
    }
  }
}

TYPED_TEST(CoulombMethods, RedundantContacts) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 20, .dofs = 24, .friction = 0.3, .seed = 2});
  expect_coulomb(problem, this->solved(problem, 1e-8), 1e-5);
}

TYPED_TEST(CoulombMethods, NoContactsZeroBlocksAndZeroVelocity) {
  EXPECT_EQ(this->solved({}).r.size(), 0);
  EXPECT_TRUE(this->solved(one_contact(DenseMatrix::Zero(3, 3), vec({0.5, 1, 1}), 0.5)).r.isZero());
  EXPECT_TRUE(this->solved(one_contact(DenseMatrix::Identity(3, 3), Vector::Zero(3), 0.5)).r.isZero());
  EXPECT_TRUE(this->solved(one_contact(DenseMatrix::Identity(3, 3), vec({-2, 1, 1}), 0.0))
                  .r.isApprox(vec({2, 0, 0}), 1e-7));
}

// Nothing can help this contact: no answer, and no NaN.
TYPED_TEST(CoulombMethods, HopelessContactStaysFinite) {
  TypeParam method;
  const Result result =
      solve_coulomb(method, one_contact(DenseMatrix::Zero(3, 3), vec({-0.5, 1, 1}), 0.5), 1e-8, 200);
  EXPECT_FALSE(result.solved());
  EXPECT_TRUE(result.r.allFinite());
}

TYPED_TEST(CoulombMethods, UnitsDoNotMatter) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 60, .seed = 3});
  const Result reference = this->solved(problem, 1e-8);
  for (const double mass : {1e-6, 1e6}) {
    for (const double velocity : {1e-6, 1e6}) {
      const Result result = this->solved(rescaled(problem, mass, velocity), 1e-8);
      EXPECT_LE((result.r * mass / velocity - reference.r).norm(), 1e-5 * reference.r.norm());
    }
  }
}

TYPED_TEST(CoulombMethods, WarmStartAtTheSolutionIsFree) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 60, .seed = 3});
  TypeParam method;
  const Vector start = solve_coulomb(method, problem, 1e-9).r;
  ContactBlocks blocks;
  Result again;
  solve_coulomb(method, blocks, problem, {.tolerance = 1e-8}, again, &start);
  EXPECT_TRUE(again.solved());
  EXPECT_EQ(again.counts.iterations, 0);
}

TYPED_TEST(CoulombMethods, LimitsAreObeyedWithTheBestAnswer) {
  const LocalContactProblem problem = sphere_contacts(40, 0.3);
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 1u);
  TypeParam method;
  Result result;
  double last = 1e300;
  for (const int iterations : {4, 40, 200}) {
    Monitor monitor({.tolerance = 1.0, .max_iterations = iterations}, 1, nullptr);
    Counts counts;
    Vector r = Vector::Zero(problem.q.size());
    method.run({blocks, blocks.islands()[0], {1e-14 * blocks.norm(), 1e300}, monitor, counts, r});
    EXPECT_EQ(monitor.status(), Status::iteration_limit);
    EXPECT_EQ(monitor.iterations(), iterations);
    blocks.scatter(r, result.r);
    measure(problem, FrictionLaw::coulomb, result, result.measures);
    EXPECT_LT(result.measures.scaled_natural_map, last);
    last = result.measures.scaled_natural_map;
  }
}

TYPED_TEST(CoulombMethods, SameBitsAgainWithoutAllocation) {
  const LocalContactProblem problem = side_by_side(random_contacts({.contacts = 10, .dofs = 60, .seed = 3}),
                                                   random_contacts({.contacts = 4, .dofs = 20, .seed = 4}));
  TypeParam method;
  ContactBlocks blocks;
  blocks.prepare(problem);
  ASSERT_EQ(blocks.islands().size(), 2u);
  Vector first;
  for (int again = 0; again < 3; ++again) {
    Vector r = Vector::Zero(problem.q.size());
    const std::size_t before = allocations();
    for (const auto& island : blocks.islands()) {
      Monitor monitor({.tolerance = 1.0}, 10000, nullptr);
      Counts counts;
      method.run({blocks, island, {1e-8 * blocks.norm(), 1e300}, monitor, counts, r});
      EXPECT_EQ(monitor.status(), Status::solved);
    }
    if (again > 0) {
      EXPECT_TRUE(sanitized || allocations() == before);
      EXPECT_EQ(r, first);
    }
    first = r;
  }
}

TYPED_TEST(CoulombMethods, RealProblems) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  constexpr bool sweeps = std::is_same_v<TypeParam, Nsgs>;
  const Index most = sanitized ? (sweeps ? 100 : 20) : (sweeps ? 700 : 300);
  int count = 0;
  for (const char* folder : {"fc2d", "fc3d"}) {
    for (const NamedContacts& file : real_contacts(folder, most)) {
      SCOPED_TRACE(file.name);
      EXPECT_LE(this->solved(file.problem, 1e-4).measures.desaxce, 1e-4);
      if (file.problem.contacts() <= 12) this->solved(file.problem, 1e-8);
      ++count;
    }
  }
  EXPECT_GE(count, 12);
}

}  // namespace slipstick::internal::coulomb_methods_test
