// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Generated problems with bounds and a known solution, over sizes, conditions, degeneracy and rank
// deficiency.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "slipstick/catalog/driver.hpp"
#include "slipstick/problems/generators.hpp"
#include "study.hpp"

namespace slipstick::bench {
namespace {

struct Shape {
  const char* name;
  double degenerate;  // share of the active rows
  double deficient;   // zero eigenvalues per row
};
constexpr Shape shapes[] = {
    {"regular", 0.0, 0.0}, {"degenerate", 0.3, 0.0}, {"deficient", 0.0, 0.1}, {"both", 0.3, 0.1}};

KnownProblem make_problem(const std::string& family, Index rows, double condition, const Shape& shape,
                          std::uint64_t seed) {
  RandomBoxOptions options;
  options.rows = rows;
  options.condition = condition;
  options.degenerate = shape.degenerate;
  options.rank_deficiency = static_cast<Index>(shape.deficient * static_cast<double>(rows));
  options.seed = seed;
  if (family == "lcp") return random_lcp(options);
  options.free = 0.1;
  options.two_sided = 0.3;
  options.fixed = 0.02;
  return random_box(options);
}

// ||A (x - x*)|| / max(||b||, ||A x*||): the distance to the known solution where solutions agree.
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
  fmt::print(csv, "# tolerance {:g} of the scaled natural map, {:g} s per solve\n", options.tolerance,
             options.time_limit);
  fmt::print(csv,
             "family,shape,rows,condition,solver,status,seconds,iterations,products,error,disagreement\n");
  int problems = 0, solved = 0, solves = 0;
  for (const std::string& family : options.families) {
    for (const int rows : options.rows) {
      for (const double condition : options.conditions) {
        for (const Shape& shape : shapes) {
          const KnownProblem known = make_problem(family, rows, condition, shape, options.seed);
          ++problems;
          for (const std::string& solver : options.solvers) {
            if (isatty(STDERR_FILENO) != 0) {
              fmt::print(stderr, "\r\033[K{} {} rows, condition {:g}, {}: {}", family, rows, condition,
                         shape.name, solver);
            }
            SolveRequest request;
            request.solver = solver;
            request.settings.tolerance = options.tolerance;
            request.settings.time_limit = options.time_limit;
            const Result result = solve(AnyProblem(known.problem), request);
            ++solves;
            solved += result.solved();
            fmt::print(csv, "{},{},{},{:g},{},{},{:.6f},{},{},{:.3e},{:.3e}\n", family, shape.name, rows,
                       condition, solver, name(result.status), result.seconds, result.counts.iterations,
                       result.counts.products, result.measures.scaled_natural_map,
                       disagreement(known, result.x));
            std::fflush(csv);
          }
        }
      }
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  fmt::print(csv, "# {} problems, {} of {} solves to the tolerance\n", problems, solved, solves);
}

}  // namespace slipstick::bench
