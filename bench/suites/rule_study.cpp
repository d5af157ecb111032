// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What the rule of `auto` under Coulomb's law is fitted to (bench/fit-rule): the chains of many rules on
// problem files and generated families.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/suites/contact_problems.hpp"
#include "bench/suites/study.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"

namespace slipstick::internal::bench {
namespace {

// Islands of fewer contacts are solved before the rule is asked.
constexpr Index fewest_contacts = FewContacts::most_nodes + 1;

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
  std::vector<NamedContacts> problems = contact_problems(options.folder);
  std::erase_if(problems, [](const NamedContacts& p) { return p.problem.contacts() < fewest_contacts; });
  const std::vector<CoulombRule> rules = candidates(options);
  fmt::print(csv, "# both rulers; seconds of the processor, best of {}; time limit {:g} s\n",
             options.repetitions, options.time_limit);
  fmt::print(csv, "{}\n", report::rule_header);
  const auto table_of = [&](const NamedContacts& problem) {
    std::string lines;
    for (const double tolerance : options.tolerances) {
      const Settings settings{.tolerance = tolerance, .time_limit = options.time_limit};
      std::vector<Trial> trials;
      for (const CoulombRule& rule : rules)
        trials.push_back({std::make_unique<CoulombSolver>([rule] { return coulomb_chain(rule); }), {}});
      for (int repetition = 0; repetition < options.repetitions; ++repetition) {
        for (Trial& trial : trials) {
          // What takes long is timed once.
          if (repetition > 0 && trial.seconds > 0.05) continue;
          const double before = processor_seconds();
          trial.solver->solve(problem.problem, settings, trial.result);
          trial.seconds = std::min(trial.seconds, processor_seconds() - before);
        }
      }
      for (std::size_t k = 0; k < rules.size(); ++k) {
        const CoulombRule& rule = rules[k];
        lines +=
            fmt::format("{},{},{},{:g},{:g},{},{},{:g},{},{:g},{:d},{:.3e}\n", problem.family, problem.name,
                        problem.problem.contacts(), tolerance, rule.sweeps.newton_steps, rule.many_contacts,
                        rule.alternating.trial, rule.alternating.newton_steps, rule.interior_contacts,
                        rule.interior_friction, trials[k].result.solved(), trials[k].seconds);
      }
    }
    return lines;
  };
  write_tables(problems, options.jobs, table_of, csv);
}

}  // namespace slipstick::internal::bench
