// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Every message of a BodyProblem about bad input. A call that fails changes nothing.
#include "slipstick/problems/body_checks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "slipstick/body_problem.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::body_checks_test {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Three bodies in space, contact 1 and rows 2.
class BodyChecks : public testing::Test {
 protected:
  BodyChecks() {
    problem.reset(3);
    for (int k = 0; k < 3; ++k) problem.set_body(k, body());
    problem.add_contact(1, contact());
    problem.add_rows(2, rows());
    W = dense(problem.W());
    q = problem.q();
  }
  // What was there is still there, and more can be added.
  ~BodyChecks() override {
    EXPECT_EQ(dense(problem.W()), W);
    EXPECT_EQ(problem.q(), q);
    problem.add_contact(3, contact());
    EXPECT_EQ(problem.rows(), q.size() + 3);
  }

  static RigidBody body() {
    return RigidBody::space(0.5, Vector3d(1, 2, 3).asDiagonal().toDenseMatrix(), SmallVector::Ones(6));
  }
  static ContactSpec contact() {
    return {.bodies = {0, 1}, .frame = Matrix3d::Identity(), .arms = {Vector3d(1, 0, 0)}, .mu = 0.5};
  }
  static RowSpec rows() {
    return {.bodies = {1, 2}, .jacobians = {SmallMatrix::Ones(2, 6), SmallMatrix::Ones(2, 6)}};
  }

  std::string set(const auto& change) {
    RigidBody changed = body();
    change(changed);
    return message_of([&] { problem.set_body(1, changed); });
  }
  std::string add(const auto& change) {
    ContactSpec changed = contact();
    change(changed);
    return message_of([&] { problem.add_contact(17, changed); });
  }
  std::string join(const auto& change) {
    RowSpec changed = rows();
    change(changed);
    return message_of([&] { problem.add_rows(18, changed); });
  }

  BodyProblem problem;
  DenseMatrix W;
  Vector q;
};

TEST_F(BodyChecks, Problem) {
  EXPECT_EQ(message_of([] { BodyProblem(4); }),
            "bodies are in the plane (2) or in space (3), not in dimension 4");
  EXPECT_EQ(message_of([&] { problem.reset(-1); }), "a problem has at least 0 bodies, not -1");
  Vector v(18);
  EXPECT_EQ(message_of([&] { problem.velocities(Vector::Zero(4), v); }),
            "velocities: there are 4 impulses, expected 5");
  v.resize(17);
  EXPECT_EQ(message_of([&] { problem.velocities(Vector::Zero(5), v); }),
            "velocities: v has 17 entries, expected 18");
}

TEST(BodyMass, MayBeSemidefinite) {
  BodyProblem problem;
  problem.reset(1);
  const Vector axis = Vector::LinSpaced(6, -1.0, 1e3);
  EXPECT_NO_THROW(problem.set_body(0, {.inverse_mass = axis * axis.transpose()}));
}

TEST_F(BodyChecks, Body) {
  EXPECT_EQ(message_of([&] { problem.set_body(3, body()); }), "body 3: expected a number from 0 to 2");
  EXPECT_EQ(message_of([&] { problem.set_body(-1, body()); }), "body -1: expected a number from 0 to 2");
  EXPECT_EQ(set([](RigidBody& b) { b.inverse_mass.setZero(3, 3); }),
            "body 1: the inverse mass has 3 x 3 entries, expected 6 x 6");
  EXPECT_EQ(set([](RigidBody& b) { b.inverse_mass(4, 3) = nan; }),
            "body 1: entry (4, 3) of the inverse mass is nan, expected a finite number");
  EXPECT_EQ(set([](RigidBody& b) { b.inverse_mass(2, 2) = -1.0; }),
            "body 1: diagonal entry 2 of the inverse mass is -1, expected a number >= 0");
  EXPECT_EQ(set([](RigidBody& b) { b.inverse_mass(4, 3) = 0.25; }),
            "body 1: entries (4, 3) and (3, 4) of the inverse mass are 0.25 and 0, expected equal ones");
  EXPECT_EQ(set([](RigidBody& b) { b.inverse_mass(4, 3) = b.inverse_mass(3, 4) = 5.0; }),
            "body 1: the inverse mass has a negative eigenvalue, expected a positive semidefinite matrix");
  EXPECT_EQ(set([](RigidBody& b) {
              b.inverse_mass(3, 3) = 0.0;
              b.inverse_mass(4, 3) = b.inverse_mass(3, 4) = 1e-3;
            }),
            "body 1: the inverse mass has a negative eigenvalue, expected a positive semidefinite matrix");
  EXPECT_EQ(set([](RigidBody& b) { b.velocity.setZero(3); }),
            "body 1: the velocity has 3 entries, expected 6");
  EXPECT_EQ(set([](RigidBody& b) { b.velocity[5] = infinity; }),
            "body 1: entry 5 of the velocity is inf, expected a finite number");
  EXPECT_EQ(set([](RigidBody& b) { b.impulse = SmallVector::Constant(6, nan); }),
            "body 1: entry 0 of the impulse is nan, expected a finite number");
}

TEST_F(BodyChecks, Contact) {
  EXPECT_EQ(message_of([&] { problem.add_contact(2, contact()); }),
            "contact 2: the key was added before, expected a new one");
  EXPECT_EQ(add([](ContactSpec& c) { c.bodies[1] = 3; }),
            "contact 17: body 3 does not exist, expected -1 to 2");
  EXPECT_EQ(add([](ContactSpec& c) { c.bodies[0] = -2; }),
            "contact 17: body -2 does not exist, expected -1 to 2");
  EXPECT_EQ(add([](ContactSpec& c) { c.bodies[1] = 0; }),
            "contact 17: both bodies are 0, expected two different ones");
  EXPECT_EQ(add([](ContactSpec& c) {
              c.bodies = {-1, -1};
            }),
            "contact 17: both bodies are -1, expected two different ones");
  EXPECT_EQ(add([](ContactSpec& c) { c.frame = SmallMatrix(); }),
            "contact 17: the frame has 0 x 0 entries, expected 3 x 3 or 2 x 3");
  EXPECT_EQ(add([](ContactSpec& c) { c.frame(1, 2) = nan; }),
            "contact 17: entry (1, 2) of the frame is nan, expected a finite number");
  EXPECT_EQ(add([](ContactSpec& c) { c.frame(0, 1) = 1e-3; }),
            "contact 17: the frame is off by 0.001 from an orthonormal one, expected at most 1e-09");
  EXPECT_EQ(add([](ContactSpec& c) { c.arms[1] = Vector2d(0, 1); }),
            "contact 17: the second arm has 2 entries, expected 3");
  EXPECT_EQ(add([](ContactSpec& c) { c.arms[0][1] = nan; }),
            "contact 17: entry 1 of the first arm is nan, expected a finite number");
  EXPECT_EQ(add([](ContactSpec& c) { c.mu = -0.5; }),
            "contact 17: mu is -0.5, expected a finite number >= 0");
  EXPECT_EQ(add([](ContactSpec& c) { c.mu = nan; }), "contact 17: mu is nan, expected a finite number >= 0");
  EXPECT_EQ(add([](ContactSpec& c) { c.bias = Vector2d(1, 2); }),
            "contact 17: the bias has 2 entries, expected 3");
  EXPECT_EQ(add([](ContactSpec& c) { c.bias = Vector3d(0, infinity, 0); }),
            "contact 17: entry 1 of the bias is inf, expected a finite number");
  EXPECT_EQ(add([](ContactSpec& c) { c.compliance = Vector3d(0, 0, -1); }),
            "contact 17: the compliance of row 2 is -1, expected a number >= 0");
}

TEST_F(BodyChecks, Rows) {
  EXPECT_EQ(message_of([&] { problem.add_rows(1, rows()); }),
            "rows 1: the key was added before, expected a new one");
  EXPECT_EQ(join([](RowSpec& r) { r.bodies[0] = 8; }), "rows 18: body 8 does not exist, expected -1 to 2");
  EXPECT_EQ(join([](RowSpec& r) { r.jacobians[0] = SmallMatrix(); }),
            "rows 18: the first Jacobian has 0 x 0 entries, expected 1 to 6 x 6");
  EXPECT_EQ(join([](RowSpec& r) { r.jacobians[1].setZero(3, 6); }),
            "rows 18: the second Jacobian has 3 x 6 entries, expected 2 x 6");
  EXPECT_EQ(join([](RowSpec& r) { r.jacobians[0].setZero(2, 3); }),
            "rows 18: the first Jacobian has 2 x 3 entries, expected 2 x 6");
  EXPECT_EQ(join([](RowSpec& r) { r.jacobians[1](1, 5) = nan; }),
            "rows 18: entry (1, 5) of the second Jacobian is nan, expected a finite number");
  EXPECT_EQ(join([](RowSpec& r) { r.bias = Vector2d(nan, 0); }),
            "rows 18: entry 0 of the bias is nan, expected a finite number");
  EXPECT_EQ(join([](RowSpec& r) { r.lower = Vector3d::Zero(); }),
            "rows 18: the lower bound has 3 entries, expected 2");
  EXPECT_EQ(join([](RowSpec& r) { r.upper = Vector3d::Zero(); }),
            "rows 18: the upper bound has 3 entries, expected 2");
  const std::string expected = ", expected lower <= upper, with a number between them";
  EXPECT_EQ(join([](RowSpec& r) {
              r.lower = Vector2d(0, 2);
              r.upper = Vector2d(0, 1);
            }),
            "rows 18: the bounds of row 1 are 2 and 1" + expected);
  EXPECT_EQ(join([](RowSpec& r) { r.lower = Vector2d(nan, 0); }),
            "rows 18: the bounds of row 0 are nan and inf" + expected);
  EXPECT_EQ(join([](RowSpec& r) { r.lower = Vector2d(0, infinity); }),
            "rows 18: the bounds of row 1 are inf and inf" + expected);
  EXPECT_EQ(join([](RowSpec& r) { r.compliance = Vector2d(-1, 0); }),
            "rows 18: the compliance of row 0 is -1, expected a number >= 0");
}

TEST_F(BodyChecks, Plane) {
  BodyProblem plane(2);
  plane.reset(1);
  EXPECT_EQ(message_of([&] { plane.set_body(0, body()); }),
            "body 0: the inverse mass has 6 x 6 entries, expected 3 x 3");
  EXPECT_EQ(message_of([&] {
              plane.add_contact(5, {.bodies = {0, -1}, .frame = Matrix3d::Identity()});
            }),
            "contact 5: the frame has 3 x 3 entries, expected 2 x 2");
}

}  // namespace slipstick::internal::body_checks_test
