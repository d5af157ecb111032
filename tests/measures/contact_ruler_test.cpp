// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/contact_ruler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/base/random.hpp"
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

Measures judged(const ContactRuler& ruler, const Vector& r, const Vector& u) {
  Measures measures;
  ruler.judge(r, u, measures);
  return measures;
}
double scaled(const ContactRuler& ruler, const Vector& r, const Vector& u) {
  return judged(ruler, r, u).scaled_natural_map;
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

TEST(ContactRuler, JointsEnterTheNorm) {
  LocalContactProblem local = one_contact();
  add_joints(CsrMatrix(3, 1), csr_from_dense(mat({{4}})), vec({12}), local);
  EXPECT_DOUBLE_EQ(ruler_of(local, FrictionLaw::convex).norm(), 13.0);
  EXPECT_DOUBLE_EQ(ruler_of(local, FrictionLaw::convex).weighted_norm(), std::sqrt(25.0 / 3.0 + 144.0 / 4.0));
  // q = H'f / 2 + w: of the joint -1 + 3. All d are 1/2.
  GlobalContactProblem problem = ball();
  add_joints(csr_from_dense(mat({{1}, {0}, {0}})), vec({3}), problem);
  ContactRuler global;
  global.prepare(problem, FrictionLaw::convex, ComponentInverse(problem.M));
  EXPECT_DOUBLE_EQ(global.norm(), 3.0);
  EXPECT_DOUBLE_EQ(global.weighted_norm(), 3.0 * std::sqrt(2.0));
}

// Another unit of a row, or of length, or of mass: the ruler gives the same number.
TEST(ContactRuler, UnitsOfRowsDoNotMatter) {
  const Index contact_rows = 6, rows = 10;
  Random random(3);
  const DenseMatrix a = random_matrix(rows, rows, 3);
  LocalContactProblem problem{3,
                              DenseMatrix(a * a.transpose()),
                              random_vector(rows, random),
                              vec({0.3, 0.6}),
                              vec({-infinity, -0.2, 0.0, -infinity}),
                              vec({infinity, 0.1, infinity, 0.5})};
  const Vector r = random_vector(rows, random);
  const auto error_in = [&](const Vector& unit) {
    LocalContactProblem other = problem;
    other.W = DenseMatrix(unit.asDiagonal() * dense(problem.W) * unit.asDiagonal());
    other.q = unit.cwiseProduct(problem.q);
    other.lower = problem.lower.cwiseQuotient(unit.tail(rows - contact_rows));
    other.upper = problem.upper.cwiseQuotient(unit.tail(rows - contact_rows));
    Solution solution;
    solution.r = r.cwiseQuotient(unit);
    Measures measures;
    measure(other, FrictionLaw::coulomb, solution, measures);
    return measures.scaled_natural_map;
  };
  const double error = error_in(Vector::Ones(rows));
  for (Index row = contact_rows; row < rows; ++row) {
    Vector unit = Vector::Ones(rows);
    unit[row] = 1000.0;
    EXPECT_NEAR(error_in(unit), error, 1e-12 * error) << row;
  }
  EXPECT_NEAR(error_in(Vector::Constant(rows, 1e-3)), error, 1e-12 * error);
}

// r = (2, 1, 0) on the boundary of the cone, u = (0, -1, 0) along it.
TEST(ContactRuler, LawsByHand) {
  const Vector r = vec({2, 1, 0}), u = vec({0, -1, 0});
  // Sliding against the impulse: De Saxce's shift makes u^ = (1/2, -1, 0), normal to the cone at r.
  const ContactRuler coulomb = ruler_of(one_contact(), FrictionLaw::coulomb);
  EXPECT_NEAR(scaled(coulomb, r, u), 0.0, 1e-16);
  EXPECT_NEAR(coulomb.norms(r, u).natural_map, 0.0, 1e-15);
  // Without the shift r - u / d = (2, 4/3, 0) goes to (2 + 4/6) / (5/4) (1, 1/2, 0).
  const ContactRuler convex = ruler_of(one_contact(), FrictionLaw::convex);
  const double normal = (2.0 + 0.5 * 4.0 / 3.0) / 1.25;
  const double error = 3.0 * std::hypot(2.0 - normal, 1.0 - 0.5 * normal);
  EXPECT_NEAR(convex.contact_error(0, 3.0, r, u), error, 1e-14);
  EXPECT_NEAR(scaled(convex, r, u), error / 5.0, 1e-15);
  // The same with d = 1.
  const double plain = (2.0 + 0.5 * 2.0) / 1.25;
  EXPECT_NEAR(convex.norms(r, u).natural_map, std::hypot(2.0 - plain, 1.0 - 0.5 * plain), 1e-14);
  // Without friction r has no tangents: 3 (0, 1, 0).
  const ContactRuler frictionless = ruler_of(one_contact(), FrictionLaw::none);
  EXPECT_NEAR(scaled(frictionless, r, u), 3.0 / 5.0, 1e-15);
}

TEST(ContactRuler, ContactsAndJointsAddUp) {
  LocalContactProblem problem{2, DenseMatrix(vec({1, 1, 2, 2}).asDiagonal()), vec({0, 0, 0, 2}), vec({0, 0})};
  add_joints(CsrMatrix(4, 2), csr_from_dense(mat({{4, 0}, {0, 9}})), vec({0, 0}), problem);
  problem.lower[1] = -2.0;
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::convex);
  // Penetrating velocities at r = 0: the error is u_N whatever d is.
  const Vector r = vec({0, 0, 0, 0, 0, -2}), u = vec({-3, nan, -4, nan, 12, 5});
  const Vector finite = vec({-3, 7, -4, 7, 12, 5});
  EXPECT_DOUBLE_EQ(ruler.contact_error(0, 1.0, r, finite), 3.0);
  EXPECT_DOUBLE_EQ(ruler.contact_error(1, 2.0, r, finite), 4.0);
  // The second joint is at its lower bound and may move up.
  EXPECT_DOUBLE_EQ(scaled(ruler, r, finite), std::sqrt(9.0 + 16.0 / 2.0 + 144.0 / 4.0) / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(judged(ruler, r, finite).desaxce, 13.0 / finite.head(4).norm());
  EXPECT_TRUE(std::isnan(scaled(ruler, r, u)));
}

TEST(ContactRuler, NotFiniteIsNeverSmall) {
  const ContactRuler ruler = ruler_of(one_contact(), FrictionLaw::convex);
  const Vector zero = Vector::Zero(3);
  for (const double bad : {nan, infinity}) {
    EXPECT_TRUE(std::isnan(scaled(ruler, vec({0, bad, 0}), zero)));
    EXPECT_TRUE(std::isnan(scaled(ruler, zero, vec({0, bad, 0}))));
    LocalContactProblem joined = one_contact();
    add_joints(CsrMatrix(3, 1), csr_from_dense(mat({{4}})), vec({12}), joined);
    const ContactRuler with_joint = ruler_of(joined, FrictionLaw::convex);
    EXPECT_TRUE(std::isnan(scaled(with_joint, Vector::Zero(4), vec({0, 0, 0, bad}))));
    EXPECT_TRUE(std::isnan(scaled(with_joint, vec({0, 0, 0, bad}), Vector::Zero(4))));
  }
  GlobalContactProblem problem = ball();
  problem.M = csr_from_dense(DenseMatrix(vec({2, 0, 2}).asDiagonal()));
  ContactRuler singular;
  singular.prepare(problem, FrictionLaw::convex, ComponentInverse(problem.M));
  EXPECT_TRUE(std::isnan(scaled(singular, zero, zero)));
}

// Squares would vanish in these units.
TEST(ContactRuler, SmallErrorsAreSeen) {
  const Vector r = vec({0.4, 0.1, -0.3, 0.2, 0.5, 0.1}), u = vec({-3, 1, 2, 0.5, -0.2, 0.1});
  const LocalContactProblem plain{3, DenseMatrix(vec({1, 2, 6, 2, 2, 2}).asDiagonal()), u, vec({0.5, 0.2})};
  for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb}) {
    const double error = scaled(ruler_of(plain, law), r, u),
                 map = ruler_of(plain, law).norms(r, u).natural_map;
    for (const double unit : {1e-290, 1e-200, 1e-150, 1e-100}) {
      // Heavy bodies: impulses as they are, velocities in another unit; and both in another unit.
      LocalContactProblem problem = plain;
      problem.W = DenseMatrix(unit * vec({1, 2, 6, 2, 2, 2}).asDiagonal());
      problem.q = unit * u;
      EXPECT_NEAR(scaled(ruler_of(problem, law), r, unit * u), error, 1e-13 * error) << unit;
      EXPECT_NEAR(ruler_of(plain, law).norms(unit * r, unit * u).natural_map, unit * map, 1e-13 * unit * map)
          << unit;
    }
    const double published =
        judged(ruler_of(plain, law), Vector::Zero(6), vec({-1e-100, 0, 0, 1, 0, 0})).desaxce;
    EXPECT_NEAR(published, 1e-100 / u.norm(), 1e-113);
  }
}

TEST(ContactRuler, NothingToDivideBy) {
  LocalContactProblem problem = one_contact();
  problem.q.setZero();
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  const Vector zero = Vector::Zero(3);
  EXPECT_EQ(scaled(ruler, zero, zero), 0.0);
  EXPECT_EQ(scaled(ruler, zero, vec({-1e-100, 0, 0})), infinity);
  // A contact without a diagonal counts as 1.
  problem.W = DenseMatrix(DenseMatrix::Zero(3, 3));
  EXPECT_EQ(ruler_of(problem, FrictionLaw::coulomb).scale()[0], 1.0);
}

TEST(ContactRuler, NoContacts) {
  const LocalContactProblem problem{3, DenseMatrix(0, 0), Vector(), Vector()};
  const ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  EXPECT_EQ(scaled(ruler, Vector(), Vector()), 0.0);
  EXPECT_EQ(ruler.norms(Vector(), Vector()).natural_map, 0.0);
}

TEST(ContactRuler, JudgingAllocatesNothing) {
  const LocalContactProblem problem = one_contact();
  ContactRuler ruler = ruler_of(problem, FrictionLaw::coulomb);
  const Vector r = vec({2, 1, 0}), u = vec({0, -1, 0});
  scaled(ruler, r, u);
  const std::size_t before = allocations();
  ruler.prepare(problem, FrictionLaw::coulomb);
  scaled(ruler, r, u);
  ruler.norms(r, u);
  EXPECT_EQ(allocations() - before, 0U);
}

// d = 3, mu = 0.5. With r_N = 4 the radius is 2, with r_N < 0 it is 0.
TEST(ContactRuler, DiamondsAndBoxesByHand) {
  const ContactRuler box = ruler_of(one_contact(), FrictionLaw::box);
  const ContactRuler diamond = ruler_of(one_contact(), FrictionLaw::diamond);
  // On the bound against the velocity: solved under both.
  const Vector r = vec({4, -2, 0});
  EXPECT_EQ(scaled(box, r, vec({0, 1, 0})), 0.0);
  EXPECT_NEAR(scaled(diamond, r, vec({0, 1, 0})), 0.0, 1e-15);
  // A box must brake a velocity along the second tangent too: e = 1/3, error d e / 5. A corner of a diamond
  // brakes the faster one alone.
  EXPECT_DOUBLE_EQ(scaled(box, r, vec({0, 1, 1})), 0.2);
  EXPECT_NEAR(scaled(diamond, r, vec({0, 1, 0.5})), 0.0, 1e-15);
  // Both tangents on their bounds: a corner of the box, outside of the diamond.
  EXPECT_EQ(scaled(box, vec({4, -2, -2}), vec({0, 1, 1})), 0.0);
  EXPECT_GT(scaled(diamond, vec({4, -2, -2}), vec({0, 1, 1})), 0.1);
  // Friction without pressure, pressure on a gap, penetration.
  EXPECT_DOUBLE_EQ(scaled(box, vec({0, 1, 0}), vec({0, 0, 0})), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(scaled(box, vec({1, 0, 0}), vec({2, 0, 0})), 2.0 / 5.0);
  EXPECT_DOUBLE_EQ(scaled(diamond, vec({0, 0, 0}), vec({-2, 0, 0})), 2.0 / 5.0);
}

// What methods see of boxes is what the ruler sees, with and without joints.
TEST(ContactRuler, ErrorsOfBoxesAreThoseOfMethods) {
  Random random(7);
  const Index contacts = 6;
  for (const bool joints : {false, true}) {
    const DenseMatrix a = random_matrix(3 * contacts, 3 * contacts, 5);
    LocalContactProblem problem{3, DenseMatrix(a * a.transpose()), random_vector(3 * contacts, random),
                                vec({0.0, 0.2, 0.4, 0.6, 0.8, 1.0})};
    if (joints) add_joints(CsrMatrix(3 * contacts, 1), csr_from_dense(mat({{4}})), vec({12}), problem);
    const ContactRuler ruler = ruler_of(problem, FrictionLaw::box);
    Vector r = random_vector(problem.q.size(), random), u = random_vector(problem.q.size(), random);
    r[3] = -1.0;  // pulls
    r.segment(6, 3).setZero();
    u[7] = r[7] = 0.0;
    r[10] = 0.6 * std::abs(r[9]);  // on its bound
    ContactErrors errors;
    errors.add_boxes<3>(0, contacts, [&](Index i) {
      return ContactPoint{r.data() + 3 * i, u.data() + 3 * i, problem.mu[i], ruler.scale()[i],
                          ruler.weight(i)};
    });
    const ContactNorms norms = ruler.norms(r, u);
    EXPECT_NEAR(std::sqrt(errors.scaled), norms.scaled, 1e-14 * norms.scaled);
    EXPECT_NEAR(std::sqrt(errors.published), norms.natural_map, 1e-14 * norms.natural_map);
    EXPECT_NEAR(std::sqrt(errors.impulses), norms.impulses, 1e-14 * norms.impulses);
    EXPECT_NEAR(std::sqrt(errors.velocities), norms.velocities, 1e-14 * norms.velocities);
  }
}

}  // namespace slipstick::internal::contact_ruler_test
