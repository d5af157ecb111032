// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/body_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/error.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::body_problem_test {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Matrix2d upright{{0.0, 1.0}, {1.0, 0.0}};                                      // plane: up, then x
const Matrix3d upright_in_space{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};  // up, then x, y

// The same step as a dense J, M^-1, C, bias and velocity, where J comes from velocities of points.
struct Dense {
  int dimension;
  Index dofs = dimension == 2 ? 3 : 6;
  DenseMatrix inverse_mass = {};
  Vector v = {}, impulse = {};
  std::vector<Vector> rows = {};
  std::vector<double> bias = {}, compliance = {};

  void set(Index body, const RigidBody& data) {
    inverse_mass.block(body * dofs, body * dofs, dofs, dofs) = data.inverse_mass;
    v.segment(body * dofs, dofs) = data.velocity;
    impulse.segment(body * dofs, dofs) = data.impulse;
  }
  // The velocity of a point of the body, if all velocities are x.
  Vector3d point(const Vector& x, int body, const SmallVector& arm) const {
    if (body < 0) return Vector3d::Zero();
    if (dimension == 2) {
      const Vector3d own = x.segment<3>(3 * body);
      return {own[0] - own[2] * arm[1], own[1] + own[2] * arm[0], 0.0};
    }
    return x.segment<3>(6 * body) + Vector3d(x.segment<3>(6 * body + 3)).cross(Vector3d(arm));
  }
  void add(const ContactSpec& contact) {
    for (Index i = 0; i < contact.frame.rows(); ++i) {
      Vector3d axis = Vector3d::Zero();
      axis.head(dimension) = contact.frame.row(i);
      Vector row(v.size());
      for (Index k = 0; k < v.size(); ++k) {
        const Vector x = Vector::Unit(v.size(), k);
        row[k] = axis.dot(point(x, contact.bodies[0], contact.arms[0]) -
                          point(x, contact.bodies[1], contact.arms[1]));
      }
      rows.push_back(row);
      bias.push_back(contact.bias[i]);
      compliance.push_back(contact.compliance[i]);
    }
    if (contact.frame.rows() == dimension) return;
    // A second tangent that nothing moves, with the diagonal of the first.
    const double diagonal = rows.back().dot(inverse_mass * rows.back()) + compliance.back();
    rows.push_back(Vector::Zero(v.size()));
    bias.push_back(0.0);
    compliance.push_back(diagonal);
  }
  void add(const RowSpec& spec) {
    for (Index i = 0; i < spec.bias.size(); ++i) {
      Vector row = Vector::Zero(v.size());
      for (int side = 0; side < 2; ++side)
        if (spec.bodies[side] >= 0) row.segment(spec.bodies[side] * dofs, dofs) = spec.jacobians[side].row(i);
      rows.push_back(row);
      bias.push_back(spec.bias[i]);
      compliance.push_back(spec.compliance[i]);
    }
  }
  DenseMatrix J() const {
    DenseMatrix j(static_cast<Index>(rows.size()), v.size());
    for (std::size_t i = 0; i < rows.size(); ++i) j.row(static_cast<Index>(i)) = rows[i];
    return j;
  }
  DenseMatrix W() const {
    DenseMatrix w = J() * inverse_mass * J().transpose();
    for (std::size_t i = 0; i < rows.size(); ++i)
      w(static_cast<Index>(i), static_cast<Index>(i)) += compliance[i];
    return w;
  }
  Vector q() const {
    return J() * (v + inverse_mass * impulse) + Eigen::Map<const Vector>(bias.data(), J().rows());
  }
};

// Five bodies: 0 to 2 move, 3 has a given velocity, 4 is at rest. Contacts and rows between many pairs.
class RandomStep {
 public:
  RandomStep(int dimension, std::uint64_t seed) : random_(seed), expected{.dimension = dimension} {
    expected.inverse_mass.setZero(5 * expected.dofs, 5 * expected.dofs);
    expected.v.setZero(5 * expected.dofs);
    expected.impulse.setZero(5 * expected.dofs);
  }

  void fill(BodyProblem& problem) {
    const int dimension = expected.dimension;
    const Index d = expected.dofs;
    problem.reset(5);
    for (int body = 0; body < 5; ++body) {
      RigidBody data{SmallMatrix::Zero(d, d), SmallVector::Zero(d), SmallVector::Zero(d)};
      if (body < 3) {
        const DenseMatrix root = random_matrix(d, d, random_.bits());
        data.inverse_mass = root * root.transpose();
        data.impulse = numbers(d);
      }
      if (body < 4) data.velocity = numbers(d);
      problem.set_body(body, data);
      expected.set(body, data);
    }
    std::uint64_t key = 100;
    std::vector<RowSpec> joints;  // their rows come last
    for (const auto& [first, second] : pairs) {
      const DenseMatrix axes = orthonormal_columns(random_matrix(dimension, dimension, random_.bits()));
      const int rows = key % 3 != 0 ? dimension : 2;
      ContactSpec contact{.bodies = {first, second},
                          .frame = axes.transpose().topRows(rows),
                          .arms = {numbers(dimension), numbers(dimension)},
                          .mu = 0.1 * static_cast<double>(key % 7),
                          .bias = numbers(rows),
                          .compliance = numbers(rows).cwiseAbs()};
      problem.add_contact(key++, contact);
      expected.add(contact);
      const Index joint_rows = 1 + static_cast<Index>(key % 6);
      RowSpec joint{.bodies = {second, first},
                    .jacobians = {random_matrix(joint_rows, d, random_.bits()),
                                  random_matrix(joint_rows, d, random_.bits())},
                    .bias = numbers(joint_rows),
                    .compliance = numbers(joint_rows).cwiseAbs()};
      if (key % 2 == 0) joint.lower = -numbers(joint_rows).cwiseAbs();
      if (key % 3 == 0) joint.upper = numbers(joint_rows).cwiseAbs();
      problem.add_rows(key++, joint);
      joints.push_back(joint);
    }
    for (const RowSpec& joint : joints) expected.add(joint);
  }

 private:
  static constexpr std::pair<int, int> pairs[] = {{0, 1}, {1, 2}, {2, -1}, {3, 0}, {4, 2}, {1, 3}, {-1, 0}};
  SmallVector numbers(Index size) { return random_vector(size, random_); }
  Random random_;

 public:
  Dense expected;
};

class BodyProblemIn : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(BodyProblem, BodyProblemIn, testing::Values(2, 3));

TEST_P(BodyProblemIn, IsTheDenseProblem) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    BodyProblem problem(GetParam());
    RandomStep step(GetParam(), seed);
    step.fill(problem);
    const Dense& expected = step.expected;
    EXPECT_EQ(problem.W().kind(), "Delassus");
    EXPECT_LE((dense(problem.W()) - expected.W()).norm(), 1e-13 * expected.W().norm());
    EXPECT_LE((problem.q() - expected.q()).norm(), 1e-13 * expected.q().norm());
    EXPECT_EQ(problem.keys().size(), 14u);
    EXPECT_EQ(problem.first_rows().size(), 15u);
    EXPECT_EQ(problem.first_rows().back(), problem.rows());
    for (std::size_t k = 0; k < problem.keys().size(); ++k)
      EXPECT_EQ(problem.first_row(problem.keys()[k]), problem.first_rows()[k]);
    EXPECT_EQ(problem.first_row(7), -1);
    EXPECT_TRUE(validate(problem.contact_form()).ok());

    Random random(seed);
    const Vector r = random_vector(problem.rows(), random);
    Vector v(expected.v.size());
    problem.velocities(r, v);
    const Vector wanted =
        expected.v + expected.inverse_mass * (expected.impulse + expected.J().transpose() * r);
    EXPECT_LE((v - wanted).norm(), 1e-13 * wanted.norm());
    EXPECT_EQ(v.tail(2 * expected.dofs), expected.v.tail(2 * expected.dofs));  // of immovable bodies
  }
}

// A hundred steps through one object, while someone keeps the last operator.
TEST_P(BodyProblemIn, ARefilledObjectHasTheBitsOfANewOne) {
  BodyProblem kept(GetParam());
  Operator last;
  DenseMatrix last_dense;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    BodyProblem fresh(GetParam());
    RandomStep(GetParam(), seed).fill(fresh);
    RandomStep(GetParam(), seed).fill(kept);
    EXPECT_EQ(dense(kept.W()), dense(fresh.W()));
    EXPECT_EQ(kept.q(), fresh.q());
    if (seed > 0) {
      EXPECT_EQ(dense(last), last_dense);
    }
    last = kept.W();
    last_dense = dense(last);
  }
}

TEST(BodyProblem, AStepAllocatesNothing) {
  BodyProblem problem;
  Driver driver({.settings = {.tolerance = 1e-10}});
  DriverResult result;
  Vector v(6 * 6);
  for (int step = 0; step < 10; ++step) {
    const std::size_t before = allocations();
    problem.reset(6);
    for (int body = 0; body < 5; ++body) {
      problem.set_body(
          body, RigidBody::space(0.5 + 0.01 * step, Matrix3d::Identity() * (1.0 + body),
                                 SmallVector::Constant(6, 0.1 * step), SmallVector::Constant(6, -1.0)));
    }
    for (int k = 0; k < 5; ++k) {  // a stack on body 5, which is static; two of them touch the world
      problem.add_contact(10 + k, {.bodies = {k, k + 1},
                                   .frame = upright_in_space,
                                   .arms = {Vector3d(0.1 * k, 0, -1), Vector3d(0, 0.01 * step, 1)},
                                   .mu = 0.3});
    }
    problem.add_contact(20, {.bodies = {5, -1}, .frame = upright_in_space});  // left out
    driver.solve(problem.contact_form(), result);
    problem.velocities(result.r, v);
    const std::size_t count = allocations() - before;
    if (step == 0) {
      EXPECT_GT(count, 0u);
    } else if (step > 4) {
      EXPECT_EQ(count, 0u) << "step " << step;
    }
    EXPECT_TRUE(result.solved());
    EXPECT_EQ(problem.rows(), 15);
  }
}

// Contacts of both dimensions, joints and limits. Each step adds them in another order.
TEST(BodyProblem, AStepWithJointsAllocatesNothing) {
  BodyProblem problem;
  Vector r, v(6 * 8);
  Operator last;
  for (int step = 0; step < 10; ++step) {
    const std::size_t before = allocations();
    problem.reset(8);
    for (int body = 1; body < 8; ++body) {
      Matrix3d inertia = Matrix3d::Identity();
      inertia(0, 1) = inertia(1, 0) = 0.1 + 0.01 * step;
      problem.set_body(body, RigidBody::space(1.0, inertia, SmallVector::Constant(6, 0.1 * body)));
    }
    for (int k = 0; k < 7; ++k) {
      const int body = (k + step) % 7;
      const auto key = static_cast<std::uint64_t>(body);
      problem.add_contact(key, {.bodies = {body, body + 1},
                                .frame = upright_in_space.topRows(2 + k % 2),
                                .arms = {Vector3d(0, 0, -1), Vector3d(0, 0, 1)},
                                .mu = 0.5});
      problem.add_rows(100 + key, {.bodies = {body, body + 1},
                                   .jacobians = {SmallMatrix::Identity(1 + k % 6, 6),
                                                 -SmallMatrix::Identity(1 + k % 6, 6)},
                                   .lower = SmallVector::Constant(1 + k % 6, k % 2 == 0 ? 0.0 : -infinity)});
      problem.add_rows(200 + key,
                       {.bodies = {0, -1}, .jacobians = {SmallMatrix::Identity(6, 6)}});  // left out
    }
    last = problem.W();
    r.setOnes(problem.rows());
    problem.velocities(r, v);
    EXPECT_EQ(problem.keys().size(), 14u);
    EXPECT_TRUE(problem.infeasible_keys().empty());
    if (step > 4) {
      EXPECT_EQ(allocations() - before, 0u) << "step " << step;
    }
  }
}

TEST(BodyProblem, SetsAreThoseOfTheRows) {
  BodyProblem problem;
  problem.reset(1);
  problem.set_body(0, RigidBody::space(1.0, Matrix3d::Identity()));
  const SmallMatrix spatial = SmallMatrix::Identity(3, 6);
  problem.add_contact(1, {.bodies = {0, -1}, .frame = Matrix3d::Identity(), .mu = 0.3});
  problem.add_contact(2, {.bodies = {-1, 0}, .frame = SmallMatrix::Identity(2, 3), .mu = 0.4});
  problem.add_rows(3, {.bodies = {0, -1},
                       .jacobians = {spatial},
                       .lower = Vector3d(-infinity, 0.0, -1.0),
                       .upper = Vector3d(infinity, infinity, 2.0)});
  problem.add_rows(4, {.bodies = {0, -1}, .jacobians = {spatial}});
  const auto& form = std::get<LocalContactProblem>(problem.contact_form());
  EXPECT_EQ(form.dimension, 3) << "of both contacts";
  EXPECT_EQ(form.mu, vec({0.3, 0.4}));
  EXPECT_EQ(form.lower, vec({-infinity, 0.0, -1.0, -infinity, -infinity, -infinity}));
  EXPECT_EQ(form.upper, vec({infinity, infinity, 2.0, infinity, infinity, infinity}));
}

TEST(BodyProblem, SmallVectorsAndMatrices) {
  EXPECT_EQ(SmallVector({1.0, 2.0}), vec({1.0, 2.0}));
  EXPECT_EQ(SmallVector(2.0 * vec({1.0, 2.0, 3.0})), vec({2.0, 4.0, 6.0}));
  SmallMatrix matrix = mat({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  matrix = matrix.transpose() * matrix;
  EXPECT_EQ(matrix, mat({{17.0, 22.0, 27.0}, {22.0, 29.0, 36.0}, {27.0, 36.0, 45.0}}));
  matrix = 2.0 * matrix.topRows(1).transpose();
  EXPECT_EQ(matrix, mat({{34.0}, {44.0}, {54.0}}));
  EXPECT_THROW(SmallVector(Vector::Zero(7)), Error);
  EXPECT_THROW(matrix = DenseMatrix::Zero(1, 7), Error);
  const Vector velocities = Vector::Ones(12);
  const std::size_t before = allocations();
  const SmallVector listed{1.0, 2.0, 3.0}, part = -velocities.segment(6, 6);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(listed.sum() + part.sum(), 0.0);
}

// What belongs to the world is not read.
TEST(BodyProblem, TheWorldIsAtRest) {
  BodyProblem problem(2);
  problem.reset(1);
  problem.set_body(0, RigidBody::plane(2.0, 3.0, Vector3d(4.0, 5.0, 6.0)));
  problem.add_contact(1, {.bodies = {0, -1}, .frame = upright, .arms = {Vector2d(1, 0), Vector2d(nan, nan)}});
  problem.add_rows(
      2, {.bodies = {-1, 0}, .jacobians = {SmallMatrix::Constant(1, 6, nan), Eigen::RowVector3d(0, 0, 1)}});
  EXPECT_EQ(dense(problem.W()), mat({{5.0, 0.0, 3.0}, {0.0, 2.0, 0.0}, {3.0, 0.0, 3.0}}));
  EXPECT_EQ(problem.q(), vec({11.0, 4.0, 6.0}));
}

TEST(BodyProblem, WithoutBodiesOrRows) {
  for (const int dimension : {2, 3}) {
    BodyProblem problem(dimension);
    EXPECT_EQ(problem.rows(), 0);
    EXPECT_EQ(std::get<LocalContactProblem>(problem.contact_form()).dimension, dimension);
    problem.reset(2);
    Vector v(2 * problem.dofs_per_body());
    problem.velocities(Vector(), v);
    EXPECT_TRUE(v.isZero());
    EXPECT_EQ(problem.first_rows().size(), 1u);
    BodyProblem moved = std::move(problem);
    EXPECT_EQ(moved.bodies(), 2);
  }
}

// Body 0 is movable, 1 is at rest, 2 moves up and turns.
TEST(BodyProblem, LeavesOutRowsBetweenImmovableBodies) {
  BodyProblem problem(2);
  problem.reset(3);
  problem.set_body(0, RigidBody::plane(1.0, 1.0));
  problem.set_body(2, {.velocity = Vector3d(0.0, 1.0, 2.0)});
  const auto contact = [&](std::uint64_t key, int first, int second, double bias, double compliance = 0.0) {
    problem.add_contact(key, {.bodies = {first, second},
                              .frame = upright,
                              .bias = Vector2d(bias, 7.0),
                              .compliance = Vector2d(compliance, 0.0)});
  };
  const auto row = [&](std::uint64_t key, double spin_bias, double lower, double upper) {
    problem.add_rows(key, {.bodies = {1, 2},
                           .jacobians = {Eigen::RowVector3d(0, 0, -1), Eigen::RowVector3d(0, 0, 1)},
                           .bias = SmallVector::Constant(1, spin_bias),
                           .lower = SmallVector::Constant(1, lower),
                           .upper = SmallVector::Constant(1, upper)});
  };
  contact(1, 0, 1, 0.5);
  contact(2, 2, 1, 0.0);          // opens
  contact(3, 1, 2, 0.0);          // closes
  contact(4, 1, 2, 1.0 - 1e-15);  // closes by rounding
  contact(5, 1, 2, 0.0, 1e-3);    // closes, and gives way
  contact(6, -1, 2, 0.0);         // closes
  contact(7, 0, 2, 0.25);
  row(10, -2.0, -infinity, infinity);  // a joint that is met
  row(11, -1.0, -infinity, infinity);  // a joint that is not
  row(12, 0.0, -3.0, 3.0);             // a motor at its limit
  row(13, -3.0, 0.0, infinity);        // a limit that is not met
  row(14, 0.0, 0.0, infinity);         // a limit that is met
  row(15, 0.0, -infinity, 0.0);        // the same, the other way
  EXPECT_EQ(std::vector(problem.keys().begin(), problem.keys().end()), (std::vector<std::uint64_t>{1, 7}));
  EXPECT_EQ(std::vector(problem.infeasible_keys().begin(), problem.infeasible_keys().end()),
            (std::vector<std::uint64_t>{3, 6, 11, 13, 15}));
  EXPECT_EQ(problem.first_row(3), -1);
  EXPECT_EQ(problem.first_row(7), 2);
  EXPECT_EQ(problem.q(), vec({0.5, 7.0, -0.75, 7.0}));
  EXPECT_EQ(dense(problem.W()), mat({{1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}}));
  // A body that becomes movable brings its rows back.
  problem.set_body(2, RigidBody::plane(1.0, 1.0));
  EXPECT_EQ(problem.keys().size(), 13u);
  EXPECT_TRUE(problem.infeasible_keys().empty());
}

// A body on a rail along (3, 4) / 5 keeps its velocity across the rail.
TEST(BodyProblem, LockedAxes) {
  BodyProblem problem(2);
  problem.reset(1);
  const Vector3d rail(0.6, 0.8, 0.0), across(-0.8, 0.6, 0.0);
  problem.set_body(
      0, {.inverse_mass = 0.5 * rail * rail.transpose(), .velocity = across, .impulse = Vector3d(1, 1, 1)});
  problem.add_contact(1, {.bodies = {0, -1}, .frame = upright, .arms = {Vector2d(3, 3)}});
  EXPECT_LE((dense(problem.W()) - 0.5 * mat({{0.64, 0.48}, {0.48, 0.36}})).norm(), 1e-15);
  EXPECT_LE((problem.q() - vec({0.6 + 0.7 * 0.8, -0.8 + 0.7 * 0.6})).norm(), 1e-15);
  Vector v(3);
  problem.velocities(vec({2.0, -1.0}), v);
  EXPECT_LE((v - (across + (0.7 + 0.5) * rail)).norm(), 1e-15);
}

// Closed forms.

constexpr double tolerance = 1e-7;
constexpr double gravity_step = 0.981;  // g times the time step

// The belt pulls a block that was at rest, until both have the same speed.
TEST(BodyProblem, BlockOnAConveyor) {
  for (const auto& [mu, speed] : {std::pair{0.3, 0.3 * gravity_step}, {2.0, 1.0}}) {
    const double mass = 2.0;
    BodyProblem problem(2);
    problem.reset(2);
    problem.set_body(0, RigidBody::plane(1.0 / mass, 0.0, {}, Vector3d(0, -mass * gravity_step, 0)));
    problem.set_body(1, {.velocity = Vector3d(1.0, 0.0, 0.0)});
    problem.add_contact(1, {.bodies = {0, 1}, .frame = upright, .mu = mu});
    const DriverResult result = solve(problem.contact_form());
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_NEAR(result.r[0], mass * gravity_step, tolerance);
    EXPECT_NEAR(result.r[1], mass * speed, tolerance);
    Vector v(6);
    problem.velocities(result.r, v);
    EXPECT_LE((v - vec({speed, 0, 0, 1, 0, 0})).norm(), tolerance);
  }
}

// A box on four corners gets the velocity of the lift, which is the second body here and the first there.
TEST(BodyProblem, BlockOnALift) {
  for (const bool lift_first : {false, true}) {
    const double mass = 2.0, speed = 3.0;
    BodyProblem problem;
    problem.reset(2);
    SmallVector impulse = SmallVector::Zero(6);
    impulse[2] = -mass * gravity_step;
    problem.set_body(0, RigidBody::space(1.0 / mass, 3.0 * Matrix3d::Identity(), {}, impulse));
    problem.set_body(1, {.velocity = speed * SmallVector::Unit(6, 2)});
    std::uint64_t key = 0;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) {
        const Vector3d arm(x, y, -0.5), lift_arm(x, y, 0.0);
        if (lift_first) {
          problem.add_contact(key++, {.bodies = {1, 0},
                                      .frame = SmallMatrix(-upright_in_space),
                                      .arms = {lift_arm, arm},
                                      .mu = 0.5});
        } else {
          problem.add_contact(
              key++, {.bodies = {0, 1}, .frame = upright_in_space, .arms = {arm, lift_arm}, .mu = 0.5});
        }
      }
    }
    const DriverResult result = solve(problem.contact_form());
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_NEAR(result.r.reshaped(3, 4).row(0).sum(), mass * (speed + gravity_step), tolerance);
    Vector v(12);
    problem.velocities(result.r, v);
    EXPECT_LE((v - speed * (Vector::Unit(12, 2) + Vector::Unit(12, 8))).norm(), tolerance);
  }
}

// Two bodies at x = -1 and x = 1, held together at 0. A push across hits the centre of the first.
TEST(BodyProblem, BallJoint) {
  const double mass = 2.0, inertia = 0.5, push = 3.0;
  BodyProblem problem;
  problem.reset(2);
  SmallVector impulse = push * SmallVector::Unit(6, 1);
  problem.set_body(0, RigidBody::space(1.0 / mass, Matrix3d::Identity() / inertia, {}, impulse));
  problem.set_body(1, RigidBody::space(1.0 / mass, Matrix3d::Identity() / inertia));
  // omega x a = -[a] omega, with a = (1, 0, 0) and (-1, 0, 0).
  const Matrix3d cross{{0, 0, 0}, {0, 0, -1}, {0, 1, 0}};
  RowSpec joint{.bodies = {0, 1}, .jacobians = {SmallMatrix::Zero(3, 6), SmallMatrix::Zero(3, 6)}};
  joint.jacobians[0] << Matrix3d::Identity(), -cross;
  joint.jacobians[1] << -Matrix3d::Identity(), -cross;
  problem.add_rows(5, joint);
  const DriverResult result = solve(problem.contact_form());
  ASSERT_TRUE(result.solved()) << result.message;
  const double pull = -(push / mass) / (2.0 / mass + 2.0 / inertia);
  EXPECT_LE((result.r - vec({0.0, pull, 0.0})).norm(), tolerance);
  Vector v(12), expected = Vector::Zero(12);
  problem.velocities(result.r, v);
  expected[1] = (push + pull) / mass;
  expected[5] = pull / inertia;
  expected[7] = -pull / mass;
  expected[11] = pull / inertia;
  EXPECT_LE((v - expected).norm(), tolerance);
  EXPECT_NEAR(v[1] + v[5], v[7] - v[11], tolerance);  // the two ends of the joint
}

// A wheel on a fixed axle. The motor wants 10 rad/s and has a limited torque. The stop allows a small turn.
TEST(BodyProblem, MotorIntoAStop) {
  const double inertia = 0.5, target = 10.0;
  struct Case {
    double torque_step, allowed_spin, spin, motor, stop;
  };
  for (const Case& c : {Case{1.0, 100.0, 2.0, 1.0, 0.0},    // limited
                        Case{20.0, 100.0, 10.0, 5.0, 0.0},  // reaches its speed
                        Case{1.0, 0.4, 0.4, 1.0, 0.8}}) {   // hits the stop with all its torque
    BodyProblem problem(2);
    problem.reset(1);
    problem.set_body(0, RigidBody::plane(0.0, 1.0 / inertia));
    const Eigen::RowVector3d spin(0, 0, 1);
    problem.add_rows(1, {.bodies = {0, -1},
                         .jacobians = {spin},
                         .bias = SmallVector::Constant(1, -target),
                         .lower = SmallVector::Constant(1, -c.torque_step),
                         .upper = SmallVector::Constant(1, c.torque_step)});
    problem.add_rows(2, {.bodies = {0, -1},
                         .jacobians = {-spin},
                         .bias = SmallVector::Constant(1, c.allowed_spin),
                         .lower = SmallVector::Zero(1)});
    const DriverResult result = solve(problem.contact_form());
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.r - vec({c.motor, c.stop})).norm(), tolerance * c.torque_step);
    Vector v(3);
    problem.velocities(result.r, v);
    EXPECT_NEAR(v[2], c.spin, tolerance * target);
  }
}

// Cones of both dimensions, intervals, free rows and compliance together, under every law.
TEST_P(BodyProblemIn, EverythingTogetherIsSolved) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    BodyProblem problem(GetParam());
    RandomStep step(GetParam(), seed);
    step.fill(problem);
    const Dense& expected = step.expected;
    const auto expect_velocities = [&](const Vector& r, const Vector& u) {
      Vector v(expected.v.size());
      problem.velocities(r, v);
      Vector wanted = expected.J() * v + Eigen::Map<const Vector>(expected.bias.data(), problem.rows());
      wanted += Eigen::Map<const Vector>(expected.compliance.data(), problem.rows()).cwiseProduct(r);
      EXPECT_LE((wanted - u).norm(), 1e-10 * expected.q().norm());
    };
    for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb,
                                  FrictionLaw::diamond, FrictionLaw::box}) {
      const DriverResult result = solve(problem.contact_form(), {.friction = law});
      EXPECT_TRUE(result.solved()) << name(law) << ": " << result.message;
      expect_velocities(result.r, result.u);
    }
  }
}

}  // namespace slipstick::internal::body_problem_test
