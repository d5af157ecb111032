// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of contacts, and the manners of the simulator. What a step computes is compared with the exact
// discrete answer; the comments say how it differs from that of continuous time.
#include "slipstick/sim/rigid/simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::simulator_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = standard_gravity;
constexpr double h = 0.01;  // time step

Driver coulomb(double tolerance = 1e-12) {
  return Driver({.settings = {.tolerance = tolerance}});
}

Body sphere(const Vector3d& position, double radius = 0.5, double mass = 2.0) {
  return {.shape = SphereShape{radius}, .mass = mass, .position = position};
}

void step(RigidSimulator& simulator, Driver& driver, double time_step = h) {
  const StepReport& report = simulator.step(time_step, driver);
  ASSERT_EQ(report.status, Status::solved) << simulator.result().message;
}

// The impulses of all contacts of the last step along the normal of the first.
double normal_impulse(const RigidSimulator& simulator) {
  double sum = 0.0;
  for (const Touch& touch : simulator.touches()) sum += simulator.impulse(touch.key)[0];
  return sum;
}

// v_k = -g h k, z_k = z_0 - g h^2 k (k + 1) / 2, until the gap closes exactly. Then it rests.
TEST(RigidSimulator, ASphereFallsAndComesToRest) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  const int ball = simulator.add(sphere({0.0, 0.0, 1.5}));
  Driver driver = coulomb();
  bool landed = false;
  for (int k = 1; k <= 100; ++k) {
    step(simulator, driver);
    const double falling = 1.5 - 0.5 * g * h * h * k * (k + 1);
    landed = landed || falling < 0.5;
    EXPECT_NEAR(simulator.body(ball).position.z(), landed ? 0.5 : falling, 1e-12) << "step " << k;
  }
  EXPECT_TRUE(landed);
  EXPECT_LE(simulator.body(ball).velocity.norm(), 1e-12);
  EXPECT_LE(simulator.report().penetration, 1e-12);
  EXPECT_NEAR(simulator.report().energy, 2.0 * g * 0.5, 1e-12);
  EXPECT_NEAR(simulator.time(), 1.0, 1e-12);
}

// A box on a plane that is tilted about y, so that x falls.
class Incline {
 public:
  explicit Incline(double slope, double mu)
      : simulator({.mu = mu}), tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY())) {
    simulator.add({.shape = PlaneShape{}, .orientation = tilt});
    box = simulator.add({.shape = BoxShape{{0.3, 0.2, 0.1}},
                         .mass = 3.0,
                         .position = tilt * Vector3d(0.0, 0.0, 0.1),
                         .orientation = tilt});
  }
  Vector3d along_incline(const Vector3d& vector) const { return tilt.conjugate() * vector; }

  RigidSimulator simulator;
  Quaterniond tilt;
  int box;
};

TEST(RigidSimulator, ABoxSticksBelowTheFrictionAngle) {
  Incline incline(0.49, 0.5);
  Driver driver = coulomb();
  for (int k = 0; k < 50; ++k) step(incline.simulator, driver);
  const Body& box = incline.simulator.body(incline.box);
  EXPECT_LE(incline.along_incline(box.position - incline.tilt * Vector3d(0.0, 0.0, 0.1)).norm(), 1e-11);
  EXPECT_LE(box.velocity.norm(), 1e-11);
}

// v_k = k h a with a = g (sin - mu cos), as in continuous time. The distance is a h^2 k (k + 1) / 2 instead
// of a t^2 / 2, which is of first order in h.
TEST(RigidSimulator, ABoxSlidesAboveTheFrictionAngle) {
  const double slope = 0.6, mu = 0.5, angle = std::atan(slope);
  const double a = g * (std::sin(angle) - mu * std::cos(angle));
  Incline incline(slope, mu);
  Driver driver = coulomb();
  for (int k = 1; k <= 50; ++k) {
    step(incline.simulator, driver);
    const Body& box = incline.simulator.body(incline.box);
    EXPECT_LE((incline.along_incline(box.velocity) - Vector3d(k * h * a, 0.0, 0.0)).norm(), 1e-10) << k;
    const Vector3d place(0.5 * a * h * h * k * (k + 1), 0.0, 0.1);
    EXPECT_LE((incline.along_incline(box.position) - place).norm(), 1e-10) << k;
  }
}

// v_k = v0 - mu g h k. It stops after v0 / (mu g), rounded up to a step. The distance is v0^2 / (2 mu g) up
// to half a step.
TEST(RigidSimulator, ABoxSlidesToRest) {
  const double v0 = 1.0, mu = 0.3;
  RigidSimulator simulator({.mu = mu});
  simulator.add({.shape = PlaneShape{}});
  const int box = simulator.add({.shape = BoxShape{{0.3, 0.2, 0.1}},
                                 .mass = 3.0,
                                 .position = {0.0, 0.0, 0.1},
                                 .velocity = {0.0, v0, 0.0}});
  Driver driver = coulomb();
  for (int k = 1; k <= 50; ++k) {
    step(simulator, driver);
    EXPECT_NEAR(simulator.body(box).velocity.y(), std::max(v0 - mu * g * h * k, 0.0), 1e-11) << k;
  }
  EXPECT_NEAR(simulator.body(box).position.y(), v0 * v0 / (2.0 * mu * g), 0.5 * h * v0);
}

// While it slides, the convex law has u_N = mu |u_T|.
TEST(RigidSimulator, ASlidingBoxRisesUnderTheConvexLaw) {
  const double v0 = 1.0, mu = 0.3;
  RigidSimulator simulator({.mu = mu});
  simulator.add({.shape = PlaneShape{}});
  const int box = simulator.add(
      {.mass = 3.0, .inertia = Vector3d::Ones(), .position = Vector3d::Zero(), .velocity = {v0, 0.0, 0.0}});
  simulator.add(GivenContact{.bodies = {box, 0}});
  Driver driver({.settings = {.tolerance = 1e-12}, .friction = FrictionLaw::convex});
  step(simulator, driver);
  const Vector3d& velocity = simulator.body(box).velocity;
  EXPECT_GT(velocity.x(), 0.5 * v0);
  EXPECT_NEAR(velocity.z(), mu * velocity.x(), 1e-11);
}

// With enough friction a box tips over if the slope exceeds its width by its height. It turns about its lower
// edge, with the inertia 4/3 m (a^2 + c^2).
TEST(RigidSimulator, ABoxTipsOver) {
  const double a = 0.1, c = 0.2, mass = 3.0;
  for (const double slope : {0.49, 0.51}) {
    const Quaterniond tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY()));
    RigidSimulator simulator({.mu = 0.8});
    simulator.add({.shape = PlaneShape{}, .orientation = tilt});
    const int box = simulator.add({.shape = BoxShape{{a, 0.3, c}},
                                   .mass = mass,
                                   .position = tilt * Vector3d(0.0, 0.0, c),
                                   .orientation = tilt});
    Driver driver = coulomb();
    step(simulator, driver);
    const double angle = std::atan(slope);
    const double moment = mass * g * (c * std::sin(angle) - a * std::cos(angle));
    const double spin = std::max(moment * h / (4.0 / 3.0 * mass * (a * a + c * c)), 0.0);
    EXPECT_EQ(spin > 0.0, slope > a / c);
    EXPECT_LE((simulator.body(box).spin - Vector3d(0.0, spin, 0.0)).norm(), 1e-11) << slope;
  }
}

// The box has the speed of the belt after v / (mu g), rounded up to a step.
TEST(RigidSimulator, ABoxOnABelt) {
  const double speed = 0.515, mu = 0.3;
  RigidSimulator simulator({.mu = mu});
  const int belt = simulator.add({.shape = PlaneShape{}, .velocity = {speed, 0.0, 0.0}, .belt = true});
  const int box =
      simulator.add({.shape = BoxShape{{0.2, 0.2, 0.05}}, .mass = 2.0, .position = {0.0, 0.0, 0.05}});
  Driver driver = coulomb();
  for (int k = 1; k <= 40; ++k) {
    step(simulator, driver);
    EXPECT_NEAR(simulator.body(box).velocity.x(), std::min(mu * g * h * k, speed), 1e-10) << k;
    EXPECT_EQ(simulator.report().contacts, 4);
    EXPECT_EQ(simulator.report().rows, 12);
  }
  EXPECT_EQ(simulator.body(belt).position, Vector3d(Vector3d::Zero()));
}

// A lift with acceleration a carries the box with m (g + a) h per step.
TEST(RigidSimulator, ABoxOnALift) {
  RigidSimulator simulator;
  const int lift = simulator.add({.shape = PlaneShape{}});
  const int box =
      simulator.add({.shape = BoxShape{{0.2, 0.3, 0.1}}, .mass = 2.0, .position = {0.0, 0.0, 0.1}});
  Driver driver = coulomb();
  for (const double a : {2.0, 0.0, -3.0}) {
    for (int k = 0; k < 20; ++k) {
      simulator.set_velocity(lift, simulator.body(lift).velocity + Vector3d(0.0, 0.0, a * h));
      step(simulator, driver);
      EXPECT_NEAR(normal_impulse(simulator), 2.0 * (g + a) * h, 1e-11);
      EXPECT_NEAR(simulator.body(box).position.z() - simulator.body(lift).position.z(), 0.1, 1e-11);
    }
  }
}

// The box turns with the table if mu g > w^2 r. A step moves it along the tangent, so that its distance r
// grows by sqrt(1 + (w h)^2).
TEST(RigidSimulator, ABoxOnATurntable) {
  const double mu = 0.4, r = 0.5;
  for (const double w : {2.6, 3.0}) {
    RigidSimulator simulator({.mu = mu});
    simulator.add({.shape = PlaneShape{}, .spin = {0.0, 0.0, w}});
    const int box = simulator.add({.shape = BoxShape{{0.1, 0.1, 0.01}},
                                   .mass = 1.0,
                                   .position = {r, 0.0, 0.01},
                                   .velocity = {0.0, w * r, 0.0},
                                   .spin = {0.0, 0.0, w}});
    Driver driver = coulomb();
    const bool sticks = mu * g > w * w * r;
    EXPECT_EQ(sticks, w == 2.6);
    for (int k = 1; k <= 30; ++k) {
      const Vector3d before = simulator.body(box).position;
      step(simulator, driver);
      const Body& body = simulator.body(box);
      const Vector3d table_velocity(-w * before.y(), w * before.x(), 0.0);
      const double distance = body.position.head<2>().norm();
      const double sticking = r * std::pow(1.0 + w * w * h * h, 0.5 * k);
      if (sticks) {
        EXPECT_LE((body.velocity - table_velocity).norm(), 1e-10) << k;
        EXPECT_NEAR(distance, sticking, 1e-10) << k;
        EXPECT_NEAR(body.spin.z(), w, 1e-9) << k;
      } else if (k > 2) {
        EXPECT_GT((body.velocity - table_velocity).norm(), 1e-3) << k;
        EXPECT_GT(distance, sticking) << k;
      }
    }
  }
}

// Thrown without spin, it slips with v_k = v0 - mu g h k. Every step conserves the angular momentum about a
// line in the plane, so it rolls at 5 v0 / 7 in the end. That is after 2 v0 / (7 mu g), rounded up to a step.
TEST(RigidSimulator, AThrownSphereRollsInTheEnd) {
  const double v0 = 2.0, mu = 0.25, radius = 0.1;
  RigidSimulator simulator({.mu = mu});
  simulator.add({.shape = PlaneShape{}});
  Body thrown = sphere({0.0, 0.0, radius}, radius);
  thrown.velocity.x() = v0;
  const int ball = simulator.add(thrown);
  Driver driver = coulomb();
  for (int k = 1; k <= 40; ++k) {
    step(simulator, driver);
    const Body& body = simulator.body(ball);
    EXPECT_NEAR(body.velocity.x(), std::max(v0 - mu * g * h * k, 5.0 / 7.0 * v0), 1e-10) << k;
    EXPECT_NEAR(body.velocity.x() + 0.4 * radius * body.spin.y(), v0, 1e-10) << k;
  }
  EXPECT_NEAR(simulator.body(ball).spin.y(), 5.0 / 7.0 * v0 / radius, 1e-8);
  // It slips over 12 v0^2 / (49 mu g).
  const double slips_for = 2.0 * v0 / (7.0 * mu * g), slips_over = 12.0 * v0 * v0 / (49.0 * mu * g);
  const double distance = slips_over + 5.0 / 7.0 * v0 * (simulator.time() - slips_for);
  EXPECT_NEAR(simulator.body(ball).position.x(), distance, h * v0);
}

// It rolls with 5/7 g sin if mu >= 2/7 of the slope. Otherwise it slips with g (sin - mu cos), and its spin
// grows with 5/2 mu g cos / radius.
TEST(RigidSimulator, ASphereRollsDownAnIncline) {
  const double slope = 0.7, angle = std::atan(slope), radius = 0.1;
  for (const double mu : {0.21, 0.19}) {
    RigidSimulator simulator({.mu = mu});
    const Quaterniond tilt(AngleAxisd(angle, Vector3d::UnitY()));
    simulator.add({.shape = PlaneShape{}, .orientation = tilt});
    const int ball = simulator.add(sphere(tilt * Vector3d(0.0, 0.0, radius), radius));
    const bool rolls = mu >= 2.0 / 7.0 * slope;
    const double a = rolls ? 5.0 / 7.0 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
    const double spin_rate = rolls ? a / radius : 2.5 * mu * g * std::cos(angle) / radius;
    Driver driver = coulomb();
    for (int k = 1; k <= 50; ++k) {
      step(simulator, driver);
      const Body& body = simulator.body(ball);
      EXPECT_LE((tilt.conjugate() * body.velocity - Vector3d(a * h * k, 0.0, 0.0)).norm(), 1e-10) << k;
      EXPECT_LE((body.spin - Vector3d(0.0, spin_rate * h * k, 0.0)).norm(), 1e-9) << k;
    }
  }
}

// Off centre and with friction. They stick together along the normal after the collision.
TEST(RigidSimulator, CollidingSpheresConserveMomentum) {
  RigidSimulator simulator({.gravity = Vector3d::Zero(), .mu = 0.3});
  Body first = sphere({-1.0, 0.1, 0.0}, 0.5, 2.0), second = sphere({1.0, -0.1, 0.05}, 0.4, 5.0);
  first.velocity = {3.0, 0.0, 0.0};
  first.spin = {0.0, 1.0, 4.0};
  second.velocity = {-1.0, 0.2, 0.0};
  simulator.add(first);
  simulator.add(second);
  Vector3d momentum = Vector3d::Zero(), angular = Vector3d::Zero();
  const auto sum = [&] {
    momentum.setZero();
    angular.setZero();
    for (const Body& body : simulator.bodies()) {
      momentum += body.mass * body.velocity;
      angular += body.mass * body.position.cross(body.velocity) + body.inertia.cwiseProduct(body.spin);
    }
  };
  sum();
  const Vector3d momentum_before = momentum, angular_before = angular;
  Driver driver = coulomb();
  double impulses = 0.0;
  for (int k = 0; k < 60; ++k) {
    const double energy_before = simulator.report().energy;
    step(simulator, driver);
    sum();
    EXPECT_LE((momentum - momentum_before).norm(), 1e-12) << k;
    EXPECT_LE((angular - angular_before).norm(), 1e-12) << k;
    if (k > 0) {
      EXPECT_LE(simulator.report().energy, energy_before + 1e-12) << k;
    }
    impulses += normal_impulse(simulator);
  }
  EXPECT_GT(impulses, 1.0);
}

TEST(RigidSimulator, StepsWithoutBodiesOrContacts) {
  Driver driver = coulomb();
  RigidSimulator empty;
  step(empty, driver);
  EXPECT_EQ(empty.report().contacts, 0);
  EXPECT_EQ(empty.report().energy, 0.0);
  RigidSimulator immovable;
  immovable.add({.shape = PlaneShape{}});
  step(immovable, driver);
  RigidSimulator one;
  one.add(sphere({0.0, 0.0, 0.0}));
  for (int k = 0; k < 3; ++k) step(one, driver);
  EXPECT_NEAR(one.body(0).position.z(), -6.0 * g * h * h, 1e-15);
  one.add({.shape = PlaneShape{}, .position = {0.0, 0.0, -100.0}});
  step(one, driver);
  EXPECT_EQ(one.report().rows, 0);
  EXPECT_EQ(one.impulse(contact_key(0, 1)).size(), 0);
}

TEST(RigidSimulator, MaterialsHaveTheirFriction) {
  RigidSimulator simulator({.mu = 0.4});
  const int ice = simulator.add_material(0.1);
  EXPECT_EQ(simulator.friction(0, 0), 0.4);
  EXPECT_DOUBLE_EQ(simulator.friction(0, ice), 0.2);
  simulator.set_friction(ice, 0, 0.05);
  const int steel = simulator.add_material(0.9);
  EXPECT_EQ(simulator.friction(0, ice), 0.05);
  EXPECT_EQ(simulator.friction(ice, ice), 0.1);
  EXPECT_DOUBLE_EQ(simulator.friction(steel, ice), 0.3);
  // The product of both coefficients would overflow.
  const int glue = simulator.add_material(1e200), more_glue = simulator.add_material(1e250);
  EXPECT_NEAR(simulator.friction(glue, more_glue), 1e225, 1e211);
}

// A penetration d becomes d - min(correction d, correction_speed h), and the sphere does not jump.
TEST(RigidSimulator, PenetrationsAreRemoved) {
  RigidSimulator simulator({.correction = 0.25, .correction_speed = 0.2});
  simulator.add({.shape = PlaneShape{}});
  simulator.add(sphere({0.0, 0.0, 0.4}));
  Driver driver = coulomb();
  double depth = 0.1;
  for (int k = 1; k <= 100; ++k) {
    step(simulator, driver);
    EXPECT_NEAR(simulator.report().penetration, depth, 1e-12) << k;
    depth -= std::min(0.25 * depth, 0.2 * h);
    EXPECT_NEAR(simulator.body(1).position.z(), 0.5 - depth, 1e-12) << k;
  }
  EXPECT_LE(depth, 1e-6);
}

TEST(RigidSimulator, ImpulsesFollowTheTimeStep) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  simulator.add(sphere({0.0, 0.0, 0.5}));
  Driver driver = coulomb();
  step(simulator, driver);
  EXPECT_NEAR(simulator.result().r[0], 2.0 * g * h, 1e-13);
  simulator.prepare(2.5 * h);
  EXPECT_NEAR(simulator.start().x[0], 2.0 * g * 2.5 * h, 1e-13);
  simulator.advance(driver);
  EXPECT_NEAR(simulator.result().r[0], 2.0 * g * 2.5 * h, 1e-13);
  EXPECT_NEAR(simulator.time(), 3.5 * h, 1e-15);
}

// The box gets the speed of the belt in step 18. The driver then needs another storage of W for the first
// step that its start solves.
TEST(RigidSimulator, ASettledStepAllocatesNothing) {
  RigidSimulator simulator({.mu = 0.3});
  simulator.add({.shape = PlaneShape{}, .velocity = {0.5, 0.0, 0.0}, .belt = true});
  simulator.add({.shape = BoxShape{{0.2, 0.2, 0.05}}, .mass = 2.0, .position = {0.0, 0.0, 0.05}});
  simulator.add(sphere({2.0, 0.0, 0.5}));
  simulator.add(sphere({2.5, 0.0, 0.5 + std::sqrt(0.75)}));
  simulator.add(sphere({3.0, 0.0, 0.5}));
  Driver driver = coulomb(1e-8);
  for (int k = 0; k < 150; ++k) {
    const std::size_t before = allocations();
    const StepReport& report = simulator.step(h, driver);
    const std::size_t allocated = allocations() - before;
    EXPECT_EQ(report.status, Status::solved);
    EXPECT_TRUE(k < 25 || allocated == 0) << allocated << " in step " << k;
  }
}

// A step that is prepared is that of the state at the time.
TEST(RigidSimulator, AChangeNeedsAnotherPrepare) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  const int rotor = simulator.add(sphere({0.0, 0.0, 5.0}));
  const int hinge = simulator.add(Hinge{.bodies = {rotor, -1}, .point = {0.0, 0.0, 5.0}});
  Driver driver = coulomb();
  const auto expect_refusal = [&](auto&& change) {
    simulator.prepare(h);
    change();
    EXPECT_EQ(message_of([&] { simulator.advance(driver); }),
              "advance: no step is prepared for the present state, expected a call of prepare before");
  };
  expect_refusal([&] { simulator.add(sphere({0.0, 0.0, 0.5})); });
  expect_refusal([&] { simulator.add(GivenContact{.bodies = {1, 2}}); });
  expect_refusal([&] { simulator.add(BallJoint{.bodies = {2, -1}, .point = {0.0, 0.0, 0.5}}); });
  expect_refusal([&] { simulator.set_velocity(rotor, Vector3d::Zero()); });
  expect_refusal([&] { simulator.set_motor(hinge, {.speed = 1.0, .torque = 1.0}); });
  expect_refusal([&] { simulator.set_friction(0, 0, 0.1); });
  EXPECT_EQ(simulator.time(), 0.0);
  step(simulator, driver);
}

// The impulses of a step do not mix with the problem of the next one, which has other rows.
TEST(RigidSimulator, HasNoImpulsesBeforeItAdvances) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  simulator.add(sphere({0.0, 0.0, 0.5}));
  Driver driver = coulomb();
  step(simulator, driver);
  EXPECT_EQ(simulator.impulse(contact_key(1, 0)).size(), 3);
  simulator.prepare(h);
  EXPECT_EQ(simulator.impulse(contact_key(1, 0)).size(), 0);
  simulator.advance(driver);
  EXPECT_EQ(simulator.impulse(contact_key(1, 0)).size(), 3);
}

// A solver that gives up without an answer.
class NoAnswer : public StepSolver {
 public:
  void solve(const BodyProblem&, DriverResult& result, const WarmStart*, Observer*) override {
    result.r.resize(0);
    result.status = Status::unsupported;
  }
};

TEST(RigidSimulator, WithoutAnAnswerNothingMoves) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  simulator.add(sphere({0.0, 0.0, 0.5}));
  NoAnswer solver;
  EXPECT_EQ(simulator.step(h, solver).status, Status::unsupported);
  EXPECT_EQ(simulator.body(1).velocity, Vector3d(Vector3d::Zero()));
  EXPECT_EQ(simulator.time(), 0.0);
}

// With two iterations, the spheres of a heap are not solved. The policy refuses them, and their impulses are
// zero. They would fall through the plane.
TEST(RigidSimulator, ARefusedStepMovesNothing) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  simulator.add(sphere({0.0, 0.0, 0.5}));
  simulator.add(sphere({1.0, 0.0, 0.5}));
  simulator.add(sphere({0.5, 0.0, 0.5 + std::sqrt(0.75)}));
  Driver driver({.settings = {.tolerance = 1e-12, .max_iterations = 2},
                 .solver = "nsgs",
                 .policy = {.actions = {}}});
  EXPECT_NE(simulator.step(h, driver).status, Status::solved);
  EXPECT_EQ(simulator.result().islands.at(0).remedy, Remedy::refused);
  EXPECT_EQ(simulator.body(3).velocity, Vector3d(Vector3d::Zero()));
  EXPECT_EQ(simulator.time(), 0.0);
}

TEST(RigidSimulator, BadInputIsNamed) {
  RigidSimulator simulator;
  simulator.add({.shape = PlaneShape{}});
  Driver driver = coulomb();
  const auto message = [&](auto&& action) { return message_of(action); };
  EXPECT_EQ(message([&] {
              simulator.add(sphere({0.0, 0.0, 0.0}, 1.0, std::nan("")));
            }),
            "body 1: the mass is nan, expected a finite number >= 0");
  EXPECT_EQ(message([&] { simulator.add(Body{.material = 4}); }),
            "body 1: material 4 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] { simulator.body(1); }), "body 1 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] { simulator.set_velocity(-1, Vector3d::Zero()); }),
            "body -1 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] { simulator.joint(0); }), "joint 0 does not exist, expected 0 to -1");
  EXPECT_EQ(message([&] {
              simulator.add(GivenContact{.bodies = {0, 9}});
            }),
            "given contact 0: body 9 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] {
              simulator.add(GivenContact{.bodies = {0, 0}});
            }),
            "given contact 0: both bodies are 0, expected two different ones");
  EXPECT_EQ(message([&] { simulator.add_material(-0.1); }),
            "the friction coefficient is -0.1, expected a finite number >= 0");
  EXPECT_EQ(message([&] { simulator.set_friction(0, 1, 0.5); }),
            "material 1 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] { simulator.step(0.0, driver); }),
            "the time step is 0, expected a positive finite number");
  EXPECT_EQ(message([&] { simulator.advance(driver); }),
            "advance: no step is prepared for the present state, expected a call of prepare before");
  EXPECT_EQ(message([&] { RigidSimulator({.correction = 2.0}); }),
            "the correction is 2, expected a number from 0 to 1");
  EXPECT_EQ(message([&] { RigidSimulator({.correction_speed = 0.0}); }),
            "the correction speed is 0, expected a positive number");
  EXPECT_EQ(message([&] { RigidSimulator({.margin = -1.0}); }),
            "the margin is -1, expected a finite number >= 0");
  EXPECT_EQ(simulator.bodies().size(), 1u);
  step(simulator, driver);
}

}  // namespace slipstick::internal::simulator_test
