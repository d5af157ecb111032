// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Melanz 2015, "Numerical Results": first-order and interior point methods on spheres in a bucket. It shows
// what preconditioning with SPIKE gains, and how the time grows with the size.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "bench/suites/packing_problem.hpp"
#include "bench/suites/study.hpp"
#include "slipstick/catalog/catalog.hpp"

namespace slipstick::internal::bench {
namespace {

// What the turns of one method on one problem came to.
struct Turns {
  int taken = 0;
  double seconds = std::numeric_limits<double>::infinity();  // the best
  Result last;
};

// The methods take turns, every time with a new solver object. One that does not solve the problem in its
// first turn gets no other.
std::vector<Turns> take_turns(const PackingProblem& packing, const MelanzStudyOptions& options,
                              double tolerance) {
  std::vector<Turns> all(options.methods.size());
  for (int turn = 0; turn < options.repetitions; ++turn) {
    for (std::size_t m = 0; m < options.methods.size(); ++m) {
      Turns& turns = all[m];
      if (turn > 0 && !turns.last.solved()) continue;
      if (isatty(STDERR_FILENO) != 0)
        fmt::print(stderr, "\r\033[K{} contacts, {:g}: {}", packing.contacts, tolerance, options.methods[m]);
      const std::unique_ptr<Solver> solver = make_method(options.methods[m]);
      const double start = processor_seconds();
      solver->solve(packing.problem,
                    {.tolerance = tolerance,
                     .max_iterations = std::numeric_limits<int>::max(),
                     .time_limit = options.time_limit},
                    turns.last);
      turns.seconds = std::min(turns.seconds, processor_seconds() - start);
      ++turns.taken;
    }
  }
  return all;
}

}  // namespace

void run_melanz_study(const MelanzStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# best of {} turns, seconds of the processor; {:g} s per solve; friction {:g}\n",
             options.repetitions, options.time_limit, options.friction);
  fmt::print(csv, "{}\n", report::melanz_header);
  for (const int spheres : options.spheres) {
    const PackingProblem packing = packing_problem({.spheres = spheres,
                                                    .bucket = true,
                                                    .friction = options.friction,
                                                    .time_step = 1e-3,
                                                    .seed = options.seed});
    for (const double tolerance : options.tolerances) {
      const std::vector<Turns> all = take_turns(packing, options, tolerance);
      for (std::size_t m = 0; m < all.size(); ++m) {
        const Result& result = all[m].last;
        fmt::print(csv, "{},{},{:g},{},{},{},{:.6f},{},{},{},{:.3e}\n", spheres, packing.contacts, tolerance,
                   options.methods[m], name(result.status), all[m].taken, all[m].seconds,
                   result.counts.iterations, result.counts.products, result.counts.factorizations,
                   result.measures.scaled_natural_map);
      }
      std::fflush(csv);
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
