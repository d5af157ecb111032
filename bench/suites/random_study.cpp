// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Generated problems with bounds and a known solution, over sizes, conditions, degeneracy and rank
// deficiency.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "bench/suites/study.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

struct Shape {
  const char* name;
  double degenerate;  // share of the active rows
  double deficient;   // zero eigenvalues per row
};
constexpr Shape shapes[] = {
    {"regular", 0.0, 0.0}, {"degenerate", 0.3, 0.0}, {"deficient", 0.0, 0.1}, {"both", 0.3, 0.1}};

// One method on one problem.
struct Solve {
  std::string family;
  Index rows;
  double condition;
  Shape shape;
  std::string solver;
};

std::vector<Solve> all_solves(const RandomStudyOptions& options) {
  std::vector<Solve> solves;
  for (const std::string& family : options.families) {
    for (const int rows : options.rows) {
      for (const double condition : options.conditions) {
        for (const Shape& shape : shapes) {
          for (const std::string& solver : options.solvers) {
            solves.push_back({family, rows, condition, shape, solver});
          }
        }
      }
    }
  }
  return solves;
}

KnownProblem make_problem(const Solve& one, std::uint64_t seed) {
  RandomBoxOptions options{
      .rows = one.rows,
      .condition = one.condition,
      .rank_deficiency = static_cast<Index>(one.shape.deficient * static_cast<double>(one.rows)),
      .degenerate = one.shape.degenerate,
      .seed = seed};
  if (one.family == "lcp") return random_lcp(options);
  options.free = 0.1;
  options.two_sided = 0.3;
  options.fixed = 0.02;
  return random_box(options);
}

// ||A (x - x*)|| / max(||b||, ||A x*||): the distance to the known solution in a norm in which all solutions
// agree.
double disagreement(const KnownProblem& known, const Vector& x) {
  const Problem& problem = known.problem;
  Vector product(x.size());
  problem.A.multiply(known.x, product);
  const double scale = std::max(problem.b.norm(), product.norm());
  problem.A.multiply(x - known.x, product);
  return product.norm() == 0.0 ? 0.0 : product.norm() / scale;
}

}  // namespace

void run_random_study(const RandomStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# tolerance {:g} of the scaled natural map, {:g} s per solve; seconds of the processor\n",
             options.tolerance, options.time_limit);
  fmt::print(csv, "{}\n", report::random_header);
  std::vector<Solve> solves = all_solves(options);
  // The hardest come last in the lists, and must not be left to the end when several run side by side.
  if (options.jobs > 1) std::reverse(solves.begin(), solves.end());
  const auto count = static_cast<std::ptrdiff_t>(solves.size());
  std::ptrdiff_t solved = 0;
#pragma omp parallel for num_threads(options.jobs) schedule(dynamic, 1) reduction(+ : solved)
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const Solve& one = solves[static_cast<std::size_t>(k)];
    const KnownProblem known = make_problem(one, options.seed);
    SolveRequest request{.solver = one.solver};
    request.settings.tolerance = options.tolerance;
    request.settings.time_limit = options.time_limit;
    const double start = processor_seconds();
    const Result result = solve(AnyProblem(known.problem), request);
    const double seconds = processor_seconds() - start;
    solved += result.solved();
    const std::string line = fmt::format(
        "{},{},{},{:g},{},{},{:.6f},{},{},{:.3e},{:.3e}\n", one.family, one.shape.name, one.rows,
        one.condition, one.solver, name(result.status), seconds, result.counts.iterations,
        result.counts.products, result.measures.scaled_natural_map, disagreement(known, result.x));
#pragma omp critical
    {
      fmt::print(csv, "{}", line);
      std::fflush(csv);
      if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}", line.substr(0, line.size() - 1));
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  fmt::print(csv, "# {} of {} solves to the tolerance\n", solved, count);
}

}  // namespace slipstick::internal::bench
