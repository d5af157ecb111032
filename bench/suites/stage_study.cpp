// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What every stage of the chain of `auto` under Coulomb's law is worth. It shows the islands that a stage
// takes and solves, and what the chain does without it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/suites/contact_problems.hpp"
#include "bench/suites/study.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

namespace slipstick::internal::bench {
namespace {

struct StageRun {
  Result result;
  std::vector<Attempt> attempts;
  double seconds = std::numeric_limits<double>::infinity();
};

// By the chain without the stages of these numbers.
StageRun run_without(const std::vector<int>& stages, const LocalContactProblem& problem,
                     const Settings& settings, const WarmStart* start, int repetitions) {
  CoulombSolver solver([&stages] {
    CoulombSolver::Chain chain = automatic_coulomb_chain();
    for (const int stage : stages)
      chain.at(static_cast<std::size_t>(stage)).takes = [](const auto&) { return false; };
    return chain;
  });
  StageRun run;
  for (int k = 0; k < repetitions; ++k) {
    const double before = processor_seconds();
    solver.solve(problem, settings, run.result, start);
    run.seconds = std::min(run.seconds, processor_seconds() - before);
    if (run.seconds > 0.05) break;
  }
  run.attempts.assign(solver.attempts().begin(), solver.attempts().end());
  return run;
}

// The solution to 1e-6 of a problem whose load differs by about `drift` times itself.
WarmStart nearby_start(LocalContactProblem problem, double drift, const StageStudyOptions& options) {
  Random random(1);
  for (double& value : problem.q) value *= 1.0 + drift * random.normal();
  const Settings settings{.tolerance = 1e-6, .time_limit = options.time_limit};
  return {run_without(options.without, problem, settings, nullptr, 1).result.r};
}

}  // namespace

void run_stage_study(const StageStudyOptions& options, std::FILE* csv) {
  fmt::print(csv,
             "# both rulers; seconds of the processor, best of {}; time limit {:g} s; drift 0: no start\n",
             options.repetitions, options.time_limit);
  fmt::print(csv, "{}\n", report::stage_header);
  const CoulombSolver::Chain chain = automatic_coulomb_chain();
  const auto table_of = [&](const NamedContacts& problem) {
    std::string lines;
    for (const double tolerance : options.tolerances) {
      const Settings settings{.tolerance = tolerance, .time_limit = options.time_limit};
      for (const double drift : options.drifts) {
        const WarmStart start = drift > 0.0 ? nearby_start(problem.problem, drift, options) : WarmStart();
        const WarmStart* given = drift > 0.0 ? &start : nullptr;
        const StageRun whole =
            run_without(options.without, problem.problem, settings, given, options.repetitions);
        for (const Attempt& attempt : whole.attempts) {
          const auto stage = std::find_if(chain.begin(), chain.end(), [&](const CoulombSolver::Stage& row) {
            return row.method().name() == attempt.solver && row.reason == attempt.reason;
          });
          const auto number = static_cast<int>(stage - chain.begin());
          std::vector<int> stages = options.without;
          stages.push_back(number);
          const StageRun without = run_without(stages, problem.problem, settings, given, options.repetitions);
          lines += fmt::format("{},{},{},{:g},{:g},{},{},\"{}\",{},{},{},{:d},{:.3e},{:d},{:.3e}\n",
                               problem.family, problem.name, problem.problem.contacts(), tolerance, drift,
                               number, attempt.solver, attempt.reason, attempt.islands,
                               attempt.solved_islands, attempt.iterations, whole.result.solved(),
                               whole.seconds, without.result.solved(), without.seconds);
        }
      }
    }
    return lines;
  };
  std::vector<NamedContacts> problems = contact_problems(options.folder, options.seed);
  std::erase_if(problems,
                [&](const NamedContacts& p) { return p.problem.contacts() > options.most_contacts; });
  write_tables(problems, options.jobs, table_of, csv);
}

}  // namespace slipstick::internal::bench
