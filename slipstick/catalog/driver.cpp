// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/auto_choice.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/catalog/part_solver.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/problems/validate.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick {
namespace {

const MeasureName& judging_measure(const std::string& name) {
  const MeasureName* measure = find_measure(name);
  if (measure != nullptr && measure->judges) return *measure;
  std::string names;
  for (const MeasureName& row : measure_names()) {
    if (row.judges) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  fail("there is no error measure '{}'; there are: {}", name, names);
}

// A user's limits leave room for an answer.
const Settings& checked(const Settings& s) {
  check_settings(s);
  if (std::isinf(s.tolerance)) fail("the tolerance must be a number >= 0, not {}", s.tolerance);
  if (s.time_limit == 0.0) fail("the time limit must be above 0 seconds, not {}", s.time_limit);
  return s;
}

bool is_contact(const AnyProblem& problem) {
  return std::holds_alternative<LocalContactProblem>(problem) ||
         std::holds_alternative<GlobalContactProblem>(problem);
}

// What a kept result holds of a problem of another kind.
void drop_foreign(const AnyProblem& problem, Solution& result) {
  const auto drop = [](auto&... vectors) { (vectors.resize(0), ...); };
  if (is_contact(problem)) {
    drop(result.x, result.w, result.multipliers);
  } else {
    drop(result.r, result.u, result.l);
  }
  if (!std::holds_alternative<GlobalContactProblem>(problem)) drop(result.v);
}

// Nothing to certify: the problem that was solved is the one as given.
struct AsGiven {
  void operator()(DriverResult& /*result*/) const {}
};

bool has_final_word(const Result& result) {
  return result.solved() || result.status == Status::cancelled || result.status == Status::time_limit ||
         result.status == Status::infeasible;
}

}  // namespace

// Answers are judged on the problem as given: `certify` fills the solution's vectors and the measures from
// the answer of the form that was solved.
class Driver::Work {
 public:
  explicit Work(SolveRequest request)
      : request_(std::move(request)), measure_(judging_measure(request_.measure)) {
    set(request_.settings);
    prepare_methods();
  }

  void set(const Settings& settings) {
    request_.settings = checked(settings);
    if (measure_.value == &Measures::desaxce) request_.settings.published_alone = true;
  }

  void solve(const AnyProblem& problem, DriverResult& result, const WarmStart* warm_start,
             Observer* observer) {
    timer_ = {};
    check(problem);
    warm_start_ = warm_start;
    observer_ = observer;
    result.attempts.clear();
    result.warnings.clear();
    result.implicit = false;
    result.law.reset();
    if (is_contact(problem)) result.law = request_.friction;
    drop_foreign(problem, result);
    std::visit([&](const auto& p) { solve(p, result); }, problem);
    result.seconds = timer_.seconds();
  }

 private:
  // Under the laws that are not convex a name of the catalog means one thing for contacts and another for
  // the rest, with other options, so that only the problem tells what to make.
  void prepare_methods() {
    const auto& [settings, name, options, measure, friction, condensation] = request_;
    automatic_ = name == "auto";
    if (automatic_ && !options.empty())
      fail("option '{}' belongs to a method: name one instead of auto", options.begin()->first);
    if (automatic_) return;
    const bool contact_method = !is_convex(friction) && find_solver(name) == nullptr &&
                                (find_contact_method(name) != nullptr || name.find('+') != std::string::npos);
    if (contact_method) {
      prepare_contact_solver(takes_contacts(friction, 3, name) ? 3 : 2);
    } else if (is_convex(friction) || find_solver(name) == nullptr) {
      solver(name);
    }
  }

  void prepare_contact_solver(int dimension) {
    if (contact_solver_ != nullptr && contact_dimension_ == dimension) return;
    contact_solver_ = make_contact_solver(request_.friction, dimension, request_.solver, request_.options);
    contact_name_ = contact_solver_name(request_.friction, dimension, request_.solver);
    contact_dimension_ = dimension;
  }

  void check(const AnyProblem& problem) {
    if (const Validation validation = validate(problem, &valid_); !validation.ok())
      throw Error(validation.defect);
    std::visit(
        [&](const auto& p) {
          if constexpr (requires { p.M.same_storage(valid_); }) remember(p.M);
          if constexpr (requires { p.W.same_storage(valid_); }) remember(p.W);
          if constexpr (requires { p.A.same_storage(valid_); }) remember(p.A);
        },
        problem);
  }
  void remember(const Operator& matrix) {
    if (!valid_.same_storage(matrix)) valid_ = matrix;
  }

  void solve(const LcpProblem& problem, DriverResult& result) {
    solve_complementarity(problem, result, [&] { return converted_.K.is_nonnegative_orthant(); });
  }
  void solve(const MixedLcp& problem, DriverResult& result) {
    solve_complementarity(problem, result, [&] {
      return converted_.K.lower() == problem.lower && converted_.K.upper() == problem.upper;
    });
  }

  // What the matrix tells is kept with it.
  void solve_complementarity(const auto& problem, DriverResult& result, const auto& has_same_bounds) {
    if (converted_.A.same_storage(problem.M) && converted_.b.size() == problem.q.size() &&
        has_same_bounds()) {
      converted_.b = problem.q;
    } else {
      converted_ = to_problem(problem);
      chain_known_ = false;
    }
    run_chain(converted_, result, AsGiven());
  }

  void solve(const Problem& problem, DriverResult& result) {
    chain_known_ = false;
    if (!problem.rows) return run_chain(problem, result, AsGiven());
    if (!automatic_)
      return takes(problem) ? run_chain(problem, result, AsGiven()) : solve_kkt(problem, result);
    // The methods that take linear rows, and then what is left of the rest.
    run_chain(problem, result, AsGiven());
    if (has_final_word(result)) return;
    DriverResult other;
    solve_kkt(problem, other);
    if (other.solved() || error_of(other) < error_of(result)) std::swap(result, other);
    result.attempts.insert(result.attempts.begin(), other.attempts.begin(), other.attempts.end());
  }

  void solve(const LocalContactProblem& problem, DriverResult& result) {
    // The convex law is that of a symmetric W: the rounding of a file is mended, and the problem is that one.
    const double asymmetry = request_.friction == FrictionLaw::convex ? problem.W.asymmetry() : 0.0;
    if (asymmetry > 0.0 && asymmetry <= rounded_asymmetry) {
      solve_local(symmetrized(problem), result);
      result.warnings.push_back(fmt::format(
          "W is not symmetric: entries differ by up to {:.2e} of the largest; (W + W')/2 was solved",
          asymmetry));
      return;
    }
    solve_local(problem, result);
  }

  void solve_local(const LocalContactProblem& problem, DriverResult& result) {
    const auto certify = [&](DriverResult& r) { measure(problem, request_.friction, r, r.measures); };
    if (is_convex(request_.friction)) return solve_impulses(problem, result, certify);
    prepare_contact_solver(problem.dimension);
    // By the contact solver on this problem, unless that takes the law for another that is the same here.
    if (contact_solver_->law() == request_.friction) {
      solve_friction(problem, request_.settings, result, AsGiven());
    } else {
      solve_friction(problem, request_.settings, result, certify);
    }
  }

  // A mass is symmetric: the rounding of a file is mended, and the problem is that one.
  void solve(const GlobalContactProblem& problem, DriverResult& result) {
    const double asymmetry = slipstick::asymmetry(problem.M);
    if (!(asymmetry > 0.0)) return solve_global(problem, result);
    if (asymmetry > rounded_asymmetry)
      fail("the mass matrix M is not symmetric: entries differ by up to {:.2e} of the largest", asymmetry);
    GlobalContactProblem symmetric = problem;
    symmetric.M = symmetric_part(problem.M);
    solve_global(symmetric, result);
    result.warnings.push_back(fmt::format(
        "M is not symmetric: entries differ by up to {:.2e} of the largest; (M + M')/2 was solved",
        asymmetry));
  }

  void solve_global(const GlobalContactProblem& problem, DriverResult& result) {
    const bool convex = is_convex(request_.friction);
    if (!convex) prepare_contact_solver(problem.dimension);
    const bool needs_rows = convex || contact_solver_->needs_rows();
    condensed_.set(problem, needs_rows && request_.condensation == Condensation::by_cost
                                ? Condensation::assembled
                                : request_.condensation);
    result.implicit = storage_of<CondensedOperator>(condensed_.local().W) != nullptr;
    const auto certify = [&](DriverResult& r) {
      r.v = condensed_.velocity(r.r, r.l);
      measure(problem, request_.friction, condensed_.inverse(), condensed_.diagonal(), r, r.measures);
    };
    if (convex) {
      solve_impulses(condensed_.local(), result, certify);
    } else {
      Settings settings = request_.settings;
      settings.published_by_load = false;
      solve_friction(condensed_.local(), settings, result, certify);
    }
  }

  // The method asked for works with linear rows itself.
  bool takes(const Problem& problem) { return solver(request_.solver).explain_unsupported(problem).empty(); }

  // Linear rows: the Karush-Kuhn-Tucker conditions are a mixed LCP, which the bound solvers take.
  void solve_kkt(const Problem& problem, DriverResult& result) {
    const KktForm kkt = to_kkt(problem);
    Ruler ruler;
    ruler.prepare(problem);
    chain_known_ = false;
    run_chain(to_problem(kkt.mixed), result, [&](DriverResult& r) {
      const Vector z = r.x;
      kkt.recover(problem, z, r);
      measure(problem, ruler, r, request_.settings.threads, r.measures);
    });
  }

  // Contact as one convex problem.
  template <class Certify>
  void solve_impulses(const LocalContactProblem& problem, DriverResult& result, const Certify& certify) {
    const ImpulseProblem impulses = impulse_problem(problem, request_.friction);
    const Index bilateral = problem.bilateral ? problem.bilateral->s.size() : 0;
    WarmStart start;
    if (warm_start_ != nullptr && warm_start_->x.size() == problem.q.size()) {
      impulses.restrict_impulses(warm_start_->x, Vector::Zero(bilateral), start.x);
      warm_start_ = &start;
    }
    chain_known_ = false;
    run_chain(impulses.problem, result, [&](DriverResult& r) {
      r.r.resize(problem.q.size());
      r.l.resize(bilateral);
      impulses.expand(r.x, r.r, r.l);
      certify(r);
    });
  }

  // Contact under the other laws.
  template <class Certify>
  void solve_friction(const LocalContactProblem& problem, const Settings& settings, DriverResult& result,
                      const Certify& certify) {
    attempt(
        settings,
        [&](const Settings& current, const WarmStart* start, Result& r) {
          contact_solver_->solve(problem, current, r, start, observer_);
          contact_solver_->list_attempts(result.attempts);
        },
        &Solution::r, result, certify);
    name_solver(result.attempts.empty() ? contact_name_ : result.attempts.back().solver, result);
  }

  // Works through the methods until one's answer is certified; leaves the best answer by the measure asked
  // for.
  template <class Certify>
  void run_chain(const Problem& problem, DriverResult& result, const Certify& certify) {
    if (!chain_known_) {
      chain_ = automatic_ ? auto_choice(problem) : std::vector<AutoStep>{{request_.solver, 0, "asked for"}};
      find_empty_rows(problem);
      has_parts_ = may_split() && part_solver().prepare(problem);
      chain_known_ = true;
    }
    if (find_infeasible_row(problem, result)) {
      result.solver = "presolve";
      result.x = Vector::Zero(problem.b.size());
      problem.K.project(result.x);
      Ruler ruler;
      ruler.prepare(problem);
      measure(problem, ruler, result, 1, result.measures);
      certify(result);
      return;
    }
    if (has_parts_ && solve_parts(problem, result, certify)) return;
    attempts_.clear();
    bool have_best = false;
    for (std::size_t step = 0; step < chain_.size(); ++step) {
      const bool last = step + 1 == chain_.size();
      attempt(problem, chain_[step], automatic_ && !last, result, certify);
      if (automatic_) {
        if (result.status == Status::unsupported && have_best) continue;
        attempts_.push_back({.solver = chain_[step].solver,
                             .reason = chain_[step].reason,
                             .status = result.status,
                             .iterations = result.counts.iterations,
                             .error = error_of(result)});
      }
      const bool final_word = has_final_word(result);
      const bool better = !have_best || best_.status == Status::unsupported || result.solved() ||
                          (result.status != Status::unsupported && error_of(result) < error_of(best_));
      if (better && final_word) {
        have_best = false;  // it is in place
        break;
      }
      if (final_word) {
        // The best answer stays, the reason for ending is the last method's.
        best_.status = result.status;
        best_.message = fmt::format("{}; the best answer is by {}", result.message, best_.solver);
      } else if (better) {
        std::swap(best_, result);
        have_best = true;
      }
      if (final_word) break;
    }
    if (have_best) std::swap(best_, result);
    result.attempts = attempts_;
  }

  // Iterations of a part are not those of the whole, nor are other measures.
  bool may_split() const {
    return automatic_ && measure_.value == &Measures::scaled_natural_map &&
           request_.settings.max_iterations == 0;
  }
  PartSolver& part_solver() {
    if (part_solver_ == nullptr) part_solver_ = std::make_unique<PartSolver>(request_);
    return *part_solver_;
  }

  // Where a part is not solved, the whole has its turn. A start that is a solution costs one product.
  template <class Certify>
  bool solve_parts(const Problem& problem, DriverResult& result, const Certify& certify) {
    Settings settings = request_.settings;
    Ruler ruler;
    ruler.prepare(problem);
    const auto accept = [&] {
      result.status = Status::solved;
      result.message.clear();
      certify(result);
      return error_of(result) <= request_.settings.tolerance;
    };
    if (warm_start_ != nullptr && warm_start_->x.size() == problem.b.size()) {
      result.x = warm_start_->x;
      measure(problem, ruler, result, settings.threads, result.measures);
      result.counts = {.products = 1};
      result.attempts.clear();
      name_solver("", result);
      if (result.measures.scaled_natural_map <= settings.tolerance && accept()) return true;
    }
    if (!std::isinf(settings.time_limit))
      settings.time_limit = std::max(1e-9, settings.time_limit - timer_.seconds());
    if (!part_solver_->solve(problem, settings, warm_start_, observer_, result)) return false;
    measure(problem, ruler, result, settings.threads, result.measures);
    return accept();
  }

  template <class Certify>
  void attempt(const Problem& problem, const AutoStep& step, bool others_follow, DriverResult& result,
               const Certify& certify) {
    Solver& method = solver(step.solver);
    Settings settings = request_.settings;
    if (settings.max_iterations == 0 && others_follow) settings.max_iterations = step.max_iterations;
    name_solver(step.solver, result);
    attempt(
        settings,
        [&](const Settings& current, const WarmStart* start, Result& r) {
          method.solve(problem, current, r, start, observer_);
        },
        &Solution::x, result, certify);
  }

  // A kept result mostly has the name already.
  static void name_solver(std::string_view name, DriverResult& result) {
    if (result.solver != name) result.solver = name;
  }

  // One method, with the tolerance tightened while its own ruler is content and the measure asked for is not.
  // `unknowns` is what a warm start is made of.
  template <class SolveOnce, class Certify>
  void attempt(Settings settings, const SolveOnce& solve_once, Vector Solution::*unknowns,
               DriverResult& result, const Certify& certify) {
    const WarmStart* start = warm_start_;
    Counts total;
    for (int tightening = 0;; ++tightening) {
      const double limit = request_.settings.time_limit;
      if (!std::isinf(limit)) settings.time_limit = std::max(1e-9, limit - timer_.seconds());
      solve_once(settings, start, result);
      result.counts = total += result.counts;
      if (result.status == Status::unsupported) return;
      const bool content = result.status == Status::solved;
      from_here_.x = result.*unknowns;
      certify(result);
      if (error_of(result) <= request_.settings.tolerance) {
        result.status = Status::solved;
        result.message.clear();
        return;
      }
      if (content) result.status = Status::stalled;
      if (!content || tightening >= 8) break;
      settings.tolerance *= std::clamp(0.5 * request_.settings.tolerance / error_of(result), 1e-4, 0.5);
      start = &from_here_;
    }
    result.message = fmt::format("{} after {} iterations, {} {:.2e}", name(result.status),
                                 result.counts.iterations, measure_.name, error_of(result));
  }

  // An empty row has w_i = b_i for every x: where b_i points out through a bound that is not there, nothing
  // solves it.
  bool find_infeasible_row(const Problem& problem, DriverResult& result) {
    for (const Index i : empty_rows_) {
      const double bound = problem.b[i] > 0.0 ? problem.K.lower()[i] : problem.K.upper()[i];
      if (problem.b[i] == 0.0 || std::isfinite(bound)) continue;
      result.status = Status::infeasible;
      result.message = fmt::format(
          "row {} is empty with b = {}: no x gives w the sign that its bounds ask for", i, problem.b[i]);
      return true;
    }
    return false;
  }

  void find_empty_rows(const Problem& problem) {
    empty_rows_.clear();
    if (!problem.K.is_box() || problem.rows) return;
    diagonal_.resize(problem.b.size());
    problem.A.diagonal(diagonal_);
    for (Index i = 0; i < diagonal_.size(); ++i) {
      if (diagonal_[i] == 0.0 && is_empty_row(problem.A, i)) empty_rows_.push_back(i);
    }
  }

  double error_of(const Result& result) const {
    const bool ruler = measure_.value == &Measures::scaled_natural_map;
    const double error =
        ruler ? contact_error(result.measures, request_.friction) : result.measures.*measure_.value;
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }

  Solver& solver(std::string_view name) {
    for (const auto& [known, kept] : solvers_) {
      if (known == name) return *kept;
    }
    solvers_.emplace_back(name, make_solver(name, request_.options));
    return *solvers_.back().second;
  }

  // Of the last matrix.
  Operator valid_;
  Problem converted_;
  CondensedProblem condensed_;
  // Of the last matrix and bounds.
  std::vector<AutoStep> chain_;
  std::vector<Index> empty_rows_;
  std::unique_ptr<PartSolver> part_solver_;

  SolveRequest request_;
  const MeasureName& measure_;
  std::vector<std::pair<std::string, std::unique_ptr<Solver>>> solvers_;
  std::unique_ptr<ContactSolver> contact_solver_;
  std::string contact_name_;

  Timer timer_;
  const WarmStart* warm_start_ = nullptr;
  Observer* observer_ = nullptr;
  std::vector<Attempt> attempts_;
  DriverResult best_;
  WarmStart from_here_;
  Vector diagonal_;

  int contact_dimension_ = 0;  // of the contact solver
  bool chain_known_ = false;
  bool has_parts_ = false;
  bool automatic_ = false;
};

Driver::Driver(SolveRequest request) : work_(std::make_unique<Work>(std::move(request))) {}
Driver::~Driver() = default;
Driver::Driver(Driver&&) noexcept = default;
Driver& Driver::operator=(Driver&&) noexcept = default;

void Driver::set(const Settings& settings) {
  work_->set(settings);
}

void Driver::solve(const AnyProblem& problem, DriverResult& result, const WarmStart* warm_start,
                   Observer* observer) {
  work_->solve(problem, result, warm_start, observer);
}

DriverResult solve(const AnyProblem& problem, const SolveRequest& request, const WarmStart* warm_start,
                   Observer* observer) {
  DriverResult result;
  Driver(request).solve(problem, result, warm_start, observer);
  if (result.solved()) {
    result.message = fmt::format("solved after {} iterations, {} {:.2e}", result.counts.iterations,
                                 request.measure, result.measures.*find_measure(request.measure)->value);
  }
  return result;
}

std::string describe(const Attempt& attempt) {
  const std::string why = attempt.reason.empty() ? "" : fmt::format(" ({})", attempt.reason);
  const auto counted = [](std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  const std::string after = counted(attempt.iterations, "iteration");
  if (attempt.pieces > 0) {
    const std::string with =
        attempt.contacts > 0 ? fmt::format(" with {}", counted(attempt.contacts, "contact")) : "";
    return fmt::format("{}{}: {} of {}{} solved after {}", attempt.solver, why, attempt.solved_pieces,
                       counted(attempt.pieces, "piece"), with, after);
  }
  return fmt::format("{}{}: {} after {}, error {:.2e}", attempt.solver, why, name(attempt.status), after,
                     attempt.error);
}

}  // namespace slipstick
