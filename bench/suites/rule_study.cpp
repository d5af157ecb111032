// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What the rule of `auto` under Coulomb's law is fitted to (bench/fit-rule): the chains of many rules on
// problem files and generated families.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/io/files.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/packing.hpp"

namespace slipstick::bench {
namespace {

struct RuleProblem {
  std::string family, name;
  LocalContactProblem problem;
};

// Smaller ones take a path of their own.
constexpr Index fewest_contacts = 11;

// Files of one family have names that start with the same letters.
std::string family_of(const std::string& name) {
  const auto end = std::find_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalpha(c); });
  return {name.begin(), end};
}

void add(std::string family, std::string name, LocalContactProblem problem, std::vector<RuleProblem>& list) {
  if (problem.contacts() < fewest_contacts) return;
  list.push_back({std::move(family), std::move(name), std::move(problem)});
}

void read_files(const std::filesystem::path& folder, std::vector<RuleProblem>& list) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    try {
      const AnyProblem problem = read_problem(path).problem;
      const std::string name = path.stem().string();
      if (const auto* local = std::get_if<LocalContactProblem>(&problem)) {
        add(family_of(name), name, *local, list);
      } else if (const auto* global = std::get_if<GlobalContactProblem>(&problem)) {
        add(family_of(name), name, CondensedProblem(*global).local(), list);
      }
    } catch (const Error&) {  // not a problem
    }
  }
}

void generate(std::vector<RuleProblem>& list) {
  const auto add_global = [&](std::string family, std::string name, const GlobalContactProblem& problem) {
    add(std::move(family), std::move(name), CondensedProblem(problem).local(), list);
  };
  std::uint64_t seed = 1;
  for (const Index spheres : {20, 60, 150, 300}) {
    for (const double friction : {0.1, 0.2, 0.3, 0.5, 0.8}) {
      PackingOptions options;
      options.spheres = spheres;
      options.friction = friction;
      options.seed = seed++;
      add_global("packing", fmt::format("packing-{}-{}", spheres, friction), sphere_packing(options));
    }
  }
  for (const Index courses : {5, 15}) {
    for (const double friction : {0.2, 0.5}) {
      TowerOptions options;
      options.courses = courses;
      options.friction = friction;
      options.seed = seed++;
      add_global("tower", fmt::format("tower-{}-{}", courses, friction), brick_tower(options));
    }
  }
  for (const Index rocks : {10, 30, 60}) {
    for (const double friction : {0.2, 0.3, 0.5, 1.0}) {
      RocksOptions options;
      options.rocks = rocks;
      options.friction = friction;
      options.seed = seed++;
      add_global("rocks", fmt::format("rocks-{}-{}", rocks, friction), rock_pile(options));
    }
  }
}

std::vector<CoulombRule> candidates(const RuleStudyOptions& options) {
  std::vector<CoulombRule> rules(1);
  const auto vary = [&rules](const auto& values, const auto& set) {
    std::vector<CoulombRule> varied;
    for (CoulombRule rule : rules) {
      for (const auto& value : values) {
        set(rule, value);
        varied.push_back(rule);
      }
    }
    rules = std::move(varied);
  };
  vary(options.newton_steps, [](CoulombRule& rule, double steps) { rule.sweeps.newton_steps = steps; });
  vary(options.many_contacts, [](CoulombRule& rule, int contacts) { rule.many_contacts = contacts; });
  vary(options.alternating_trials, [](CoulombRule& rule, int trial) { rule.alternating.trial = trial; });
  vary(options.alternating_steps,
       [](CoulombRule& rule, double steps) { rule.alternating.newton_steps = steps; });
  vary(options.interior_contacts, [](CoulombRule& rule, int contacts) { rule.interior_contacts = contacts; });
  vary(options.interior_frictions,
       [](CoulombRule& rule, double friction) { rule.interior_friction = friction; });
  return rules;
}

// One rule on one problem.
struct Trial {
  std::unique_ptr<CoulombSolver> solver;
  Result result;
  double seconds = std::numeric_limits<double>::infinity();
};

}  // namespace

void run_rule_study(const RuleStudyOptions& options, std::FILE* csv) {
  std::vector<RuleProblem> problems;
  if (!options.folder.empty()) read_files(options.folder, problems);
  generate(problems);
  const std::vector<CoulombRule> rules = candidates(options);
  fmt::print(csv, "# both rulers; seconds of the processor, best of {}; time limit {:g} s\n",
             options.repetitions, options.time_limit);
  fmt::print(csv,
             "family,problem,contacts,tolerance,newton_steps,many_contacts,alternating_trial,"
             "alternating_steps,interior_contacts,interior_friction,solved,seconds\n");
  for (const RuleProblem& problem : problems) {
    for (const double tolerance : options.tolerances) {
      const Settings settings{.tolerance = tolerance, .time_limit = options.time_limit};
      std::vector<Trial> trials;
      for (const CoulombRule& rule : rules)
        trials.push_back({std::make_unique<CoulombSolver>([rule] { return coulomb_chain(rule); }), {}});
      for (int repetition = 0; repetition < options.repetitions; ++repetition) {
        for (Trial& trial : trials) {
          if (isatty(STDERR_FILENO) != 0)
            fmt::print(stderr, "\r\033[K{} {:g}: turn {}", problem.name, tolerance, repetition + 1);
          // What takes long is timed once.
          if (repetition > 0 && trial.seconds > 0.05) continue;
          const double before = processor_seconds();
          trial.solver->solve(problem.problem, settings, trial.result);
          trial.seconds = std::min(trial.seconds, processor_seconds() - before);
        }
      }
      for (std::size_t k = 0; k < rules.size(); ++k) {
        const CoulombRule& rule = rules[k];
        fmt::print(csv, "{},{},{},{:g},{:g},{},{},{:g},{},{:g},{:d},{:.3e}\n", problem.family, problem.name,
                   problem.problem.contacts(), tolerance, rule.sweeps.newton_steps, rule.many_contacts,
                   rule.alternating.trial, rule.alternating.newton_steps, rule.interior_contacts,
                   rule.interior_friction, trials[k].result.solved(), trials[k].seconds);
      }
      std::fflush(csv);
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::bench
