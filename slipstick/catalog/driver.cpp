// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/chain_runner.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/catalog/forms.hpp"
#include "slipstick/catalog/step_islands.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/problems/curvature.hpp"
#include "slipstick/settings.hpp"

namespace slipstick {
using namespace internal;
namespace {

// A kept result may hold vectors of a problem of another kind. A convex law leaves its vectors in x and w.
void reset_unused_vectors(const AnyProblem& problem, FrictionLaw law, bool has_bodies, Solution& result) {
  const auto reset = [](auto&... vectors) { (vectors.resize(0), ...); };
  reset(result.friction_bounds);
  if (is_contact(classify(problem))) {
    reset(result.multipliers);
    if (!is_convex(law)) reset(result.x, result.w);
  } else {
    reset(result.r, result.u);
  }
  if (!has_bodies && !std::holds_alternative<GlobalContactProblem>(problem)) reset(result.v);
}

}  // namespace

// Turns a problem into the form that the methods of the request take.
class Driver::Work {
 public:
  explicit Work(SolveRequest request) : runner_(std::move(request)) { prepare_methods(); }

  void set(const Settings& settings) { runner_.set(settings); }

  void solve(const AnyProblem& problem, DriverResult& result, const WarmStart* warm_start,
             Observer* observer) {
    const Timer clock;
    const Interruption interruption(request().settings.time_limit, observer);
    const Vector* mu = lacks_bounds(problem);
    if (mu == nullptr) return solve_form(problem, clock, result, warm_start, observer);
    set_bounds(problem, problem, *mu, warm_start, observer);
    solve_form(bounded_, clock, result, warm_start, observer);
    add_frictionless(result);
  }

  // The whole first, then the islands that do not meet the tolerance by themselves.
  void solve(const BodyProblem& bodies, DriverResult& result, const WarmStart* warm_start,
             Observer* observer) {
    const Timer clock;
    const Interruption interruption(request().settings.time_limit, observer);
    const AnyProblem* form = &bodies.contact_form();
    const Vector* mu = lacks_bounds(*form);
    if (mu != nullptr) {
      set_bounds(*form, bodies, *mu, warm_start, observer);
      form = &bounded_;
    }
    solve_bodies(bodies, *form, clock, result, warm_start, observer);
    if (mu != nullptr) add_frictionless(result);
  }

 private:
  // The time limit counts from the start of the clock.
  void solve_form(const AnyProblem& problem, const Timer& clock, DriverResult& result,
                  const WarmStart* warm_start, Observer* observer) {
    runner_.start(warm_start, observer, clock);
    check(problem);
    result.attempts.clear();
    if (!result.warnings.empty()) warning_ = std::move(result.warnings.back());  // its storage
    result.warnings.clear();
    result.start_used = false;
    result.ray.resize(0);
    result.farkas.resize(0);
    result.proved = false;
    result.implicit = false;
    result.law.reset();
    result.islands.clear();
    result.island_of.clear();
    result.infeasible_keys.clear();
    result.states.clear();
    if (is_contact(classify(problem))) {
      result.law = law();
    } else {
      check_options_without_contacts(problem);
    }
    reset_unused_vectors(problem, law(), terms_ != nullptr, result);
    try {
      std::visit([&](const auto& p) { solve(p, result); }, problem);
    } catch (const Interrupted& interrupted) {
      std::visit([&](const auto& p) { leave_zero(p, result); }, problem);
      result.status = interrupted.reason;
      result.message = fmt::format("{} before a method began", name(result.status));
    }
    if (warm_start != nullptr && !result.start_used)
      result.warnings.emplace_back("the warm start does not fit the problem, and was not used");
    if (terms_ == nullptr && request().settings.threads > 1 && needs_device(result.solver))
      result.warnings.push_back(
          fmt::format("{} iterates on the CUDA device: threads do not make it faster", result.solver));
    if (const auto* qp = std::get_if<Problem>(&problem); qp != nullptr && qp->rows) {
      warn_of_gap(result);
      warn_of_curvature(*qp, result);
    }
    result.seconds = runner_.seconds();
  }

  // If rows nearly depend on each other, their multipliers are huge. A point that meets the ruler may then
  // have another objective.
  void warn_of_gap(DriverResult& result) const {
    constexpr double large = 1e-3;  // of the objective
    const double size = std::max(1.0, std::abs(result.measures.objective));
    const double share = result.measures.complementarity_gap / size;
    if (!result.solved() || !(share > std::max(large, 1e3 * request().settings.tolerance))) return;
    result.warnings.push_back(
        fmt::format("the objective may be off by {:.0e} of its size, which is the complementarity gap: "
                    "multipliers of the "
                    "rows are large",
                    share));
  }

  // Where A is indefinite, the conditions of a minimum hold at other points, too.
  void warn_of_curvature(const Problem& problem, DriverResult& result) const {
    if (!result.solved() || !problem.symmetric) return;
    try {
      if (!finds_negative_curvature(problem.A)) return;
    } catch (const Interrupted&) {
      return;
    }
    result.warnings.emplace_back(
        "A is not positive semidefinite: the problem is not convex, and the answer need not be a minimum");
  }

  // An answer to a problem that was not even converted. It is not measured.
  void leave_zero(const auto& problem, DriverResult& result) {
    converted_is_last_ = false;
    result.counts = {};
    result.measures = {};
    if constexpr (requires { problem.W; }) {
      result.r.setZero(problem.q.size());
      LocalContacts(problem, law(), measure_scratch_.ruler).certify(result);
    } else if constexpr (requires { problem.H; }) {
      result.r.setZero(problem.w.size());
      result.v.setZero(problem.f.size());
    } else {
      result.x.setZero(rows_of(problem));
      result.w.setZero(result.x.size());
      result.multipliers.resize(0);
    }
  }

  static Index rows_of(const Problem& problem) { return problem.b.size(); }
  static Index rows_of(const auto& problem) { return problem.q.size(); }

  // `form` is the contact form of the bodies.
  void solve_bodies(const BodyProblem& bodies, const AnyProblem& form, const Timer& clock,
                    DriverResult& result, const WarmStart* warm_start, Observer* observer) {
    remember(bodies.W());  // the bodies were checked when they were set
    terms_ = &bodies.q_terms();
    try {
      solve_form(form, clock, result, warm_start, observer);
    } catch (...) {
      terms_ = nullptr;
      throw;
    }
    terms_ = nullptr;
    if (result.status == Status::unsupported) return result.v.resize(0);  // there is no answer
    const auto& problem = std::get<LocalContactProblem>(form);
    ContactRuler& ruler = measure_scratch_.ruler;
    const bool as_given = contact_solver_ != nullptr && contact_solver_->law() == law();
    step_islands_.report(bodies, problem, as_given ? contact_solver_->ruler() : ruler, contact_solver_.get(),
                         result);
    if (step_islands_.follow_policy(bodies, problem, runner_.seconds(), warm_start != nullptr, observer,
                                    result)) {
      LocalContacts(problem, law(), ruler).certify(result);
      step_islands_.judge(bodies, problem, ruler, result);
      const bool solved = std::all_of(result.islands.begin(), result.islands.end(),
                                      [](const auto& island) { return island.status == Status::solved; });
      if (solved) {
        result.status = Status::solved;
        result.message.clear();
      } else if (result.status == Status::solved) {
        result.status = Status::stalled;
      }
    }
    contact_states(problem, law(), as_given ? contact_solver_->ruler() : ruler, result, result.states);
    result.v.resize(bodies.bodies() * bodies.dofs_per_body());
    bodies.velocities(result.r, result.v, request().settings.threads);
    result.seconds = runner_.seconds();
  }

  const SolveRequest& request() const { return runner_.request(); }
  FrictionLaw law() const { return request().friction; }

  // The friction coefficients, if the law needs bounds of friction that the problem does not give.
  const Vector* lacks_bounds(const AnyProblem& problem) const {
    if (law() != FrictionLaw::box_once) return nullptr;
    return std::visit(
        [](const auto& p) -> const Vector* {
          if constexpr (requires { p.friction_bounds; })
            return p.friction_bounds.size() == 0 && p.mu.size() > 0 ? &p.mu : nullptr;
          return nullptr;
        },
        problem);
  }

  // bounded_ <- the problem, with the bounds that its solution without friction gives. `given` is the same
  // problem, or its bodies.
  void set_bounds(const AnyProblem& problem, const auto& given, const Vector& mu, const WarmStart* start,
                  Observer* observer) {
    if (frictionless_ == nullptr) {
      SolveRequest without = request();
      without.friction = FrictionLaw::none;
      without.policy = {};
      frictionless_ = std::make_unique<Driver>(std::move(without));
    }
    frictionless_->set(request().settings);
    frictionless_->solve(given, without_friction_, start, observer);
    bounded_ = problem;
    std::visit(
        [&](auto& p) {
          if constexpr (requires { p.friction_bounds; }) {
            p.friction_bounds.setZero(mu.size());
            const Vector& r = without_friction_.r;  // empty if the method does not take the problem
            for (Index i = 0; i < mu.size() && p.dimension * i < r.size(); ++i)
              p.friction_bounds[i] = mu[i] * std::max(0.0, r[p.dimension * i]);
          }
        },
        bounded_);
  }

  // The solution without friction is a part of the answer.
  void add_frictionless(DriverResult& result) const {
    const DriverResult& first = without_friction_;
    std::visit(
        [&](const auto& p) {
          if constexpr (requires { p.friction_bounds; }) result.friction_bounds = p.friction_bounds;
        },
        bounded_);
    result.counts += first.counts;
    result.attempts.insert(result.attempts.begin(), first.attempts.begin(), first.attempts.end());
    for (std::size_t c = 0; c < result.islands.size(); ++c) {
      IslandReport& island = result.islands[c];
      island.error = std::max(island.error, first.islands[c].error);
      island.iterations += first.islands[c].iterations;
      island.seconds += first.islands[c].seconds;
      if (first.islands[c].status == Status::solved || island.status != Status::solved) continue;
      island.status = first.islands[c].status;
      if (island.remedy == Remedy::none) island.remedy = first.islands[c].remedy;
    }
    if (first.solved() || !result.solved()) return;
    result.status = first.status;
    result.message = "without friction, for the bounds: " + first.message;
  }

  // Under the laws that are not convex, a name of the catalog means a solver inside a sequence for contacts.
  // The methods then depend on the problem.
  void prepare_methods() {
    if (!(request().policy.looser >= 1.0))
      fail("the policy accepts a tolerance that is {} times looser, expected at least 1",
           request().policy.looser);
    if (runner_.automatic() && !runner_.options().empty()) fail("auto has no options: name a method");
    check_solver(request().solver, law());
    if (runner_.automatic()) return;
    if (find_solver(request().solver) != nullptr) {
      runner_.solver(request().solver);
    } else {
      prepare_contact_solver(takes_contacts(law(), 3, request().solver) ? 3 : 2);
    }
  }

  void check_options_without_contacts(const AnyProblem& problem) const {
    if (runner_.automatic()) return;
    if (find_solver(request().solver) == nullptr)
      fail("{} is for contact problems, and this is one of class {}", request().solver,
           name(classify(problem)));
    runner_.options().check_methods({request().solver});
  }

  void prepare_contact_solver(int dimension) {
    const bool with_device = request().settings.device >= 0;
    if (contact_solver_ != nullptr && contact_dimension_ == dimension && with_device == with_device_) return;
    with_device_ = with_device;
    contact_solver_ =
        runner_.automatic() && with_device
            ? make_automatic_solver_with_device(law(), dimension)
            : make_contact_solver(law(), dimension, request().solver, request().options, request().method);
    contact_name_ = contact_solver_name(law(), dimension, request().solver);
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

  // What the matrix tells is kept with it, and the set with the bounds.
  void solve_complementarity(const auto& problem, DriverResult& result, const auto& has_same_bounds) {
    const bool same_set = converted_.b.size() == problem.q.size() && has_same_bounds();
    const bool same_matrix = converted_.A.same_storage(problem.M);
    if (same_set) {
      converted_.b = problem.q;
      if (!same_matrix) {
        converted_.A = problem.M;
        converted_.symmetric = problem.M.asymmetry(scratch_) <= symmetry_tolerance;
      }
    } else {
      to_problem(problem, converted_, scratch_);
    }
    const bool known = std::exchange(converted_is_last_, false) && same_set && same_matrix;
    runner_.run(converted_, Form(), runner_.warm_start(), known, result);
    converted_is_last_ = true;
  }

  void run_chain(const Problem& problem, const Form& form, const WarmStart* start, DriverResult& result) {
    converted_is_last_ = false;
    runner_.run(problem, form, start, false, result);
  }

  void solve(const Problem& problem, DriverResult& result) {
    const WarmStart* start = runner_.warm_start();
    const auto solve_kkt = [&](DriverResult& r) {
      const KktConditions kkt(problem, request().settings.threads);
      run_chain(kkt.problem(), kkt, start, r);
    };
    const bool takes_rows = !problem.rows || runner_.automatic() ||
                            runner_.solver(request().solver).explain_unsupported(problem).empty();
    if (!takes_rows) return solve_kkt(result);
    run_chain(problem, Form(), start, result);
    if (!problem.rows || !runner_.automatic() || runner_.ends_chain(result)) return;
    // The methods that take linear rows, and then what is left of the rest.
    DriverResult other;
    solve_kkt(other);
    if (other.solved() || runner_.error_of(other) < runner_.error_of(result)) std::swap(result, other);
    result.attempts.insert(result.attempts.begin(), other.attempts.begin(), other.attempts.end());
  }

  void solve(const LocalContactProblem& problem, DriverResult& result) {
    // The convex law is that of a symmetric W: the rounding of a file is mended, and the problem is that one.
    const double asymmetry = law() == FrictionLaw::convex ? problem.W.asymmetry(scratch_) : 0.0;
    if (asymmetry > 0.0 && asymmetry <= rounded_asymmetry) {
      solve_local(symmetrized_.set(problem), result);
      return warn_of_asymmetry('W', asymmetry, result);
    }
    solve_local(problem, result);
  }

  void warn_of_asymmetry(char matrix, double asymmetry, DriverResult& result) {
    warning_.clear();
    append_format(warning_,
                  "{0} is not symmetric: entries differ by up to {1:.2e} of the largest; ({0} + {0}')/2 was "
                  "solved",
                  matrix, asymmetry);
    result.warnings.push_back(std::move(warning_));
  }

  void solve_local(const LocalContactProblem& problem, DriverResult& result) {
    const LocalContacts form(problem, law(), measure_scratch_.ruler);
    if (is_convex(law())) return solve_impulses(problem, form, result);
    prepare_contact_solver(problem.dimension);
    contact_solver_->divide_published_error_by_load(true);
    contact_solver_->judge_islands(terms_);
    // By the contact solver on this problem, unless that takes the law for another that is the same here.
    const Form as_given;
    const Form& measured = contact_solver_->law() == law() ? as_given : static_cast<const Form&>(form);
    runner_.run(*contact_solver_, contact_name_, problem, measured, result);
  }

  // A mass is symmetric: the rounding of a file is mended, and the problem is that one.
  void solve(const GlobalContactProblem& problem, DriverResult& result) {
    const double asymmetry = internal::asymmetry(problem.M, scratch_);
    if (!(asymmetry > 0.0)) return solve_global(problem, result);
    if (asymmetry > rounded_asymmetry)
      fail("the mass matrix M is not symmetric: entries differ by up to {:.2e} of the largest", asymmetry);
    GlobalContactProblem symmetric = problem;
    symmetric.M = symmetric_part(problem.M);
    solve_global(symmetric, result);
    warn_of_asymmetry('M', asymmetry, result);
  }

  void solve_global(const GlobalContactProblem& problem, DriverResult& result) {
    const bool convex = is_convex(law());
    if (!convex) prepare_contact_solver(problem.dimension);
    const bool products_only = !convex && contact_solver_->takes_products_only();
    condensed_.set(problem, !products_only && request().condensation == Condensation::by_cost
                                ? Condensation::assembled
                                : request().condensation);
    result.implicit = storage_of<CondensedOperator>(condensed_.local().W) != nullptr;
    const CondensedContacts form(problem, law(), condensed_, measure_scratch_);
    if (convex) return solve_impulses(condensed_.local(), form, result);
    contact_solver_->divide_published_error_by_load(false);
    contact_solver_->judge_islands(nullptr);
    runner_.run(*contact_solver_, contact_name_, condensed_.local(), form, result);
  }

  void solve_impulses(const LocalContactProblem& problem, const Form& outer, DriverResult& result) {
    if (!runner_.automatic()) runner_.options().check_methods({request().solver});
    impulses_.set(problem, law());
    const ConvexContacts form(problem, impulses_, outer);
    const WarmStart* given = runner_.warm_start();
    const bool fits = given != nullptr && form.convert(*given, impulse_start_);
    run_chain(impulses_.problem, form, fits ? &impulse_start_ : nullptr, result);
  }

  ChainRunner runner_;
  std::unique_ptr<ContactSolver> contact_solver_;
  std::string contact_name_;
  int contact_dimension_ = 0;      // of the contact solver
  bool with_device_ = false;       // it is the one for a device
  const Vector* terms_ = nullptr;  // of q, in a step of bodies
  StepIslands step_islands_{runner_.request()};

  // Known about the last matrix.
  Operator valid_;
  Problem converted_;
  bool converted_is_last_ = false;  // it is what the runner has seen last
  CondensedProblem condensed_;
  GlobalMeasureScratch measure_scratch_;
  SymmetrizedProblem symmetrized_;
  ImpulseProblem impulses_;
  WarmStart impulse_start_;
  // Of the law box_once.
  std::unique_ptr<Driver> frictionless_;
  DriverResult without_friction_;
  AnyProblem bounded_;
  std::vector<int> scratch_;
  std::string warning_;
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

void Driver::solve(const BodyProblem& problem, DriverResult& result, const WarmStart* warm_start,
                   Observer* observer) {
  work_->solve(problem, result, warm_start, observer);
}

DriverResult solve(const AnyProblem& problem, const SolveRequest& request, const WarmStart* warm_start,
                   Observer* observer) {
  DriverResult result;
  Driver(request).solve(problem, result, warm_start, observer);
  if (result.solved()) {
    result.message = fmt::format("solved after {} iterations, {} {:.2e}{}{}", result.counts.iterations,
                                 request.measure, result.measures.*find_measure(request.measure)->value,
                                 result.message.empty() ? "" : "; ", result.message);
  }
  return result;
}

std::string describe(const Attempt& attempt) {
  const std::string why = attempt.reason.empty() ? "" : fmt::format(" ({})", attempt.reason);
  const auto counted = [](std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  const std::string after = counted(attempt.iterations, "iteration");
  if (attempt.islands > 0) {
    const std::string with =
        attempt.contacts > 0 ? fmt::format(" with {}", counted(attempt.contacts, "contact")) : "";
    return fmt::format("{}{}: {} of {}{} solved after {}", attempt.solver, why, attempt.solved_islands,
                       counted(attempt.islands, "island"), with, after);
  }
  return fmt::format("{}{}: {} after {}, error {:.2e}", attempt.solver, why, name(attempt.status), after,
                     attempt.error);
}

}  // namespace slipstick
