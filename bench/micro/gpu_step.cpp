// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Where the time of a simulated step goes: spheres at rest in a bucket, contacts solved on a CUDA device or
// on the host. Writes CSV, a line per step.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/base/timer.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/scene_builder.hpp"
#include "slipstick/sim/collision/broad_phase.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

using namespace slipstick;
using namespace slipstick::internal;

namespace {

struct StepBench {
  std::vector<double> contacts = {1e4, 1e5, 1e6};
  std::vector<std::string> collision = {"host", "device"};
  std::string solver = "apgd-cuda";
  double tolerance = 1e-3;
  int threads = 1, steps = 3;
};

// Spheres that were dropped one by one into a square bucket. Each rests on three others or on the walls.
Scene bucket_at_rest(Index spheres, double friction) {
  constexpr double radius = 0.01, packed_share = 0.58;
  const double half = std::cbrt(static_cast<double>(spheres) * std::numbers::pi / (6.0 * packed_share));
  Scene scene;
  scene.gravity = {0.0, 0.0, -9.81};
  scene.step = 1e-3;
  scene.law = FrictionLaw::convex;
  SceneBuilder builder(scene, "glass", friction, 2500.0);
  builder.ground();
  const double width = 2.0 * half * radius;
  builder.square_bucket(width, 2.0 * width);
  const int shape = builder.shape("sphere", SphereShape{radius});
  const PackingOptions options{
      .spheres = spheres, .bucket = true, .container_radius = half, .radius_spread = 0.0};
  int number = 0;
  for (const Sphere& sphere : packed_spheres(options, radius))
    scene.bodies.push_back({.name = fmt::format("sphere {}", number++),
                            .shapes = {{.shape = shape}},
                            .position = sphere.centre});
  return scene;
}

class TimedPairs : public PairFinder {
 public:
  explicit TimedPairs(bool on_device)
      : finder_(on_device ? make_device_pair_finder() : std::make_unique<BroadPhase>()) {}
  void find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) override {
    const Timer timer;
    finder_->find(boxes, pairs);
    seconds += timer.seconds();
  }
  double seconds = 0.0;

 private:
  std::unique_ptr<PairFinder> finder_;
};

// The driver, timed. The first solve of a step is that of its contacts, others project positions.
class TimedSolver : public StepSolver, public Observer {
 public:
  explicit TimedSolver(SolveRequest request) : driver_(std::move(request)) {}
  void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start, Observer*) override {
    clock_ = {};
    first_ = last_ = -1.0;
    driver_.solve(problem, result, start, this);
    if (solves++ > 0) {
      projection += clock_.seconds();
      return;
    }
    prepare = std::max(first_, 0.0);
    iterate = last_ - first_;
    finish = clock_.seconds() - last_;
    iterations = result.counts.iterations;
    status = result.status;
  }
  bool observe(const Iteration&) override {
    last_ = clock_.seconds();
    if (first_ < 0.0) first_ = last_;
    return true;
  }
  bool reads_iterate() const override { return false; }

  int solves = 0;
  double prepare = 0.0, iterate = 0.0, finish = 0.0, projection = 0.0;
  std::int64_t iterations = 0;
  Status status = Status::not_run;

 private:
  Driver driver_;
  Timer clock_;
  double first_ = 0.0, last_ = 0.0;
};

void run(const StepBench& bench, const Scene& scene, const std::string& collision) {
  const auto pairs = std::make_shared<TimedPairs>(collision == "device");
  World world(scene, pairs);
  TimedSolver solver({.settings = {.tolerance = bench.tolerance, .threads = bench.threads},
                      .solver = bench.solver,
                      .friction = scene.law});
  for (int step = 1; step <= bench.steps; ++step) {
    solver.solves = 0;
    solver.projection = pairs->seconds = 0.0;
    const Timer timer;
    world.prepare(scene.step, solver);
    const double before = timer.seconds(), near = pairs->seconds;
    world.advance(solver);
    const double all = timer.seconds();
    const double solve = solver.prepare + solver.iterate + solver.finish;
    fmt::print("{},{},{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n",
               device_info().usable() ? device_info().name : "none", bench.solver, collision, bench.threads,
               world.record().contacts, world.bodies(), step, solver.iterations, name(solver.status), near,
               before - near, solver.prepare, solver.iterate, solver.finish, solver.projection,
               all - before - solve - solver.projection, all);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Seconds of the parts of a simulated step, as CSV");
  StepBench bench;
  app.add_option("--contacts", bench.contacts, "Numbers of contacts, roughly")->delimiter(',');
  app.add_option("--collision", bench.collision, "host, device")->delimiter(',');
  app.add_option("--solver", bench.solver, "Method");
  app.add_option("--tolerance", bench.tolerance, "Of the method");
  app.add_option("--threads", bench.threads, "Threads");
  app.add_option("--steps", bench.steps, "Steps, the first without a start");
  CLI11_PARSE(app, argc, argv);
  fmt::print("{}\n", report::gpu_step_header);
  constexpr double contacts_per_sphere = 3.2;
  try {
    for (const double contacts : bench.contacts) {
      const Scene scene = bucket_at_rest(static_cast<Index>(contacts / contacts_per_sphere), 0.3);
      for (const std::string& collision : bench.collision) run(bench, scene, collision);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
