// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-iteration: what an iteration of apgd costs on packings of spheres, matrix-free, against a copy of
// the bytes that it has to move, as CSV.
//
// Bytes that an iteration must move, with vectors of n = 3 contacts doubles:
//   product A x+        bytes_per_product() of the Delassus operator, its two vectors included
//   the pass before it  read x, A x, b, previous x and gradient, D; write gradient, y, g(y), x+    10 x 8 n
//   the pass after it   read x+, y, A x+: the step test and the ray                                 3 x 8 n
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/micro/copy.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/solvers/projected/apgd.hpp"

namespace slipstick::internal::bench {
namespace {

double iteration_bytes(const Problem& problem) {
  return problem.A.bytes_per_product() + (10.0 + 3.0) * 8.0 * static_cast<double>(problem.b.size());
}

// The gaps between the calls of an observer, with a copy in each.
class Gaps : public Observer {
 public:
  Gaps(Copy& copy, int threads) : copy_(copy), threads_(threads) {}
  bool observe(const Iteration& iteration) override {
    const double gap = timer_.seconds();
    const double copied = seconds_of([&] { copy_(threads_); });
    if (iteration.number > warm_up) best.add(gap, copied);
    timer_ = Timer();
    return true;
  }
  Versus best;

 private:
  static constexpr int warm_up = 3;
  Copy& copy_;
  int threads_;
  Timer timer_;
};

struct IterationOptions {
  std::vector<Index> spheres = {3500, 35000, 350000};
  int iterations = 40;
  std::vector<int> threads = {1, 2};
};

int run(int argc, char** argv) {
  IterationOptions options;
  CLI::App app("The time of an iteration of apgd against a copy of the bytes that it moves, in turns");
  app.add_option("--spheres", options.spheres, "of the packings; about three contacts each")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--iterations", options.iterations, "the shortest counts")->capture_default_str();
  app.add_option("--threads", options.threads, "numbers of threads")->delimiter(',')->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  fmt::print("{}\n", report::iteration_header);
  for (const Index spheres : options.spheres) {
    const GlobalContactProblem global = sphere_packing({.spheres = spheres});
    const Problem problem = impulse_problem(CondensedProblem(global).local(), FrictionLaw::convex).problem;
    const double bytes = iteration_bytes(problem);
    Copy copy(bytes);
    for (const int threads : options.threads) {
      Apgd solver;
      Result result;
      Gaps gaps(copy, threads);
      solver.solve(problem, {.tolerance = 0.0, .max_iterations = options.iterations, .threads = threads},
                   result, nullptr, &gaps);
      fmt::print("{},{},{:.0f},{:.6e},{:.6e},{:.2f},{:.3f}\n", global.contacts(), threads, bytes,
                 gaps.best.seconds, gaps.best.copy_seconds,
                 1e9 * gaps.best.seconds / static_cast<double>(global.contacts()),
                 gaps.best.copy_seconds / gaps.best.seconds);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
