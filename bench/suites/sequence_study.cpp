// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What warm starts are worth, with and without factorizations. In a sequence of problems the matrix stays and
// the load drifts, as in the steps of a simulation.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/suites/study.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/uic.hpp"

namespace slipstick::internal::bench {
namespace {

// Problem k has the load from(k) first + to(k) second.
struct Sequence {
  Problem problem;
  Vector first, second;
  bool turns = false;  // from the first load to the second by an angle; else in a straight line

  void set_load(double drift) {
    const double from = turns ? std::cos(drift) : 1.0 - drift;
    const double to = turns ? std::sin(drift) : drift;
    problem.b = from * first + to * second;
  }
};

// From one heap of grains to another; the matrix is that of the domain, whatever the heap.
Sequence pressure(int dimension, int resolution) {
  UicOptions options{.dimension = dimension, .resolution = resolution};
  Sequence sequence;
  sequence.problem = uic_pressure(options);
  sequence.first = sequence.problem.b;
  options.seed = 2;
  sequence.second = uic_pressure(options).b;
  return sequence;
}

// Smooth spheres in a cylinder that is tilted: the weight turns from down to sideways.
Sequence packing(int spheres) {
  GlobalContactProblem global = sphere_packing({.spheres = spheres});
  Sequence sequence;
  sequence.turns = true;
  sequence.problem = impulse_problem(CondensedProblem(global).local(), FrictionLaw::none).problem;
  sequence.problem.A = Operator(sequence.problem.A.assemble());
  sequence.first = sequence.problem.b;
  for (Index body = 0; body < global.f.size(); body += 6) std::swap(global.f[body], global.f[body + 2]);
  sequence.second = impulse_problem(CondensedProblem(global).local(), FrictionLaw::none).problem.b;
  return sequence;
}

Sequence make_sequence(const std::string& family, int size) {
  if (family == "packing") return packing(size);
  return pressure(family == "uic2d" ? 2 : 3, size);
}

// One method on its way through the sequence, and what it did, added up.
struct Contestant {
  std::string text;
  bool cold = false;
  std::unique_ptr<Solver> solver;
  WarmStart start;
  Result result;
  std::vector<double> seconds;  // per problem, the best
  std::int64_t solved = 0, iterations = 0, factorizations = 0, products = 0;
  double worst_error = 0.0;
};

std::vector<Contestant> make_contestants(const SequenceStudyOptions& options) {
  std::vector<Contestant> list;
  for (const std::string& text : options.methods) {
    Contestant contestant;
    contestant.text = text;
    contestant.cold = text.rfind("cold ", 0) == 0;
    contestant.seconds.assign(static_cast<std::size_t>(options.problems),
                              std::numeric_limits<double>::infinity());
    list.push_back(std::move(contestant));
  }
  return list;
}

// Rows that are at a bound in one of the two and not in the other.
Index changed_rows(const ProductSet& K, const Vector& before, const Vector& after) {
  Index count = 0;
  for (Index i = 0; i < before.size(); ++i) {
    const auto inside = [&](const Vector& x) { return x[i] > K.lower()[i] && x[i] < K.upper()[i]; };
    count += inside(before) != inside(after);
  }
  return count;
}

void take_turn(Contestant& contestant, const Sequence& sequence, int problem,
               const SequenceStudyOptions& options, bool counts) {
  const Settings settings{.tolerance = options.tolerance, .time_limit = options.time_limit};
  const WarmStart* start = contestant.cold || problem == 0 ? nullptr : &contestant.start;
  const double before = processor_seconds();
  contestant.solver->solve(sequence.problem, settings, contestant.result, start);
  double& best = contestant.seconds[static_cast<std::size_t>(problem)];
  best = std::min(best, processor_seconds() - before);
  contestant.start.x = contestant.result.x;
  if (!counts) return;
  contestant.solved += contestant.result.solved();
  contestant.iterations += contestant.result.counts.iterations;
  contestant.factorizations += contestant.result.counts.factorizations;
  contestant.products += contestant.result.counts.products;
  contestant.worst_error = std::max(contestant.worst_error, contestant.result.measures.scaled_natural_map);
}

}  // namespace

void run_sequence_study(const SequenceStudyOptions& options, std::FILE* csv) {
  fmt::print(
      csv,
      "# {} problems, the load drifting by {:g} each time; tolerance {:g} of the scaled natural map; best "
      "of {} for each problem, seconds of the processor without the first problem\n",
      options.problems, options.drift, options.tolerance, options.repetitions);
  fmt::print(csv, "{}\n", report::sequence_header);
  for (const std::string& family : options.families) {
    std::vector<int> sizes = options.sizes;
    if (sizes.empty())
      sizes = family == "packing" ? std::vector{300, 1000}
              : family == "uic2d" ? std::vector{64, 128}
                                  : std::vector{16, 24};
    for (const int size : sizes) {
      Sequence sequence = make_sequence(family, size);
      std::vector<Contestant> contestants = make_contestants(options);
      Index changed = 0;
      for (int repetition = 0; repetition < options.repetitions; ++repetition) {
        for (Contestant& contestant : contestants)
          contestant.solver = make_method(contestant.cold ? contestant.text.substr(5) : contestant.text);
        Vector last;
        for (int k = 0; k < options.problems; ++k) {
          if (isatty(STDERR_FILENO) != 0)
            fmt::print(stderr, "\r\033[K{} {}: turn {}, problem {}", family, size, repetition + 1, k + 1);
          sequence.set_load(k * options.drift);
          // Another one goes first each time.
          for (std::size_t m = 0; m < contestants.size(); ++m)
            take_turn(contestants[(m + static_cast<std::size_t>(k)) % contestants.size()], sequence, k,
                      options, repetition == 0);
          if (repetition == 0 && last.size() > 0)
            changed += changed_rows(sequence.problem.K, last, contestants.front().result.x);
          last = contestants.front().result.x;
        }
      }
      for (const Contestant& contestant : contestants) {
        double seconds = 0.0;
        for (std::size_t k = 1; k < contestant.seconds.size(); ++k) seconds += contestant.seconds[k];
        fmt::print(
            csv, "{},{},{},{:.1f},{},{},{},{:.6f},{:.6f},{},{},{},{:.2e}\n", family, size,
            sequence.problem.b.size(), static_cast<double>(changed) / std::max(1, options.problems - 1),
            contestant.cold ? contestant.text.substr(5) : contestant.text, contestant.cold ? "cold" : "warm",
            contestant.solved, seconds, contestant.seconds.front(), contestant.iterations,
            contestant.factorizations, contestant.products, contestant.worst_error);
      }
      std::fflush(csv);
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
