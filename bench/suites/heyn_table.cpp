// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "bench/suites/packing_problem.hpp"
#include "bench/suites/study.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/catalog.hpp"

namespace slipstick::internal::bench {
namespace {

// Stops a method when its objective has reached a value. The time of this check does not count as the
// method's.
class Until : public Observer {
 public:
  Until(const Problem& problem, double objective)
      : problem_(problem), objective_(objective), product_(problem.b.size()) {}
  bool observe(const Iteration& iteration) override {
    const Timer timer;
    problem_.A.multiply(iteration.x, product_);
    reached = iteration.x.dot(0.5 * product_ + problem_.b);
    iterations = iteration.number;
    seconds = iteration.seconds - spent_;
    spent_ += timer.seconds();
    return reached > objective_;
  }
  int iterations = 0;
  double seconds = 0.0;
  double reached = 0.0;

 private:
  const Problem& problem_;
  double objective_;
  Vector product_;
  double spent_ = 0.0;
};

// One method's run; the fastest of several stays.
struct Entry {
  std::string solver;
  int iterations = 0;
  double seconds = std::numeric_limits<double>::infinity();
  double objective = 0.0;

  void add(const Until& until) {
    iterations = until.iterations;
    objective = until.reached;
    seconds = std::min(seconds, until.seconds);
  }
};

}  // namespace

void run_heyn_table(const HeynTableOptions& options, std::FILE* csv) {
  const PackingProblem system = packing_problem(
      {.spheres = options.spheres, .radius_spread = 0.01, .friction = 0.0, .seed = options.seed});

  Entry sweeps = {.solver = "jacobi"};
  std::vector<Entry> entries;
  for (const std::string& solver : options.solvers) entries.push_back({.solver = solver});
  const auto run = [&](Entry& entry, double objective, int max_iterations) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}", entry.solver);
    Until until(system.problem, objective);
    Result result;
    make_solver(entry.solver)
        ->solve(system.problem,
                {.tolerance = 0.0, .max_iterations = max_iterations, .time_limit = options.time_limit},
                result, nullptr, &until);
    entry.add(until);
  };
  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    run(sweeps, -std::numeric_limits<double>::infinity(), options.sweeps);
    for (Entry& entry : entries) run(entry, sweeps.objective, 0);
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");

  fmt::print(csv, "# {} bodies, {} contacts without friction; best of {} in turns\n", options.spheres,
             system.contacts, options.repetitions);
  fmt::print(csv, "{}\n", report::heyn_header);
  entries.insert(entries.begin(), sweeps);
  for (const Entry& entry : entries) {
    fmt::print(csv, "{},{},{:.6f},{:.12e},{},{:.2f}\n", entry.solver, entry.iterations, entry.seconds,
               entry.objective, entry.objective <= sweeps.objective ? "yes" : "no",
               sweeps.seconds / entry.seconds);
  }
}

}  // namespace slipstick::internal::bench
