// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/random.hpp"

namespace slipstick::internal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// The boxes of a stack touch in the corners of the upper one.
void add_corners_between(RigidSimulator& simulator, int upper, int lower, const Vector3d& half) {
  for (const double x : {-half.x(), half.x()}) {
    for (const double y : {-half.y(), half.y()}) {
      simulator.add(GivenContact{.bodies = {upper, lower},
                                 .point = {x, y, -half.z()},
                                 .on_plane = {0.0, 0.0, half.z()},
                                 .normal = Vector3d::UnitZ()});
    }
  }
}

}  // namespace

RigidSimulator settling_spheres(int spheres, std::uint64_t seed) {
  constexpr double mean_radius = 0.05, density = 2500.0, pitch = 2.5 * mean_radius;
  RigidSimulator simulator({.mu = 0.3});
  Random random(seed);
  const int row = std::max(1, static_cast<int>(std::cbrt(static_cast<double>(spheres))));
  const double half_width = 0.5 * pitch * row;
  simulator.add(Body{.shape = PlaneShape{}});
  for (const Vector3d& out :
       {Vector3d(1.0, 0.0, 0.0), Vector3d(-1.0, 0.0, 0.0), Vector3d(0.0, 1.0, 0.0), Vector3d(0.0, -1.0, 0.0)})
    simulator.add(Body{.shape = PlaneShape{out}, .position = -half_width * out});
  for (int k = 0; k < spheres; ++k) {
    const double radius = mean_radius * random.uniform(0.8, 1.2);
    // Draw in a fixed order: that of arguments is not.
    const Eigen::Vector3i cell(k % row, k / row % row, k / (row * row));
    Vector3d place = cell.cast<double>();
    for (double& coordinate : place) coordinate += 0.5 + 0.02 * random.uniform(-1.0, 1.0);
    const Vector3d corner(-half_width, -half_width, 0.0);
    simulator.add(Body{.shape = SphereShape{radius},
                       .mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius,
                       .position = corner + pitch * place});
  }
  return simulator;
}

RigidSimulator sliding_stack(int boxes, std::uint64_t seed) {
  constexpr double slope = 0.5;
  const Vector3d half(0.25, 0.2, 0.05);
  RigidSimulator simulator({.mu = 0.3});
  const int box_material = simulator.add_material(0.6);
  simulator.set_friction(0, box_material, 0.3);
  Random random(seed);
  // The incline falls along x.
  const Quaterniond tilt(AngleAxisd(std::atan(slope), Vector3d::UnitY()));
  simulator.add(Body{.shape = PlaneShape{}, .orientation = tilt});
  int below = -1;
  for (int k = 0; k < boxes; ++k) {
    Vector3d place(0.0, 0.0, (2 * k + 1) * half.z());
    for (int axis = 0; axis < 2; ++axis) place[axis] = 0.1 * half[axis] * random.uniform(-1.0, 1.0);
    const int box = simulator.add(Body{.shape = BoxShape{half},
                                       .mass = 10.0,
                                       .position = tilt * place,
                                       .orientation = tilt,
                                       .material = box_material});
    if (k > 0) add_corners_between(simulator, box, below, half);
    below = box;
  }
  return simulator;
}

RigidSimulator swinging_chain(int links, std::uint64_t seed) {
  constexpr double pitch = 0.2, radius = 0.08;
  RigidSimulator simulator({.mu = 0.4});
  Random random(seed);
  // Three quarters of the chain's length below the point that holds it.
  simulator.add(Body{.shape = PlaneShape{}, .position = {0.0, 0.0, -0.75 * pitch * links}});
  int before = -1;
  for (int k = 0; k < links; ++k) {
    const int link = simulator.add(Body{.shape = SphereShape{radius},
                                        .mass = 1.0,
                                        .position = {(k + 0.5) * pitch, 0.0, 0.0},
                                        .velocity = {0.0, 0.1 * random.normal(), 0.0}});
    simulator.add(BallJoint{.bodies = {link, before}, .point = {k * pitch, 0.0, 0.0}});
    before = link;
  }
  return simulator;
}

RigidSimulator driven_hinges(int arms, std::uint64_t seed) {
  const Vector3d half(0.3, 0.05, 0.05);
  RigidSimulator simulator;
  Random random(seed);
  for (int k = 0; k < arms; ++k) {
    const Vector3d centre(0.0, k, 1.0);
    const int arm = simulator.add(Body{.shape = BoxShape{half}, .mass = 2.0, .position = centre});
    const double torque = random.uniform(0.5, 1.0);
    const double stop = random.uniform(1.0, 3.0);
    simulator.add(Hinge{.bodies = {arm, -1},
                        .point = centre,
                        .axis = Vector3d::UnitZ(),
                        .upper = stop,
                        .motor = {.speed = 4.0, .torque = torque}});
  }
  return simulator;
}

RigidSimulator boxes_on_belt(int boxes, std::uint64_t seed) {
  const Vector3d half(0.2, 0.15, 0.1);
  RigidSimulator simulator({.mu = 0.3});
  Random random(seed);
  simulator.add(Body{.shape = PlaneShape{}, .velocity = {1.5, 0.0, 0.0}, .belt = true});
  for (int k = 0; k < boxes; ++k) {
    const double height = half.z() + random.uniform(0.0, 0.05);
    const double direction = random.uniform(-std::numbers::pi, std::numbers::pi);
    simulator.add(Body{.shape = BoxShape{half},
                       .mass = 3.0,
                       .position = {0.0, static_cast<double>(k), height},
                       .orientation = Quaterniond(AngleAxisd(direction, Vector3d::UnitZ()))});
  }
  return simulator;
}

}  // namespace slipstick::internal
