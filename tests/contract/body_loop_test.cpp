// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A time loop as a simulator writes it: bodies, memory, driver and states together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "slipstick/body_problem.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/measures.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::body_loop_test {

// A crate of four corners on a belt that moves along x, from rest.
class Belt {
 public:
  static constexpr double mu = 0.3, gravity = 9.81, time_step = 0.01, belt_speed = 0.515, mass = 2.0;

  void step() {
    const SmallVector velocity = result.v.size() > 0 ? SmallVector(result.v.head<6>()) : SmallVector();
    problem_.reset(2);
    problem_.set_body(0, RigidBody::space(1.0 / mass, 5.0 * Eigen::Matrix3d::Identity(), velocity,
                                          SmallVector{0, 0, -mass * gravity * time_step, 0, 0, 0}));
    problem_.set_body(1, {.velocity = {belt_speed, 0, 0, 0, 0, 0}});
    for (const int corner : {0, 1, 2, 3}) {
      const double x = corner % 2 == 0 ? -0.1 : 0.1, y = corner < 2 ? -0.1 : 0.1;
      problem_.add_contact(static_cast<std::uint64_t>(7 * corner),
                           {.bodies = {0, 1},
                            .frame = Eigen::Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                            .arms = {SmallVector{x, y, 0.0}, SmallVector{}},
                            .mu = mu});
    }
    known = memory.recall(problem_.keys(), problem_.first_rows(), start_);
    driver_.solve(problem_, result, &start_);
    memory.keep(problem_.keys(), problem_.first_rows(), result.r, result.u);
  }
  double speed() const { return result.v[0]; }

  ContactMemory memory;
  DriverResult result;
  Index known = 0;

 private:
  BodyProblem problem_;
  Driver driver_{{.settings = {.tolerance = 1e-10}}};
  WarmStart start_;
};

// Friction accelerates the crate by mu g until it has the speed of the belt.
TEST(BodyLoop, ACrateOnABelt) {
  Belt belt;
  for (int step = 1; step <= 40; ++step) {
    const std::size_t before = allocations();
    belt.step();
    const std::size_t allocated = allocations() - before;
    EXPECT_TRUE(step <= 3 || allocated == 0) << allocated << " in step " << step;
    ASSERT_TRUE(belt.result.solved()) << belt.result.message;
    EXPECT_EQ(belt.known, step == 1 ? 0 : 4);
    const double slipping = Belt::mu * Belt::gravity * Belt::time_step * step;
    EXPECT_NEAR(belt.speed(), std::min(slipping, Belt::belt_speed), 1e-9) << "step " << step;
    const ContactState expected = slipping < Belt::belt_speed ? ContactState::slip : ContactState::stick;
    EXPECT_EQ(belt.result.states, std::vector<ContactState>(4, expected)) << "step " << step;
  }
  EXPECT_TRUE(belt.result.start_used);
}

TEST(BodyLoop, ARestoredMemoryGivesTheSameBits) {
  Belt first, second;
  for (int step = 0; step < 10; ++step) {
    first.step();
    second.step();
    std::stringstream saved;
    second.memory.save(saved);
    second.memory = {};
    second.memory.restore(saved);
    EXPECT_EQ(first.result.r, second.result.r) << "step " << step;
  }
}

// Crates in chains: corners that lift off and come back, ball joints, a motor, and a free crate.
class Chains {
 public:
  Chains() : driver_({.settings = {.tolerance = 1e-8}}) {}

  void step(int step, const std::string& saved) {
    if (!saved.empty()) {
      std::istringstream from(saved);
      memory_.restore(from);
    }
    fill(step);
    memory_.recall(problem_.keys(), problem_.first_rows(), start_);
    driver_.solve(problem_, result, &start_);
    memory_.keep(problem_.keys(), problem_.first_rows(), result.r, result.u);
  }
  std::string save() const {
    std::ostringstream to;
    memory_.save(to);
    return to.str();
  }

  static constexpr int last_change = 60;  // of the contacts
  DriverResult result;

 private:
  static constexpr int links = 6, bodies = 3 * links;

  void fill(int step) {
    const Eigen::Matrix3d upright{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    problem_.reset(bodies);
    for (int body = 0; body < bodies; ++body) {
      const double phase = body + 0.3 * step;
      problem_.set_body(body, RigidBody::space(1.0, 6.0 * Eigen::Matrix3d::Identity(),
                                               {0.3 * std::sin(phase), 0.2, -0.1, 0, 0, std::cos(phase)}));
      for (const int corner : {0, 1, 2, 3}) {
        if ((std::min(step, last_change) / 5 + body + corner) % 7 == 0) continue;  // it has lifted off
        const SmallVector arm{corner % 2 == 0 ? -0.1 : 0.1, corner < 2 ? -0.1 : 0.1, -0.1};
        problem_.add_contact(static_cast<std::uint64_t>(10 * body + corner),
                             {.bodies = {body, -1}, .frame = upright, .arms = {arm}, .mu = 0.4});
      }
      if (body % links == links - 1 || body == 0) continue;
      SmallMatrix first = SmallMatrix::Zero(3, 6), second = SmallMatrix::Zero(3, 6);
      for (Index k = 0; k < 3; ++k) {
        first(k, k) = 1.0;
        second(k, k) = -1.0;
      }
      problem_.add_rows(static_cast<std::uint64_t>(10 * body + 4),
                        {.bodies = {body, body + 1}, .jacobians = {first, second}});
    }
    SmallMatrix spin = SmallMatrix::Zero(1, 6);
    spin(0, 5) = 1.0;
    problem_.add_rows(999, {.bodies = {1, -1},
                            .jacobians = {spin},
                            .bias = {-2.0},
                            .lower = {-0.05},
                            .upper = {0.05},
                            .compliance = {1e-6}});
  }

  BodyProblem problem_;
  Driver driver_;
  ContactMemory memory_;
  WarmStart start_;
};

TEST(BodyLoop, AHundredStepsThroughKeptObjects) {
  Chains kept;
  std::string saved;
  for (int step = 0; step < 100; ++step) {
    Chains fresh;
    fresh.step(step, saved);
    const std::size_t before = allocations();
    kept.step(step, {});
    const std::size_t allocated = allocations() - before;
    EXPECT_TRUE(step < Chains::last_change + 5 || allocated == 0) << allocated << " in step " << step;
    ASSERT_TRUE(kept.result.solved()) << kept.result.message << " in step " << step;
    EXPECT_EQ(kept.result.r, fresh.result.r) << "step " << step;
    EXPECT_EQ(kept.result.v, fresh.result.v) << "step " << step;
    EXPECT_EQ(kept.result.states, fresh.result.states) << "step " << step;
    saved = kept.save();
  }
}

// A body turns about a fixed axis against a friction torque of at most T: it loses T h / I of its spin per
// step, and stops.
TEST(ClosedForms, JointFriction) {
  const double inertia = 0.4, torque = 0.3, h = 0.05;
  double spin = 1.0;
  for (int step = 0; step < 40; ++step) {
    BodyProblem problem(2);
    problem.reset(1);
    problem.set_body(0, RigidBody::plane(1.0, 1.0 / inertia, {0, 0, spin}));
    // The axis, and the friction in it.
    problem.add_rows(1, {.bodies = {0, -1}, .jacobians = {Eigen::Matrix<double, 2, 3>::Identity()}});
    problem.add_rows(2, {.bodies = {0, -1},
                         .jacobians = {Eigen::RowVector3d(0, 0, 1)},
                         .lower = {-torque * h},
                         .upper = {torque * h}});
    const DriverResult result = solve(problem.contact_form(), {.settings = {.tolerance = 1e-12}});
    ASSERT_TRUE(result.solved()) << result.message;
    Vector v(3);
    problem.velocities(result.r, v);
    EXPECT_NEAR(v[2], std::max(0.0, spin - torque * h / inertia), 1e-12);
    spin = v[2];
  }
  EXPECT_EQ(spin, 0.0);
}

// A wheel of mass m and inertia I is driven up a slope by a motor of at most the torque T. If friction holds,
// it rolls: (I + m R^2) w = h (T - m g R sin a). Otherwise it slips with the friction mu m g cos a.
TEST(ClosedForms, DrivenWheelOnASlope) {
  const double mass = 3.0, radius = 0.5, inertia = 0.5 * mass * radius * radius, gravity = 9.81, h = 0.01;
  const double slope = 0.2, sine = std::sin(slope), cosine = std::cos(slope);
  const Eigen::Matrix2d upright{{0, 1}, {1, 0}};
  int rolls = 0, slips = 0;
  for (const double mu : {0.1, 0.3, 0.9}) {
    for (const double torque : {1.0, 5.0, 20.0}) {
      BodyProblem problem(2);
      problem.reset(1);
      problem.set_body(0, RigidBody::plane(1.0 / mass, 1.0 / inertia, {},
                                           {-h * mass * gravity * sine, -h * mass * gravity * cosine, 0.0}));
      problem.add_contact(
          1, {.bodies = {0, -1}, .frame = upright, .arms = {SmallVector{0.0, -radius}}, .mu = mu});
      // The motor wants a spin of -1000, which it cannot reach.
      problem.add_rows(2, {.bodies = {0, -1},
                           .jacobians = {Eigen::RowVector3d(0, 0, -1)},
                           .bias = {-1000.0},
                           .lower = {-torque * h},
                           .upper = {torque * h}});
      const DriverResult result = solve(problem.contact_form(), {.settings = {.tolerance = 1e-13}});
      ASSERT_TRUE(result.solved()) << result.message;
      Vector v(3);
      problem.velocities(result.r, v);
      const double normal = mass * gravity * cosine;
      const double spin = h * (torque - mass * gravity * radius * sine) / (inertia + mass * radius * radius);
      const double friction = (mass * radius * spin) / h + mass * gravity * sine;
      EXPECT_NEAR(result.r[0], normal * h, 1e-11);
      EXPECT_NEAR(result.r[2], torque * h, 1e-12);
      if (std::abs(friction) <= mu * normal) {
        ++rolls;
        EXPECT_NEAR(v[0], radius * spin, 1e-10);
        EXPECT_NEAR(v[2], -spin, 1e-10);
      } else {
        ++slips;
        const double sign = std::copysign(1.0, friction);
        EXPECT_NEAR(v[0], h * (sign * mu * gravity * cosine - gravity * sine), 1e-10);
        EXPECT_NEAR(v[2], -h * (torque - sign * mu * normal * radius) / inertia, 1e-10);
      }
    }
  }
  EXPECT_GT(rolls, 1);
  EXPECT_GT(slips, 1);
}

}  // namespace slipstick::internal::body_loop_test
