// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/contest.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "bench/peers/published_optima.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr double matrix_change = 1.0 + 1e-12, load_change = 1.0 + 2e-12;

Operator changed_matrix(const Operator& matrix) {
  if (const auto* dense = storage_of<DenseMatrix>(matrix)) return {DenseMatrix(matrix_change * *dense)};
  return {CsrMatrix(matrix_change * *matrix.assemble())};
}

// Two attempts that take turns.
class AlternatingAttempt : public Attempt {
 public:
  AlternatingAttempt(const Contestant& contestant, const ContestProblem& problem)
      : other_problem_(problem.changed()),
        attempts_{contestant.prepare(problem), contestant.prepare(other_problem_)} {}
  bool wears_out() const override { return attempts_[0]->wears_out(); }
  void renew() override { attempts_[1 - turn_]->renew(); }
  void solve(double tolerance) override {
    turn_ = 1 - turn_;
    attempts_[turn_]->solve(tolerance);
  }
  const Vector& answer() const override { return attempts_[turn_]->answer(); }
  const Vector& multipliers() const override { return attempts_[turn_]->multipliers(); }
  bool calls_solved() const override { return attempts_[turn_]->calls_solved(); }

 private:
  ContestProblem other_problem_;
  std::unique_ptr<Attempt> attempts_[2];
  int turn_ = 1;
};

Verdict judge_contact(const auto& problem, const Vector& answer) {
  Solution solution;
  solution.r = answer;
  Measures measures;
  measure(problem, FrictionLaw::coulomb, solution, measures);
  return {measures.desaxce, measures.scaled_natural_map};
}

Verdict judge_bounds(const Problem& problem, const Vector& answer, const Vector& multipliers = {},
                     std::optional<double> optimum = {}) {
  // A solver that has given up may have no answer.
  const Index rows = problem.rows ? problem.rows->lower.size() : 0;
  if (answer.size() != problem.b.size() || multipliers.size() != rows)
    return {Measures::undefined, Measures::undefined};
  Ruler ruler;
  ruler.prepare(problem);
  Solution solution;
  solution.x = answer;
  solution.multipliers = multipliers;
  Measures measures;
  measure(problem, ruler, solution, 1, measures);
  if (optimum) {
    const double size = std::max(std::abs(*optimum), smallest_optimum);
    return {std::abs(measures.objective - *optimum) / size, measures.scaled_natural_map};
  }
  if (problem.rows) {
    const double size = std::max(1.0, std::abs(measures.objective));
    return {measures.complementarity_gap / size, measures.scaled_natural_map};
  }
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

bool ContestProblem::is_smooth_qp() const {
  const auto* qp = std::get_if<Problem>(&problem);
  return qp != nullptr && qp->rows && qp->symmetric && qp->K.is_box();
}

std::optional<MixedLcp> ContestProblem::mixed_form() const {
  if (const auto* lcp = std::get_if<LcpProblem>(&problem)) return to_mixed_lcp(*lcp);
  if (const auto* mixed = std::get_if<MixedLcp>(&problem)) return *mixed;
  return std::nullopt;
}

ContestProblem ContestProblem::changed() const {
  ContestProblem other = *this;
  std::visit(Overloaded{[](Problem& p) {
                          p.A = changed_matrix(p.A);
                          p.b *= load_change;
                        },
                        [](LocalContactProblem& p) {
                          p.W = changed_matrix(p.W);
                          p.q *= load_change;
                        },
                        [](GlobalContactProblem& p) {
                          p.M *= matrix_change;
                          p.f *= load_change;
                        },
                        [](auto& p) {
                          p.M = changed_matrix(p.M);
                          p.q *= load_change;
                        }},
             other.problem);
  return other;
}

Contestant with_new_matrices(const Contestant& contestant) {
  Contestant other = contestant;
  other.prepare = [contestant](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
    return std::make_unique<AlternatingAttempt>(contestant, problem);
  };
  return other;
}

std::vector<ContestProblem> contest_problems(std::string name, AnyProblem problem) {
  std::vector<ContestProblem> list;
  if (const auto* global = std::get_if<GlobalContactProblem>(&problem); global && global->contacts() > 0) {
    LocalContactProblem local = CondensedProblem(*global).local();
    local.W = Operator(local.W.assemble());
    list.push_back({name + " condensed", std::move(local)});
  }
  const std::string stem = std::filesystem::path(name).stem().string();
  const auto* const published = std::ranges::find(published_optima, stem, &PublishedOptimum::name);
  std::optional<double> optimum;
  if (classify(problem) == ProblemClass::qp && published != std::end(published_optima))
    optimum = published->optimum;
  list.push_back({std::move(name), std::move(problem), optimum});
  return list;
}

Verdict judge(const ContestProblem& problem, const Vector& answer, const Vector& multipliers) {
  return std::visit(
      Overloaded{[&](const LocalContactProblem& p) { return judge_contact(p, answer); },
                 [&](const GlobalContactProblem& p) { return judge_contact(p, answer); },
                 [&](const Problem& p) { return judge_bounds(p, answer, multipliers, problem.optimum); },
                 [&](const auto& p) { return judge_bounds(to_problem(p), answer); }},
      problem.problem);
}

}  // namespace slipstick::internal::bench
