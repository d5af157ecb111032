// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Scenes that stand for long, or swing: how far they move, what they gain, and what a step costs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::bench {
namespace {

struct Case {
  std::string name;
  Scene scene;
  double duration;  // s
};

// 100 links of 0.25 kg carry 500 kg, and begin to swing at 53 degrees from the vertical.
Scene swinging_chain() {
  Scene scene;
  const Eigen::Vector3d end(8.0, 0.0, -6.0);
  scene.shapes.push_back({.name = "box", .geometry = BoxShape{Eigen::Vector3d::Constant(0.4)}});
  scene.bodies.push_back({.name = "box",
                          .shapes = {{.shape = 0}},
                          .mass = 500.0,
                          .position = end - Eigen::Vector3d(0.0, 0.0, 0.2)});
  scene.cables.push_back({.name = "chain",
                          .bodies = {-1, 0},
                          .points = {Eigen::Vector3d::Zero(), end},
                          .links = 100,
                          .mass = 25.0,
                          .joint = JointKind::universal});
  return scene;
}

// tan(angle) in degrees.
double slope(double tangent) {
  return std::atan(tangent) * 180.0 / std::numbers::pi;
}

std::vector<Case> all_cases() {
  const auto stack = [](const SceneParameters& parameters) { return make_scene("stack", parameters); };
  const auto arch = [](double share) {
    return make_scene("arch", {{"voussoirs", 31}, {"thickness", share * 0.1075}});
  };
  return {
      {"stack", stack({}), 10.0},
      {"stack with gaps", stack({{"gap", 1e-3}}), 10.0},
      {"jittered stack", stack({{"jitter", 0.1}}), 10.0},
      {"jittered stack with gaps", stack({{"jitter", 0.1}, {"gap", 1e-3}}), 10.0},
      {"stack below 1000 kg", stack({{"top_mass", 1000.0}}), 10.0},
      {"1000 to 1", stack({{"boxes", 2}, {"top_mass", 1000.0}}), 60.0},
      {"wall", make_scene("wall", {{"courses", 10}, {"bricks", 20}, {"speed", 0.0}, {"aim", 0.0}}), 10.0},
      {"cards", make_scene("cards"), 60.0},
      {"incline", make_scene("incline", {{"angle", slope(0.999 * 0.3)}, {"direction", 30.0}}), 60.0},
      {"thick arch", arch(1.03), 10.0},
      {"thin arch", arch(0.97), 2.0},
      {"chain", swinging_chain(), 5.0},
  };
}

// The change of the energy in a step.
double works(const EnergyRecord& energy) {
  return energy.contact + energy.friction + energy.joints + energy.motors + energy.motions +
         energy.stabilization + energy.stiffness + energy.unexplained;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class StandStudy {
 public:
  StandStudy(const StandStudyOptions& options, const Case& chosen, std::FILE* csv)
      : case_(chosen), csv_(csv), world_(case_.scene), tolerance_(options.tolerance) {
    for (int k = 0; k < world_.bodies(); ++k) start_.push_back(world_.body(k));
    settled_ = start_;
  }

  void run() {
    Driver driver({.settings = {.tolerance = tolerance_}, .friction = FrictionLaw::coulomb});
    const auto steps = std::llround(case_.duration / case_.scene.step);
    const auto settled_after = std::llround(1.0 / case_.scene.step);
    double first_energy = 0.0, energy = 0.0, gain = 0.0;
    for (std::int64_t step = 1; step <= steps; ++step) {
      const StepRecord& record = world_.step(driver);
      milliseconds_.push_back(1e3 * record.seconds);
      flagged_ += record.flagged;
      joint_error_ = std::max(joint_error_, record.joint_error);
      const double total = record.energy.kinetic + record.energy.potential;
      if (step == 1) first_energy = total - works(record.energy);
      energy = std::max(energy, record.energy.kinetic + std::abs(record.energy.potential));
      gain = std::max(gain, total - first_energy);
      if (10 * step > 9 * steps) {
        factorizations_ += record.factorizations;
        iterations_ += record.iterations;
      }
      if (step == settled_after)
        for (int k = 0; k < world_.bodies(); ++k) settled_[static_cast<std::size_t>(k)] = world_.body(k);
      if (step % 16 == 0 && isatty(STDERR_FILENO) != 0)
        fmt::print(stderr, "\r\033[K{}: step {} of {}", case_.name, step, steps);
    }
    gain_ = energy > 0.0 ? gain / energy : 0.0;
    print();
  }

 private:
  void print() const {
    double moved = 0.0, sideways = 0.0, turned = 0.0, crept = 0.0;
    int bodies = 0;
    for (int k = 0; k < world_.bodies(); ++k) {
      if (world_.scene().bodies[static_cast<std::size_t>(k)].kind != BodyKind::movable) continue;
      ++bodies;
      const BodyState now = world_.body(k);
      const BodyState &before = start_[static_cast<std::size_t>(k)],
                      &settled = settled_[static_cast<std::size_t>(k)];
      const Eigen::Vector3d way = now.position - before.position;
      moved = std::max(moved, way.norm());
      sideways = std::max(sideways, way.head<2>().norm());
      turned = std::max(turned, now.orientation.angularDistance(before.orientation));
      crept = std::max(crept, (now.position - settled.position).norm());
    }
    fmt::print(csv_, "{},{},{},{:.4f},{:.4f},{:.2e},{:.2e},{:.2e},{:.2e},{:.2e},{:.2e},{},{},{}\n",
               case_.name, bodies, world_.steps(), median(milliseconds_),
               *std::max_element(milliseconds_.begin(), milliseconds_.end()), moved, sideways, turned, crept,
               joint_error_, gain_, flagged_, factorizations_, iterations_);
    std::fflush(csv_);
  }

  Case case_;
  std::FILE* csv_;
  World world_;
  double tolerance_;
  std::vector<BodyState> start_, settled_;
  std::vector<double> milliseconds_;
  double joint_error_ = 0.0, gain_ = 0.0;
  std::int64_t flagged_ = 0, factorizations_ = 0, iterations_ = 0;
};

}  // namespace

void run_stand_study(const StandStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# Coulomb's law; tolerance {:g} for every island\n", options.tolerance);
  fmt::print(csv, "{}\n", report::stand_header);
  const std::vector<Case> cases = all_cases();
  for (const std::string& name : options.cases) {
    if (std::none_of(cases.begin(), cases.end(), [&](const Case& one) { return one.name == name; }))
      fail("there is no case '{}'", name);
  }
  for (const Case& one : cases) {
    const bool chosen = options.cases.empty() || std::find(options.cases.begin(), options.cases.end(),
                                                           one.name) != options.cases.end();
    if (chosen) StandStudy(options, one, csv).run();
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
