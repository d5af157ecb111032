// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/driver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/auto_choice.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/contact/condense.hpp"
#include "slipstick/contact/impulse_problem.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/problems/validate.hpp"
#include "slipstick/solvers/empty_rows.hpp"

namespace slipstick {
namespace {

// Judges an answer of the form that was solved on the problem as given: fills the solution's vectors and the
// measures.
using Certify = std::function<void(DriverResult&)>;

class Driver {
 public:
  Driver(const SolveRequest& request, const WarmStart* warm_start, Observer* observer)
      : request_(request),
        warm_start_(warm_start),
        observer_(observer),
        measure_(*find_measure(request.measure)) {}

  DriverResult solve(const LcpProblem& problem) { return solve(to_problem(problem)); }
  DriverResult solve(const MixedLcp& problem) { return solve(to_problem(problem)); }

  DriverResult solve(const Problem& problem) {
    const auto as_given = [](DriverResult&) {};
    if (!problem.rows) return run_chain(problem, as_given);
    if (request_.solver != "auto") return takes(problem) ? run_chain(problem, as_given) : solve_kkt(problem);
    // The methods that take linear rows, and then what is left of the rest.
    DriverResult result = run_chain(problem, as_given);
    if (has_final_word(result)) return result;
    DriverResult other = solve_kkt(problem);
    if (other.solved() || error_of(other) < error_of(result)) std::swap(result, other);
    result.attempts.insert(result.attempts.begin(), other.attempts.begin(), other.attempts.end());
    return result;
  }

  DriverResult solve(const LocalContactProblem& problem) {
    // The convex law is that of a symmetric W: the rounding of a file is mended, and the problem is that one.
    const double asymmetry = request_.friction == FrictionLaw::convex ? problem.W.asymmetry() : 0.0;
    if (asymmetry > 0.0 && asymmetry <= rounded_asymmetry) {
      DriverResult result = solve_contacts(symmetrized(problem));
      result.warnings.push_back(fmt::format(
          "W is not symmetric: entries differ by up to {:.2e} of the largest; (W + W')/2 was solved",
          asymmetry));
      return result;
    }
    return solve_contacts(problem);
  }

  DriverResult solve(const GlobalContactProblem& problem) {
    const CondensedProblem condensed(problem);
    return solve_contacts(condensed.local(), [&](DriverResult& result) {
      result.v = condensed.velocity(result.r, result.l);
      measure(problem, request_.friction, result, result.measures);
    });
  }

 private:
  // The method asked for works with linear rows itself.
  bool takes(const Problem& problem) const {
    return make_solver(request_.solver, request_.options)->explain_unsupported(problem).empty();
  }

  // Linear rows: the Karush-Kuhn-Tucker conditions are a mixed LCP, which the bound solvers take.
  DriverResult solve_kkt(const Problem& problem) {
    const KktForm kkt = to_kkt(problem);
    Ruler ruler;
    ruler.prepare(problem);
    return run_chain(to_problem(kkt.mixed), [&](DriverResult& result) {
      const Vector z = result.x;
      kkt.recover(problem, z, result);
      measure(problem, ruler, result, request_.settings.threads, result.measures);
    });
  }

  static bool has_final_word(const DriverResult& result) {
    return result.solved() || result.status == Status::cancelled || result.status == Status::time_limit ||
           result.status == Status::infeasible;
  }

  DriverResult solve_contacts(const LocalContactProblem& problem) {
    return solve_contacts(
        problem, [&](DriverResult& result) { measure(problem, request_.friction, result, result.measures); });
  }

  DriverResult solve_contacts(const LocalContactProblem& problem, const Certify& certify) {
    return is_convex(request_.friction) ? solve_impulses(problem, certify) : solve_friction(problem, certify);
  }

  // One convex problem.
  DriverResult solve_impulses(const LocalContactProblem& problem, const Certify& certify) {
    const ImpulseProblem impulses = impulse_problem(problem, request_.friction);
    const Index bilateral = problem.bilateral ? problem.bilateral->s.size() : 0;
    WarmStart start;
    if (warm_start_ != nullptr && warm_start_->x.size() == problem.q.size()) {
      impulses.restrict_impulses(warm_start_->x, Vector::Zero(bilateral), start.x);
      warm_start_ = &start;
    }
    return run_chain(impulses.problem, [&](DriverResult& result) {
      result.r.resize(problem.q.size());
      result.l.resize(bilateral);
      impulses.expand(result.x, result.r, result.l);
      certify(result);
    });
  }

  // A sequence of them.
  DriverResult solve_friction(const LocalContactProblem& problem, const Certify& certify) {
    const auto solver =
        make_contact_solver(request_.friction, problem.dimension, request_.solver, request_.options);
    return attempt(
        contact_solver_name(request_.friction, problem.dimension, request_.solver), request_.settings,
        [&](const Settings& settings, const WarmStart* start, Result& result) {
          solver->solve(problem, settings, result, start, observer_);
        },
        &Solution::r, certify);
  }

  // Works through the methods until one's answer is certified; returns the best answer by the measure asked
  // for.
  DriverResult run_chain(const Problem& problem, const Certify& certify) {
    const bool automatic = request_.solver == "auto";
    const std::vector<AutoStep> chain =
        automatic ? auto_choice(problem)
                  : std::vector<AutoStep>{{request_.solver, request_.settings.max_iterations, "asked for"}};
    DriverResult best;
    if (find_infeasible_row(problem, best)) {
      best.solver = "presolve";
      best.x = Vector::Zero(problem.b.size());
      problem.K.project(best.x);
      Ruler ruler;
      ruler.prepare(problem);
      measure(problem, ruler, best, 1, best.measures);
      certify(best);
      return best;
    }
    std::vector<std::string> attempts;
    for (std::size_t step = 0; step < chain.size(); ++step) {
      const bool last = step + 1 == chain.size();
      DriverResult result = attempt(problem, chain[step], automatic && !last, certify);
      if (automatic) {
        if (result.status == Status::unsupported && !best.solver.empty()) continue;
        attempts.push_back(
            fmt::format("{} ({}): {}", chain[step].solver, chain[step].reason, result.message));
      }
      const bool final_word = has_final_word(result);
      const bool better = best.solver.empty() || best.status == Status::unsupported || result.solved() ||
                          (result.status != Status::unsupported && error_of(result) < error_of(best));
      if (better) {
        best = std::move(result);
      } else if (final_word) {
        // The best answer stays, the reason for ending is the last method's.
        best.status = result.status;
        best.message = fmt::format("{}; the best answer is by {}", result.message, best.solver);
      }
      if (final_word) break;
    }
    best.attempts = std::move(attempts);
    return best;
  }

  DriverResult attempt(const Problem& problem, const AutoStep& step, bool others_follow,
                       const Certify& certify) {
    const std::unique_ptr<Solver> solver = make_solver(step.solver, request_.options);
    Settings settings = request_.settings;
    if (settings.max_iterations == 0 && others_follow) settings.max_iterations = step.max_iterations;
    return attempt(
        step.solver, settings,
        [&](const Settings& current, const WarmStart* start, Result& result) {
          solver->solve(problem, current, result, start, observer_);
        },
        &Solution::x, certify);
  }

  // One method, with the tolerance tightened while its own ruler is content and the measure asked for is not.
  // `unknowns` is what a warm start is made of.
  template <class SolveOnce>
  DriverResult attempt(std::string_view method, Settings settings, const SolveOnce& solve_once,
                       Vector Solution::*unknowns, const Certify& certify) {
    DriverResult result;
    result.solver = method;
    WarmStart from_here;
    const WarmStart* start = warm_start_;
    Counts total;
    for (int tightening = 0;; ++tightening) {
      settings.time_limit = std::max(1e-9, request_.settings.time_limit - timer_.seconds());
      solve_once(settings, start, result);
      total.iterations += result.counts.iterations;
      total.products += result.counts.products;
      total.factorizations += result.counts.factorizations;
      result.counts = total;
      if (result.status == Status::unsupported) break;
      const bool content = result.status == Status::solved;
      from_here.x = result.*unknowns;
      certify(result);
      if (error_of(result) <= request_.settings.tolerance) {
        result.status = Status::solved;
        break;
      }
      if (content) result.status = Status::stalled;
      if (!content || tightening >= 8) break;
      settings.tolerance *= 0.1;
      start = &from_here;
    }
    if (result.status != Status::unsupported) {
      result.message = fmt::format("{} after {} iterations, {} {:.2e}", name(result.status),
                                   result.counts.iterations, measure_.name, error_of(result));
    }
    return result;
  }

  // An empty row has w_i = b_i for every x: where b_i points out through a bound that is not there, nothing
  // solves it.
  bool find_infeasible_row(const Problem& problem, DriverResult& result) const {
    if (!problem.K.is_box() || problem.rows) return false;
    Vector diagonal(problem.b.size());
    problem.A.diagonal(diagonal);
    for (Index i = 0; i < problem.b.size(); ++i) {
      if (diagonal[i] != 0.0 || problem.b[i] == 0.0) continue;
      const double bound = problem.b[i] > 0.0 ? problem.K.lower()[i] : problem.K.upper()[i];
      if (std::isfinite(bound) || !is_empty_row(problem.A, i)) continue;
      result.status = Status::infeasible;
      result.message = fmt::format(
          "row {} is empty with b = {}: no x gives w the sign that its bounds ask for", i, problem.b[i]);
      return true;
    }
    return false;
  }

  double error_of(const Result& result) const {
    const bool ruler = measure_.value == &Measures::scaled_natural_map;
    const double error =
        ruler ? contact_error(result.measures, request_.friction) : result.measures.*measure_.value;
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }

  const SolveRequest& request_;
  const WarmStart* warm_start_;
  Observer* observer_;
  const MeasureName& measure_;
  Timer timer_;
};

void check(const SolveRequest& request, const AnyProblem& problem) {
  const Settings& s = request.settings;
  if (!(s.tolerance >= 0.0) || std::isinf(s.tolerance))
    fail("the tolerance must be a number >= 0, not {}", s.tolerance);
  if (s.max_iterations < 0) fail("the iteration limit must not be negative, but is {}", s.max_iterations);
  if (!(s.time_limit > 0.0)) fail("the time limit must be above 0 seconds, not {}", s.time_limit);
  if (s.threads < 1) fail("at least one thread is needed, not {}", s.threads);
  const auto* local = std::get_if<LocalContactProblem>(&problem);
  const auto* global = std::get_if<GlobalContactProblem>(&problem);
  const bool by_contact_solver = (local != nullptr || global != nullptr) && !is_convex(request.friction);
  if (request.solver == "auto" && !request.options.empty() && !by_contact_solver) {
    fail("option '{}' belongs to a method: name one instead of auto", request.options.begin()->first);
  }
  const MeasureName* measure = find_measure(request.measure);
  if (measure == nullptr || !measure->judges) {
    std::string names;
    for (const MeasureName& row : measure_names()) {
      if (row.judges) names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    fail("there is no error measure '{}'; there are: {}", request.measure, names);
  }
  if (by_contact_solver) {
    const int dimension = local != nullptr ? local->dimension : global->dimension;
    make_contact_solver(request.friction, dimension, request.solver, request.options);
  } else if (request.solver != "auto") {
    make_solver(request.solver, request.options);
  }
  if (const Validation validation = validate(problem); !validation.ok()) throw Error(validation.defect);
}

}  // namespace

DriverResult solve(const AnyProblem& problem, const SolveRequest& request, const WarmStart* warm_start,
                   Observer* observer) {
  check(request, problem);
  const Timer timer;
  DriverResult result =
      std::visit([&](const auto& p) { return Driver(request, warm_start, observer).solve(p); }, problem);
  result.seconds = timer.seconds();
  return result;
}

}  // namespace slipstick
