// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/contest.hpp"

#include "slipstick/base/overloaded.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::bench {
namespace {

Verdict judge_contact(const auto& problem, const Vector& answer) {
  Solution solution;
  solution.r = answer;
  solution.l = Vector::Zero(0);
  Measures measures;
  measure(problem, FrictionLaw::coulomb, solution, measures);
  return {measures.desaxce, measures.scaled_natural_map};
}

Verdict judge_bounds(const Problem& problem, const Vector& answer) {
  Ruler ruler;
  ruler.prepare(problem);
  Solution solution;
  solution.x = answer;
  Measures measures;
  measure(problem, ruler, solution, 1, measures);
  return {measures.natural_map_relative, measures.scaled_natural_map};
}

}  // namespace

Index ContestProblem::contacts() const {
  return std::visit(
      [](const auto& p) -> Index {
        if constexpr (requires { p.contacts(); }) return p.contacts();
        return 0;
      },
      problem);
}

bool ContestProblem::is_contact() const {
  return std::holds_alternative<LocalContactProblem>(problem) ||
         std::holds_alternative<GlobalContactProblem>(problem);
}

std::optional<MixedLcp> ContestProblem::mixed_form() const {
  if (const auto* lcp = std::get_if<LcpProblem>(&problem)) return to_mixed_lcp(*lcp);
  if (const auto* mixed = std::get_if<MixedLcp>(&problem)) return *mixed;
  return std::nullopt;
}

std::vector<ContestProblem> contest_problems(std::string name, AnyProblem problem) {
  std::vector<ContestProblem> list;
  if (const auto* global = std::get_if<GlobalContactProblem>(&problem); global && global->contacts() > 0) {
    LocalContactProblem local = CondensedProblem(*global).local();
    local.W = Operator(local.W.assemble());
    list.push_back({name + " condensed", std::move(local)});
  }
  list.push_back({std::move(name), std::move(problem)});
  return list;
}

Verdict judge(const ContestProblem& problem, const Vector& answer) {
  return std::visit(Overloaded{[&](const LocalContactProblem& p) { return judge_contact(p, answer); },
                               [&](const GlobalContactProblem& p) { return judge_contact(p, answer); },
                               [&](const Problem& p) { return judge_bounds(p, answer); },
                               [&](const auto& p) { return judge_bounds(to_problem(p), answer); }},
                    problem.problem);
}

}  // namespace slipstick::bench
