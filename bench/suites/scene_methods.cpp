// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Methods on the same steps of the scenes of Ho 2022. The scene follows the answers of `auto`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "bench/suites/study.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::bench {
namespace {

SolveRequest request_for(const SceneStudyOptions& options, FrictionLaw law, const std::string& solver) {
  return {.settings = {.tolerance = scene_tolerance(options, law), .time_limit = options.step_limit},
          .solver = solver,
          .friction = law};
}

// A method that solves the problems beside the others.
struct Competitor {
  Competitor(const SceneStudyOptions& options, FrictionLaw law, const std::string& solver)
      : name(solver), driver(request_for(options, law, solver)) {}

  void solve(const World& world) {
    const Timer timer;
    driver.solve(world.problem(), result, &world.start());
    milliseconds.push_back(1e3 * timer.seconds());
    solved += result.solved() ? 1 : 0;
  }

  std::string name;
  Driver driver;
  DriverResult result;
  std::vector<double> milliseconds;
  int solved = 0;
};

void compare(const SceneStudyOptions& options, const std::string& scene_name, FrictionLaw law,
             std::FILE* csv) {
  std::vector<Competitor> competitors;
  for (const std::string& solver : options.solvers) competitors.emplace_back(options, law, solver);
  const Scene scene = make_scene(scene_name, {});
  World world(scene);
  Driver driver(request_for(options, law, "auto"));
  const int wanted = static_cast<int>(std::lround(options.duration / scene.step));
  const Timer timer;
  for (int step = 0; step < wanted && timer.seconds() < options.limit; ++step) {
    world.prepare(scene.step, driver);
    if (step % options.every == 0) {
      // Each method is the first one in its turn.
      const std::size_t first = static_cast<std::size_t>(step / options.every) % competitors.size();
      for (std::size_t k = 0; k < competitors.size(); ++k)
        competitors[(first + k) % competitors.size()].solve(world);
    }
    world.advance(driver);
    if (isatty(STDERR_FILENO) != 0)
      fmt::print(stderr, "\r\033[K{} {}: step {} of {}", scene_name, name(law), step + 1, wanted);
  }
  for (Competitor& competitor : competitors) {
    std::vector<double>& times = competitor.milliseconds;
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    std::sort(times.begin(), times.end());
    fmt::print(csv, "{},{},{},{:g},{},{},{},{:.3f},{:.3f},{:.1f}\n", scene_name, name(law), competitor.name,
               scene_tolerance(options, law), world.steps(), times.size(), competitor.solved,
               times[times.size() / 2], sum / static_cast<double>(times.size()), times.back());
  }
  std::fflush(csv);
}

}  // namespace

void run_scene_methods(const SceneStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# every {}th step in {:g} s or {:g} s of time; {:g} s for a solve\n", options.every,
             options.duration, options.limit, options.step_limit);
  fmt::print(csv, "{}\n", report::scene_methods_header);
  for (const std::string& scene : options.scenes)
    for (const std::string& law : options.laws) compare(options, scene, scene_law(law), csv);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
