// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "slipstick/scene.hpp"
#include "slipstick/sim/collision/nearest.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal {

inline constexpr double earth = 9.81;  // gravity

/// A scene for a test, body by body. What add() returns is valid until the next one.
struct SmallScene : Scene {
  explicit SmallScene(double mu = 0.5) {
    materials[0].friction = mu;
    gravity = {0.0, 0.0, -earth};
  }

  int shape(ShapeGeometry geometry) {
    const int number = static_cast<int>(shapes.size());
    shapes.push_back({.name = "shape " + std::to_string(number), .geometry = std::move(geometry)});
    return number;
  }
  BodySpec& add(BodySpec body) {
    body.name = "body " + std::to_string(bodies.size());
    return bodies.emplace_back(std::move(body));
  }
  BodySpec& add(ShapeGeometry geometry, double mass, const Eigen::Vector3d& position = {0.0, 0.0, 0.0},
                const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity()) {
    return add({.shapes = {{.shape = shape(std::move(geometry))}},
                .mass = mass,
                .position = position,
                .orientation = orientation});
  }
  /// A body without a shape, with principal moments of inertia.
  BodySpec& add(double mass, const Eigen::Vector3d& moments) {
    return add({.mass = mass, .inertia = Eigen::Matrix3d(moments.asDiagonal())});
  }
  BodySpec& add_fixed(ShapeGeometry geometry, const Eigen::Vector3d& position = {0.0, 0.0, 0.0},
                      const Eigen::Quaterniond& orientation = Eigen::Quaterniond::Identity()) {
    return add({.kind = BodyKind::fixed,
                .shapes = {{.shape = shape(std::move(geometry))}},
                .position = position,
                .orientation = orientation});
  }
  BodySpec& add_moved(ShapeGeometry geometry, Motion motion) {
    return add({.kind = BodyKind::moved,
                .shapes = {{.shape = shape(std::move(geometry))}},
                .motion = std::move(motion)});
  }
};

/// Without Bullet, expects that no world is made of the scene, and returns true.
inline bool is_refused_without_bullet(const Scene& scene) {
  if (has_bullet()) return false;
  const std::string message = message_of([&] { World world(scene); });
  EXPECT_TRUE(message.ends_with("; it needs Bullet")) << message;
  return true;
}

inline Driver driver_of(double tolerance = 1e-12, FrictionLaw law = FrictionLaw::coulomb) {
  return Driver({.settings = {.tolerance = tolerance}, .friction = law});
}

/// Solves exactly, but says of one call that its answer is far off.
class OneFailure : public StepSolver {
 public:
  explicit OneFailure(int call) : call_(call) {}
  void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start,
             Observer* observer) override {
    driver_.solve(problem, result, start, observer);
    if (++calls_ != call_) return;
    result.status = Status::stalled;
    for (IslandReport& island : result.islands) {
      island.status = Status::stalled;
      island.error = 1.0;
    }
  }
  int calls() const { return calls_; }

 private:
  Driver driver_ = driver_of();
  int call_, calls_ = 0;
};

/// A step that the solver solves.
inline const StepRecord& solved_step(World& world, StepSolver& solver, double time_step) {
  const StepRecord& record = world.step(time_step, solver);
  EXPECT_FALSE(record.flagged) << "step " << record.number << ": " << world.result().message;
  return record;
}

inline double energy_of(const StepRecord& record) {
  return record.energy.kinetic + record.energy.potential;
}

/// The impulses of all contacts of the last step on their first bodies, out of the second ones.
inline double normal_impulse(const World& world) {
  Frame frame;
  world.fill(frame);
  double sum = 0.0;
  for (const ContactRecord& contact : frame.contacts) sum += contact.normal.dot(contact.impulse);
  return sum;
}

/// The impulse of the first row of a key in the last step. 0 without rows.
inline double impulse_of(const World& world, std::uint64_t key) {
  const Index row = world.problem().first_row(key);
  return row < 0 ? 0.0 : world.result().r[row];
}

}  // namespace slipstick::internal
