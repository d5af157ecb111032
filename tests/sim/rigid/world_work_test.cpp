// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of contacts. What a step computes is compared with the exact discrete answer; the comments say
// how it differs from that of continuous time.
#include "slipstick/sim/rigid/world_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::world_work_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = earth;
constexpr double h = 0.01;  // time step

// z = z_0 - g t^2 / 2 until the step that closes the gap, exactly. Then it rests.
TEST(WorldWork, ASphereFallsAndComesToRest) {
  SmallScene scene;
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{0.5}, 2.0, {0.0, 0.0, 1.5});
  World world(scene);
  Driver driver = driver_of();
  bool landed = false;
  for (int k = 1; k <= 100; ++k) {
    solved_step(world, driver, h);
    const double falling = 1.5 - 0.5 * g * h * h * k * k;
    landed = landed || falling < 0.5;
    EXPECT_NEAR(world.body(1).position.z(), landed ? 0.5 : falling, 1e-12) << "step " << k;
  }
  EXPECT_TRUE(landed);
  EXPECT_EQ(world.body(1).velocity, Vector3d(Vector3d::Zero()));
  EXPECT_LE(world.record().penetration, 1e-12);
  EXPECT_NEAR(energy_of(world.record()), 2.0 * g * 0.5, 1e-12);
  EXPECT_NEAR(world.time(), 1.0, 1e-12);
}

// A box on a plane that is tilted about y, so that x falls.
struct Incline {
  Incline(double slope, double mu) : tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY())) {
    SmallScene scene(mu);
    scene.add_fixed(PlaneShape{}, Vector3d::Zero(), tilt);
    scene.add(BoxShape{{0.6, 0.4, 0.2}}, 3.0, tilt * Vector3d(0.0, 0.0, 0.1), tilt);
    world = std::make_unique<World>(scene);
  }
  Vector3d along_incline(const Vector3d& vector) const { return tilt.conjugate() * vector; }

  Quaterniond tilt;
  std::unique_ptr<World> world;
};

TEST(WorldWork, ABoxSticksBelowTheFrictionAngle) {
  Incline incline(0.49, 0.5);
  Driver driver = driver_of();
  for (int k = 0; k < 50; ++k) solved_step(*incline.world, driver, h);
  const BodyState box = incline.world->body(1);
  EXPECT_LE(incline.along_incline(box.position - incline.tilt * Vector3d(0.0, 0.0, 0.1)).norm(), 1e-11);
  EXPECT_LE(box.velocity.norm(), 1e-11);
}

// v_k = k h a with a = g (sin - mu cos), as in continuous time. The distance is a h^2 k (k + 1) / 2 instead
// of a t^2 / 2, which is of first order in h.
TEST(WorldWork, ABoxSlidesAboveTheFrictionAngle) {
  const double slope = 0.6, mu = 0.5, angle = std::atan(slope);
  const double a = g * (std::sin(angle) - mu * std::cos(angle));
  Incline incline(slope, mu);
  Driver driver = driver_of();
  for (int k = 1; k <= 50; ++k) {
    solved_step(*incline.world, driver, h);
    const BodyState box = incline.world->body(1);
    EXPECT_LE((incline.along_incline(box.velocity) - Vector3d(k * h * a, 0.0, 0.0)).norm(), 1e-10) << k;
    const Vector3d place(0.5 * a * h * h * k * (k + 1), 0.0, 0.1);
    EXPECT_LE((incline.along_incline(box.position) - place).norm(), 1e-10) << k;
  }
}

// v_k = v0 - mu g h k. It stops after v0 / (mu g), rounded up to a step. The distance is v0^2 / (2 mu g) up
// to half a step.
TEST(WorldWork, ABoxSlidesToRest) {
  const double v0 = 1.0, mu = 0.3;
  SmallScene scene(mu);
  scene.add_fixed(PlaneShape{});
  scene.add(BoxShape{{0.6, 0.4, 0.2}}, 3.0, {0.0, 0.0, 0.1}).velocity = {0.0, v0, 0.0};
  World world(scene);
  Driver driver = driver_of();
  for (int k = 1; k <= 50; ++k) {
    solved_step(world, driver, h);
    EXPECT_NEAR(world.body(1).velocity.y(), std::max(v0 - mu * g * h * k, 0.0), 1e-11) << k;
  }
  EXPECT_NEAR(world.body(1).position.y(), v0 * v0 / (2.0 * mu * g), 0.5 * h * v0);
}

// While it slides, the convex law has u_N = mu |u_T|.
TEST(WorldWork, ASlidingBoxRisesUnderTheConvexLaw) {
  const double v0 = 1.0, mu = 0.3;
  SmallScene scene(mu);
  scene.add_fixed(PlaneShape{});
  BodySpec& box = scene.add(BoxShape{{2.0, 2.0, 0.01}}, 3.0, {0.0, 0.0, 0.005});
  box.velocity = {v0, 0.0, 0.0};
  World world(scene);
  Driver driver = driver_of(1e-12, FrictionLaw::convex);
  solved_step(world, driver, h);
  const Vector3d velocity = world.body(1).velocity;
  EXPECT_GT(velocity.x(), 0.5 * v0);
  EXPECT_NEAR(velocity.z(), mu * velocity.x(), 1e-2 * v0);
}

// With enough friction a box tips over if the slope exceeds its width by its height. It turns about its lower
// edge, with the inertia 4/3 m (a^2 + c^2).
TEST(WorldWork, ABoxTipsOver) {
  const double a = 0.1, c = 0.2, mass = 3.0;
  for (const double slope : {0.49, 0.51}) {
    const Quaterniond tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY()));
    SmallScene scene(0.8);
    scene.add_fixed(PlaneShape{}, Vector3d::Zero(), tilt);
    scene.add(BoxShape{{2.0 * a, 0.6, 2.0 * c}}, mass, tilt * Vector3d(0.0, 0.0, c), tilt);
    World world(scene);
    Driver driver = driver_of();
    solved_step(world, driver, h);
    const double angle = std::atan(slope);
    const double moment = mass * g * (c * std::sin(angle) - a * std::cos(angle));
    const double spin = std::max(moment * h / (4.0 / 3.0 * mass * (a * a + c * c)), 0.0);
    EXPECT_EQ(spin > 0.0, slope > a / c);
    EXPECT_LE((world.body(1).spin - Vector3d(0.0, spin, 0.0)).norm(), 1e-11) << slope;
  }
}

// The box has the speed of the belt after v / (mu g), rounded up to a step. The motor of the belt does the
// work that friction turns to heat, and as much again for the box.
TEST(WorldWork, ABoxOnABelt) {
  const double speed = 0.515, mu = 0.3, mass = 2.0;
  SmallScene scene(mu);
  scene.add_moved(PlaneShape{}, BeltMotion{.velocity = {speed, 0.0, 0.0}});
  scene.add(BoxShape{{0.4, 0.4, 0.1}}, mass, {0.0, 0.0, 0.05});
  World world(scene);
  Driver driver = driver_of();
  double motions = 0.0, friction = 0.0;
  for (int k = 1; k <= 40; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    EXPECT_NEAR(world.body(1).velocity.x(), std::min(mu * g * h * k, speed), 1e-10) << k;
    EXPECT_EQ(record.contacts, 4);
    EXPECT_EQ(record.rows, 12);
    EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-12);
    motions += record.energy.motions;
    friction += record.energy.friction;
  }
  EXPECT_EQ(world.body(0).position, Vector3d(Vector3d::Zero()));
  EXPECT_NEAR(motions, mass * speed * speed, 1e-10);
  EXPECT_NEAR(friction, -0.5 * mass * speed * speed, 1e-10);
}

// A lift with acceleration a carries the box with m (g + a) h per step.
TEST(WorldWork, ABoxOnALift) {
  KeyFrames frames{
      .times = {0.0}, .positions = {Vector3d::Zero()}, .orientations = {Quaterniond::Identity()}};
  double speed = 0.0;
  for (int k = 1; k <= 60; ++k) {
    speed += h * (k <= 20 ? 2.0 : k <= 40 ? 0.0 : -3.0);
    frames.times.push_back(k * h);
    frames.positions.push_back(frames.positions.back() + Vector3d(0.0, 0.0, h * speed));
    frames.orientations.push_back(Quaterniond::Identity());
  }
  SmallScene scene;
  scene.add_moved(PlaneShape{}, frames);
  scene.add(BoxShape{{0.4, 0.6, 0.2}}, 2.0, {0.0, 0.0, 0.1});
  World world(scene);
  Driver driver = driver_of();
  for (int k = 1; k <= 60; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    const double a = k <= 20 ? 2.0 : k <= 40 ? 0.0 : -3.0;
    EXPECT_NEAR(normal_impulse(world), 2.0 * (g + a) * h, 1e-10) << k;
    EXPECT_LE((world.body(0).position - frames.positions[static_cast<std::size_t>(k)]).norm(), 1e-14) << k;
    EXPECT_NEAR(world.body(1).position.z() - world.body(0).position.z(), 0.1, 1e-10) << k;
    // Positions move with the new velocity, and work is that of the mean.
    EXPECT_NEAR(record.energy.unexplained, 0.5 * h * 2.0 * g * a * h,
                1e-12 * std::max(1.0, energy_of(record)))
        << k;
  }
}

// The box turns with the table if mu g > w^2 r. A step moves it along the tangent, so that its distance r
// grows by sqrt(1 + (w h)^2).
TEST(WorldWork, ABoxOnATurntable) {
  const double mu = 0.4, r = 0.5;
  for (const double w : {2.6, 3.0}) {
    SmallScene scene(mu);
    scene.add_moved(PlaneShape{}, SteadyMotion{.spin = {0.0, 0.0, w}});
    BodySpec& box = scene.add(BoxShape{{0.2, 0.2, 0.02}}, 1.0, {r, 0.0, 0.01});
    box.velocity = {0.0, w * r, 0.0};
    box.spin = {0.0, 0.0, w};
    World world(scene);
    Driver driver = driver_of();
    const bool sticks = mu * g > w * w * r;
    EXPECT_EQ(sticks, w == 2.6);
    for (int k = 1; k <= 30; ++k) {
      const Vector3d before = world.body(1).position;
      solved_step(world, driver, h);
      const BodyState body = world.body(1);
      const Vector3d table_velocity(-w * before.y(), w * before.x(), 0.0);
      const double distance = body.position.head<2>().norm();
      const double sticking = r * std::pow(1.0 + w * w * h * h, 0.5 * k);
      if (sticks) {
        EXPECT_LE((body.velocity - table_velocity).norm(), 1e-8) << k;
        EXPECT_NEAR(distance, sticking, 1e-8) << k;
        EXPECT_NEAR(body.spin.z(), w, 1e-8) << k;
      } else if (k > 2) {
        EXPECT_GT((body.velocity - table_velocity).norm(), 1e-3) << k;
        EXPECT_GT(distance, sticking) << k;
      }
    }
  }
}

// Thrown without spin, it slips with v_k = v0 - mu g h k. Every step conserves the angular momentum about a
// line in the plane, so it rolls at 5 v0 / 7 in the end. That is after 2 v0 / (7 mu g), rounded up to a step.
TEST(WorldWork, AThrownSphereRollsInTheEnd) {
  const double v0 = 2.0, mu = 0.25, radius = 0.1;
  SmallScene scene(mu);
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{radius}, 2.0, {0.0, 0.0, radius}).velocity = {v0, 0.0, 0.0};
  World world(scene);
  Driver driver = driver_of();
  for (int k = 1; k <= 40; ++k) {
    solved_step(world, driver, h);
    const BodyState body = world.body(1);
    EXPECT_NEAR(body.velocity.x(), std::max(v0 - mu * g * h * k, 5.0 / 7.0 * v0), 1e-10) << k;
    EXPECT_NEAR(body.velocity.x() + 0.4 * radius * body.spin.y(), v0, 1e-10) << k;
  }
  EXPECT_NEAR(world.body(1).spin.y(), 5.0 / 7.0 * v0 / radius, 1e-8);
  // It slips over 12 v0^2 / (49 mu g).
  const double slips_for = 2.0 * v0 / (7.0 * mu * g), slips_over = 12.0 * v0 * v0 / (49.0 * mu * g);
  const double distance = slips_over + 5.0 / 7.0 * v0 * (world.time() - slips_for);
  EXPECT_NEAR(world.body(1).position.x(), distance, h * v0);
}

// It rolls with 5/7 g sin if mu >= 2/7 of the slope. Otherwise it slips with g (sin - mu cos), and its spin
// grows with 5/2 mu g cos / radius.
TEST(WorldWork, ASphereRollsDownAnIncline) {
  const double slope = 0.7, angle = std::atan(slope), radius = 0.1;
  for (const double mu : {0.21, 0.19}) {
    SmallScene scene(mu);
    const Quaterniond tilt(AngleAxisd(angle, Vector3d::UnitY()));
    scene.add_fixed(PlaneShape{}, Vector3d::Zero(), tilt);
    scene.add(SphereShape{radius}, 2.0, tilt * Vector3d(0.0, 0.0, radius));
    World world(scene);
    const bool rolls = mu >= 2.0 / 7.0 * slope;
    const double a = rolls ? 5.0 / 7.0 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
    const double spin_rate = rolls ? a / radius : 2.5 * mu * g * std::cos(angle) / radius;
    Driver driver = driver_of();
    for (int k = 1; k <= 50; ++k) {
      solved_step(world, driver, h);
      const BodyState body = world.body(1);
      EXPECT_LE((tilt.conjugate() * body.velocity - Vector3d(a * h * k, 0.0, 0.0)).norm(), 1e-10) << k;
      EXPECT_LE((body.spin - Vector3d(0.0, spin_rate * h * k, 0.0)).norm(), 1e-9) << k;
    }
  }
}

// Momenta of closed collisions with friction, about the origin.
void expect_momenta_stay(const SmallScene& scene, int steps, const std::string& what) {
  World world(scene);
  Driver driver = driver_of(1e-12);
  Vector3d momentum = Vector3d::Zero(), angular = Vector3d::Zero();
  for (int k = 0; k < world.bodies(); ++k) {
    const MovingBody body(scene, k);
    momentum += body.mass() * body.velocity();
    angular += body.mass() * body.position().cross(body.velocity()) + body.angular_momentum();
  }
  double impulses = 0.0;
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = solved_step(world, driver, 1.0 / 60.0);
    ASSERT_LE((record.momentum - momentum).norm(), 1e-10) << what << ", step " << k;
    ASSERT_LE((record.angular_momentum - angular).norm(), 1e-10) << what << ", step " << k;
    ASSERT_LE(record.momentum_error, 1e-12) << what << ", step " << k;
    impulses -= record.energy.contact + record.energy.friction;
  }
  EXPECT_GT(impulses, 1e-3) << what << ": they did not collide";
}

TEST(WorldWork, CollisionsKeepTheMomenta) {
  for (const double restitution : {0.0, 0.7}) {
    for (const double apart : {0.0, 0.35}) {
      for (const bool boxes : {false, true}) {
        SmallScene scene(0.3);
        scene.gravity.setZero();
        scene.materials[0].restitution = restitution;
        scene.stepping.projection = false;
        const auto add = [&](double extent, double mass, const Vector3d& place) -> BodySpec& {
          if (boxes) return scene.add(BoxShape{{extent, 0.8 * extent, 1.3 * extent}}, mass, place);
          return scene.add(SphereShape{0.5 * extent}, mass, place);
        };
        BodySpec& first = add(1.0, 2.0, {-0.5 - apart, 0.1, 0.0});
        first.velocity = {3.0, 0.0, 0.1};
        if (apart > 0.0) first.spin = {0.3, 1.0, 4.0};
        const double reach = boxes ? 0.4 : std::sqrt(0.9 * 0.9 - 0.15 * 0.15) - 0.5;
        BodySpec& second = add(0.8, 5.0, {reach + apart, boxes ? -0.1 : -0.05, 0.0});
        second.velocity = {-1.0, 0.2, 0.0};
        if (boxes && is_refused_without_bullet(scene)) continue;
        expect_momenta_stay(scene, 60,
                            std::string(boxes ? "boxes" : "spheres") +
                                (apart > 0.0 ? " from afar" : " touching") + ", restitution " +
                                std::to_string(restitution));
      }
    }
  }
}

// Ten boxes of 1 m. They come to rest, and then a step costs no factorization.
TEST(WorldWork, AStackOfBoxesStandsStill) {
  for (const double gap : {0.0, 1e-3}) {
    SmallScene scene(0.5);
    scene.add_fixed(PlaneShape{});
    const int boxes = 10;
    for (int k = 0; k < boxes; ++k) {
      scene.add(BoxShape{{1.0, 1.0, 1.0}}, k == boxes - 1 ? 1000.0 : 10.0,
                {0.0, 0.0, 0.5 + k + (k + 1) * gap});
    }
    if (is_refused_without_bullet(scene)) return;
    World world(scene);
    Driver driver = driver_of(1e-4);
    for (int k = 0; k < 300; ++k) {
      const StepRecord& record = solved_step(world, driver, 1.0 / 60.0);
      if (k >= 150) {
        EXPECT_EQ(record.factorizations, 0) << "gap " << gap << ", step " << k;
        EXPECT_EQ(record.energy.kinetic, 0.0) << "gap " << gap << ", step " << k;
      }
    }
    for (int k = 1; k <= boxes; ++k) {
      EXPECT_LE(world.body(k).position.head<2>().norm(), 1e-6) << "gap " << gap << ", box " << k;
      EXPECT_NEAR(world.body(k).position.z(), k - 0.5, 1e-5) << "gap " << gap << ", box " << k;
    }
  }
}

// A chain of 20 light links of 50 g holds a box of 1,000 kg and swings.
TEST(WorldWork, AHeavyBoxSwingsOnALightChain) {
  SmallScene scene;
  const double pitch = 0.1;
  const int links = 20;
  const Vector3d down = Vector3d(1.0, 0.0, -2.0).normalized();
  int before = -1;
  for (int k = 0; k < links; ++k) {
    scene.add(CapsuleShape{0.01, 0.08}, 0.05, (k + 0.5) * pitch * down,
              Quaterniond::FromTwoVectors(Vector3d::UnitZ(), down));
    scene.joints.push_back({.kind = JointKind::ball, .bodies = {k, before}, .point = k * pitch * down});
    before = k;
  }
  scene.add(BoxShape{{0.4, 0.4, 0.4}}, 1000.0, links * pitch * down + Vector3d(0.0, 0.0, -0.2));
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {links, before}, .point = links * pitch * down});
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of(1e-6);
  double first_energy = 0.0;
  for (const BodySpec& body : scene.bodies) first_energy += *body.mass * g * body.position.z();
  double last_energy = first_energy, swing = 0.0;
  for (int k = 0; k < 120; ++k) {
    const StepRecord& record = solved_step(world, driver, 1.0 / 60.0);
    const EnergyRecord& energy = record.energy;
    EXPECT_LE(record.joint_error, 1e-3) << k;
    EXPECT_LE(energy_of(record) - first_energy, 1e-3 * std::abs(first_energy)) << k;
    const double works = energy.contact + energy.friction + energy.joints + energy.motors + energy.motions +
                         energy.stabilization + energy.stiffness + energy.unexplained;
    EXPECT_NEAR(energy_of(record) - last_energy, works, 1e-9 * std::abs(first_energy)) << k;
    EXPECT_LE(std::abs(energy.unexplained), 1e-3 * std::abs(first_energy)) << k;
    last_energy = energy_of(record);
    swing = std::min(swing, world.body(links).position.x());
  }
  EXPECT_LT(swing, -0.5);
  EXPECT_GT(last_energy, first_energy - 0.05 * std::abs(first_energy));
}

// A plate with amplitude 5 cm at 2 Hz, below 1 g: the box follows, and the plate's work is its energy.
TEST(WorldWork, ABoxOnAnOscillatingPlate) {
  const double amplitude = 0.05, frequency = 2.0;
  SmallScene scene;
  scene.add_moved(BoxShape{{2.0, 2.0, 0.2}},
                  Oscillation{.amplitude = {0.0, 0.0, amplitude}, .frequency = frequency});
  scene.bodies[0].position = {0.0, 0.0, -0.1};
  scene.add(BoxShape{{0.4, 0.4, 0.4}}, 3.0, {0.0, 0.0, 0.2});
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of(1e-10);
  const double time_step = 1.0 / 240.0;
  double before = 3.0 * g * 0.2;
  for (int k = 1; k <= 240; ++k) {
    const StepRecord& record = solved_step(world, driver, time_step);
    const double place = amplitude * std::sin(2.0 * std::numbers::pi * frequency * k * time_step);
    EXPECT_NEAR(world.body(0).position.z(), place - 0.1, 1e-12) << k;
    EXPECT_NEAR(world.body(1).position.z(), place + 0.2, 1e-7) << k;
    const EnergyRecord& energy = record.energy;
    const double works = energy.motions + energy.contact + energy.friction + energy.stabilization;
    EXPECT_NEAR(energy_of(record) - before, works + energy.unexplained, 1e-10) << k;
    before = energy_of(record);
  }
}

// The platform turns by a quarter and carries a sphere that lies in its middle.
TEST(WorldWork, KeyFramesAreReachedExactly) {
  KeyFrames frames{.times = {0.0, 0.5, 1.0},
                   .positions = {Vector3d::Zero(), {1.0, 0.0, 0.0}, {1.0, 2.0, 0.0}},
                   .orientations = {Quaterniond::Identity(),
                                    Quaterniond(AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ())),
                                    Quaterniond(AngleAxisd(std::numbers::pi, Vector3d::UnitZ()))}};
  SmallScene scene;
  scene.add_moved(BoxShape{{2.0, 2.0, 0.2}}, frames);
  scene.add(BoxShape{{0.2, 0.2, 0.02}}, 1.0, {0.0, 0.0, 0.11});
  scene.materials[0].friction = 10.0;
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of(1e-10);
  for (int k = 1; k <= 50; ++k) solved_step(world, driver, h);
  EXPECT_LE((world.body(0).position - frames.positions[1]).norm(), 1e-13);
  EXPECT_LE(world.body(0).orientation.angularDistance(frames.orientations[1]), 1e-7);
  EXPECT_LE((world.body(1).position - Vector3d(1.0, 0.0, 0.11)).norm(), 2e-2);
  for (int k = 1; k <= 70; ++k) solved_step(world, driver, h);
  EXPECT_LE((world.body(0).position - frames.positions[2]).norm(), 1e-13);
  EXPECT_LE((world.body(1).position - Vector3d(1.0, 2.0, 0.11)).norm(), 0.2);
  EXPECT_LE(world.body(1).velocity.norm(), 1e-9);
}

// A heavy ball rolls over a light plank on the ground. Contacts alone turn the plank.
TEST(WorldWork, ContactsHaveGeometricStiffness) {
  for (const bool on : {true, false}) {
    SmallScene scene;
    scene.stepping.geometric_stiffness = on;
    scene.add_fixed(PlaneShape{});
    scene.add(SphereShape{0.2}, 1.0, {0.0, 0.0, 0.2});
    scene.add(BoxShape{{2.0, 0.2, 0.02}}, 0.1, {0.0, 0.0, 0.41});
    scene.add(SphereShape{0.5}, 1000.0, {0.7, 0.0, 0.93});
    if (is_refused_without_bullet(scene)) return;
    World world(scene);
    Driver driver = driver_of(1e-6);
    double stiffness = 0.0;
    for (int k = 0; k < 30; ++k) {
      const StepRecord& record = solved_step(world, driver, 1.0 / 60.0);
      stiffness += std::abs(record.energy.stiffness);
      EXPECT_LE(std::abs(record.energy.stiffness), 0.01 * 1000.0 * earth) << k;
    }
    EXPECT_EQ(stiffness > 0.0, on) << stiffness;
  }
}

}  // namespace slipstick::internal::world_work_test
