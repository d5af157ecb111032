// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A time loop as a simulator writes it: bodies, memory, driver and states together.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
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
    problem_.reset(2);
    problem_.set_body(0, RigidBody::space(1.0 / mass, 5.0 * Eigen::Matrix3d::Identity(), velocity_.head<6>(),
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
    driver_.solve(problem_.contact_form(), result, &start_);
    memory.keep(problem_.keys(), problem_.first_rows(), result.r);
    problem_.velocities(result.r, velocity_);
    contact_states(std::get<LocalContactProblem>(problem_.contact_form()), FrictionLaw::coulomb, result,
                   states);
  }
  double speed() const { return velocity_[0]; }

  ContactMemory memory;
  DriverResult result;
  std::vector<ContactState> states;
  Index known = 0;

 private:
  BodyProblem problem_;
  Driver driver_{{.settings = {.tolerance = 1e-10}}};
  WarmStart start_;
  Vector velocity_ = Vector::Zero(12);
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
    EXPECT_EQ(belt.states, std::vector<ContactState>(4, expected)) << "step " << step;
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

}  // namespace slipstick::internal::body_loop_test
