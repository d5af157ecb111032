// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/contact_ruler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_ruler_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// d = 3 and ||q|| = 5.
LocalContactProblem one_contact() {
  return {3, DenseMatrix(vec({1, 2, 6}).asDiagonal()), vec({3, 4, 0}), vec({0.5})};
}

ContactRuler ruler_of(const LocalContactProblem& problem, FrictionLaw law) {
  ContactRuler ruler;
  ruler.prepare(problem, law);
  return ruler;
}

// A ball of mass 2 on a plane.
GlobalContactProblem ball() {
  return {.M = csr_from_dense(DenseMatrix(vec({2, 2, 2}).asDiagonal())),
          .H = csr_from_dense(DenseMatrix(DenseMatrix::Identity(3, 3))),
          .f = vec({-2, -4, 0}),
          .w = vec({0, 0, 0}),
          .mu = vec({0.5})};
}

TEST(ContactRuler, ScaleAndNormByHand) {
  const ContactRuler local = ruler_of(one_contact(), FrictionLaw::convex);
  EXPECT_DOUBLE_EQ(local.scale()[0], 3.0);
  EXPECT_DOUBLE_EQ(local.norm(), 5.0);
  ContactRuler global;
  const GlobalContactProblem problem = ball();
  global.prepare(problem, FrictionLaw::convex, ComponentInverse(problem.M));
  EXPECT_DOUBLE_EQ(global.scale()[0], 0.5);
  EXPECT_DOUBLE_EQ(global.norm(), std::sqrt(5.0));
}

TEST(ContactRuler, BilateralRowsEnterTheNorm) {
  LocalContactProblem local = one_contact();
  local.bilateral = LocalBilateral{CsrMatrix(3, 1), CsrMatrix(1, 1), vec({12})};
  EXPECT_DOUBLE_EQ(ruler_of(local, FrictionLaw::convex).norm(), 13.0);
  // q = f / 2 and s = G'f / 2 + b = -1 + 3.
  GlobalContactProblem problem = ball();
  problem.bilateral = GlobalBilateral{csr_from_dense(mat({{1}, {0}, {0}})), vec({3})};
  ContactRuler global;
  global.prepare(problem, FrictionLaw::convex, ComponentInverse(problem.M));
  EXPECT_DOUBLE_EQ(global.norm(), 3.0);
}

// r = (2, 1, 0) on the boundary of the cone, u = (0, -1, 0) along it.
TEST(ContactRuler, LawsByHand) {
  const Vector r = vec({2, 1, 0}), u = vec({0, -1, 0}), none;
  // Sliding against the impulse: De Saxce's shift makes u^ = (1/2, -1, 0), normal to the cone at r.
  const ContactRuler coulomb = ruler_of(one_contact(), FrictionLaw::coulomb);
  EXPECT_NEAR(coulomb(r, u, none), 0.0, 1e-16);
  EXPECT_NEAR(coulomb.natural_map(r, u), 0.0, 1e-15);
  // Without the shift r - u / d = (2, 4/3, 0) goes to (2 + 4/6) / (5/4) (1, 1/2, 0).
  const ContactRuler convex = ruler_of(one_contact(), FrictionLaw::convex);
  const double normal = (2.0 + 0.5 * 4.0 / 3.0) / 1.25;
  const double error = 3.0 * std::hypot(2.0 - normal, 1.0 - 0.5 * normal);
  EXPECT_NEAR(convex.contact_error(0, r, u), error, 1e-14);
  EXPECT_NEAR(convex(r, u, none), error / 5.0, 1e-15);
  // The same with d = 1.
  const double plain = (2.0 + 0.5 * 2.0) / 1.25;
  EXPECT_NEAR(convex.natural_map(r, u), std::hypot(2.0 - plain, 1.0 - 0.5 * plain), 1e-14);
  // Without friction r has no tangents: 3 (0, 1, 0).
  const ContactRuler frictionless = ruler_of(one_contact(), FrictionLaw::none);
  EXPECT_NEAR(frictionless(r, u, none), 3.0 / 5.0, 1e-15);
}

TEST(ContactRuler, ContactsAndBilateralResidualsAddUp) {
  LocalContactProblem problem{2, DenseMatrix(vec({1, 1, 2, 2}).asDiagonal()), vec({0, 0, 0, 2}), vec({0, 0})};
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::convex);
  // Penetrating velocities at r = 0: the error is u_N whatever d is.
  const Vector r = Vector::Zero(4), u = vec({-3, nan, -4, nan});
  const Vector finite = vec({-3, 7, -4, 7});
  EXPECT_DOUBLE_EQ(ruler.contact_error(0, r, finite), 3.0);
  EXPECT_DOUBLE_EQ(ruler.contact_error(1, r, finite), 4.0);
  EXPECT_DOUBLE_EQ(ruler(r, finite, vec({12})), 13.0 / 2.0);
  EXPECT_TRUE(std::isnan(ruler(r, u, vec({12}))));
}

TEST(ContactRuler, NotFiniteIsNeverSmall) {
  const ContactRuler ruler = ruler_of(one_contact(), FrictionLaw::convex);
  const Vector zero = Vector::Zero(3), none;
  for (const double bad : {nan, infinity}) {
    EXPECT_TRUE(std::isnan(ruler(vec({0, bad, 0}), zero, none)));
    EXPECT_TRUE(std::isnan(ruler(zero, vec({0, bad, 0}), none)));
    EXPECT_TRUE(std::isnan(ruler(zero, zero, vec({bad}))));
  }
  GlobalContactProblem problem = ball();
  problem.M = csr_from_dense(DenseMatrix(vec({2, 0, 2}).asDiagonal()));
  ContactRuler singular;
  singular.prepare(problem, FrictionLaw::convex, ComponentInverse(problem.M));
  EXPECT_TRUE(std::isnan(singular(zero, zero, none)));
}

// Squares would vanish in these units.
TEST(ContactRuler, SmallErrorsAreSeen) {
  const Vector none, r = vec({0.4, 0.1, -0.3, 0.2, 0.5, 0.1}), u = vec({-3, 1, 2, 0.5, -0.2, 0.1});
  const LocalContactProblem plain{3, DenseMatrix(vec({1, 2, 6, 2, 2, 2}).asDiagonal()), u, vec({0.5, 0.2})};
  for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb}) {
    const double scaled = ruler_of(plain, law)(r, u, none), map = ruler_of(plain, law).natural_map(r, u);
    for (const double unit : {1e-290, 1e-200, 1e-150, 1e-100}) {
      // Heavy bodies: impulses as they are, velocities in another unit; and both in another unit.
      LocalContactProblem problem = plain;
      problem.W = DenseMatrix(unit * vec({1, 2, 6, 2, 2, 2}).asDiagonal());
      problem.q = unit * u;
      EXPECT_NEAR(ruler_of(problem, law)(r, unit * u, none), scaled, 1e-13 * scaled) << unit;
      EXPECT_NEAR(ruler_of(plain, law).natural_map(unit * r, unit * u), unit * map, 1e-13 * unit * map)
          << unit;
    }
    const double published =
        ruler_of(plain, law).published_error(Vector::Zero(6), none, vec({-1e-200, 0, 0, 1, 0, 0}), none);
    EXPECT_NEAR(published, 1e-200 / u.norm(), 1e-213);
  }
}

TEST(ContactRuler, NothingToDivideBy) {
  LocalContactProblem problem = one_contact();
  problem.q.setZero();
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  const Vector zero = Vector::Zero(3), none;
  EXPECT_EQ(ruler(zero, zero, none), 0.0);
  EXPECT_EQ(ruler(zero, vec({-1e-100, 0, 0}), none), infinity);
  // A contact without a diagonal counts as 1.
  problem.W = DenseMatrix(DenseMatrix::Zero(3, 3));
  EXPECT_EQ(ruler_of(problem, FrictionLaw::coulomb).scale()[0], 1.0);
}

TEST(ContactRuler, NoContacts) {
  const LocalContactProblem problem{3, DenseMatrix(0, 0), Vector(), Vector()};
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  EXPECT_EQ(ruler(Vector(), Vector(), Vector()), 0.0);
  EXPECT_EQ(ruler.natural_map(Vector(), Vector()), 0.0);
}

TEST(ContactRuler, JudgingAllocatesNothing) {
  const LocalContactProblem problem = one_contact();
  ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  const Vector r = vec({2, 1, 0}), u = vec({0, -1, 0}), none;
  ruler(r, u, none);
  const std::size_t before = allocations();
  ruler.prepare(problem, FrictionLaw::coulomb);
  ruler(r, u, none);
  ruler.natural_map(r, u);
  EXPECT_EQ(allocations() - before, 0U);
}

// d = 3, mu = 0.5. With r_N = 4 the radius is 2, with r_N < 0 it is 0.
TEST(ContactRuler, DiamondsAndBoxesByHand) {
  const ContactRuler box = ruler_of(one_contact(), FrictionLaw::box);
  const ContactRuler diamond = ruler_of(one_contact(), FrictionLaw::diamond);
  const Vector none(0);
  // On the bound against the velocity: solved under both.
  const Vector r = vec({4, -2, 0});
  EXPECT_EQ(box(r, vec({0, 1, 0}), none), 0.0);
  EXPECT_NEAR(diamond(r, vec({0, 1, 0}), none), 0.0, 1e-15);
  // A velocity along the second tangent must be braked too by a box: e = 1/3, error d e / 5; a corner of a
  // diamond brakes the faster one alone.
  EXPECT_DOUBLE_EQ(box(r, vec({0, 1, 1}), none), 0.2);
  EXPECT_NEAR(diamond(r, vec({0, 1, 0.5}), none), 0.0, 1e-15);
  // Both tangents on their bounds: a corner of the box, outside of the diamond.
  EXPECT_EQ(box(vec({4, -2, -2}), vec({0, 1, 1}), none), 0.0);
  EXPECT_GT(diamond(vec({4, -2, -2}), vec({0, 1, 1}), none), 0.1);
  // Friction without pressure, pressure on a gap, penetration.
  EXPECT_DOUBLE_EQ(box(vec({0, 1, 0}), vec({0, 0, 0}), none), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(box(vec({1, 0, 0}), vec({2, 0, 0}), none), 2.0 / 5.0);
  EXPECT_DOUBLE_EQ(diamond(vec({0, 0, 0}), vec({-2, 0, 0}), none), 2.0 / 5.0);
}

}  // namespace slipstick::internal::contact_ruler_test
