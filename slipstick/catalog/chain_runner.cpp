// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/chain_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/island_solver.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_tightenings = 8;

const MeasureName& judging_measure(const std::string& name) {
  const MeasureName* measure = find_measure(name);
  if (measure != nullptr && measure->judges) return *measure;
  std::string names;
  for (const MeasureName& row : measure_names()) {
    if (row.judges) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  fail("'{}' is no error measure that judges; there are: {}", name, names);
}

// A kept result mostly has the name already.
void set_solver_name(std::string_view name, DriverResult& result) {
  if (result.solver != name) result.solver = name;
}

}  // namespace

class ChainRunner::Task {
 public:
  virtual ~Task() = default;
  virtual void solve(const Settings& settings, const WarmStart* start, DriverResult& result) = 0;
  virtual const Vector& unknowns(const Result& result) const = 0;
  virtual void measure_zero(Result& result) const = 0;
};

class ChainRunner::ConvexTask : public Task {
 public:
  ConvexTask(Solver& solver, const Problem& problem, Observer* observer)
      : solver_(solver), problem_(problem), observer_(observer) {}
  void solve(const Settings& settings, const WarmStart* start, DriverResult& result) override {
    solver_.solve(problem_, settings, result, start, observer_);
  }
  const Vector& unknowns(const Result& result) const override { return result.x; }
  void measure_zero(Result& result) const override {
    result.x.setZero(problem_.b.size());
    problem_.K.project(result.x);
    result.multipliers.setZero();
    Ruler ruler;
    ruler.prepare(problem_);
    measure(problem_, ruler, result, 1, result.measures);
  }

 private:
  Solver& solver_;
  const Problem& problem_;
  Observer* observer_;
};

class ChainRunner::ContactTask : public Task {
 public:
  ContactTask(ContactSolver& solver, const LocalContactProblem& problem, Observer* observer)
      : solver_(solver), problem_(problem), observer_(observer) {}
  void solve(const Settings& settings, const WarmStart* start, DriverResult& result) override {
    solver_.solve(problem_, settings, result, start, observer_);
    for (const Attempt& attempt : solver_.attempts()) result.attempts.push_back(attempt);
  }
  const Vector& unknowns(const Result& result) const override { return result.r; }
  void measure_zero(Result& result) const override {
    result.r.setZero();
    measure(problem_, solver_.law(), result, result.measures);
  }

 private:
  ContactSolver& solver_;
  const LocalContactProblem& problem_;
  Observer* observer_;
};

ChainRunner::ChainRunner(SolveRequest request)
    : request_(std::move(request)),
      measure_(judging_measure(request_.measure)),
      options_(request_.solver, request_.options, request_.method),
      automatic_(request_.solver == "auto") {
  set(request_.settings);
}

ChainRunner::~ChainRunner() = default;

void ChainRunner::set(const Settings& settings) {
  check_settings(settings);
  if (std::isinf(settings.tolerance)) fail("the tolerance must be a number >= 0, not {}", settings.tolerance);
  if (settings.time_limit == 0.0) fail("the time limit must be above 0 seconds, not {}", settings.time_limit);
  if (settings.device >= 0) {
    if (const std::string reason = explain_wrong_device(settings.device); !reason.empty()) fail("{}", reason);
  }
  request_.settings = settings;
  if (measure_.value == &Measures::desaxce) request_.settings.measure = ErrorMeasure::desaxce;
}

Solver& ChainRunner::solver(std::string_view name) {
  for (const auto& [known, kept] : solvers_) {
    if (known == name) return *kept;
  }
  solvers_.emplace_back(name, make_solver(name, options_.text(name), options_.typed(name)));
  return *solvers_.back().second;
}

void ChainRunner::start(const WarmStart* warm_start, Observer* observer, const Timer& clock) {
  timer_ = clock;
  warm_start_ = warm_start;
  observer_ = observer;
}

void ChainRunner::run(const Problem& problem, const Form& form, const WarmStart* start, bool known,
                      DriverResult& result) {
  const bool loose = request_.settings.tolerance >= loose_tolerance;
  const bool with_device = request_.settings.device >= 0;
  if (!known || loose != loose_chain_ || with_device != device_chain_) {
    loose_chain_ = loose;
    device_chain_ = with_device;
    bool on_device = false;
    presolve_.prepare(problem);
    if (automatic_) {
      auto_choice(problem, presolve_.diagonal(), request_.settings.tolerance, chain_);
      on_device = with_device && add_device_methods(problem, chain_);
    } else {
      chain_ = {{request_.solver, 0, "asked for"}};
    }
    if (island_solver_ == nullptr && may_split()) island_solver_ = std::make_unique<IslandSolver>(request_);
    has_islands_ = !on_device && may_split() && island_solver_->prepare(problem);
  }
  if (presolve_.proves_infeasible(problem, result)) {
    set_solver_name("presolve", result);
    form.certify(result);
  } else if (!has_islands_ || !may_split() || !solve_islands(problem, form, start, result)) {
    run_chain(problem, form, start, result);
  }
}

void ChainRunner::run(ContactSolver& solver, std::string_view name, const LocalContactProblem& problem,
                      const Form& form, DriverResult& result) {
  ContactTask task(solver, problem, observer_);
  attempt(task, request_.settings, warm_start_, form, result);
  explain_failure(result);
  set_solver_name(result.attempts.empty() ? name : result.attempts.back().solver, result);
}

bool ChainRunner::ends_chain(const Result& result) {
  if (result.status == Status::infeasible || result.status == Status::unbounded) {
    // A claim about linear rows must be proved.
    return result.proved || (result.status == Status::infeasible && result.multipliers.size() == 0);
  }
  return result.solved() || result.status == Status::cancelled || result.status == Status::time_limit;
}

// Works through the methods until one's answer is certified; leaves the best answer.
void ChainRunner::run_chain(const Problem& problem, const Form& form, const WarmStart* start,
                            DriverResult& result) {
  attempts_.clear();
  bool have_best = false;
  for (std::size_t k = 0; k < chain_.size(); ++k) {
    const AutoStep& step = chain_[k];
    Settings settings = request_.settings;
    if (settings.max_iterations == 0 && k + 1 < chain_.size()) settings.max_iterations = step.max_iterations;
    set_solver_name(step.solver, result);
    ConvexTask task(solver(step.solver), problem, observer_);
    attempt(task, settings, start, form, result);
    if (automatic_) {
      if (result.status == Status::unsupported && have_best) continue;
      attempts_.push_back({.solver = step.solver,
                           .reason = step.reason,
                           .status = result.status,
                           .iterations = result.counts.iterations,
                           .error = error_of(result)});
    }
    const bool last = ends_chain(result);
    const bool better = !have_best || best_.status == Status::unsupported || result.solved() ||
                        (result.status != Status::unsupported && error_of(result) < error_of(best_));
    if (better && last) {
      have_best = false;  // it is in place
      break;
    }
    if (last) {
      // The best answer stays, the reason for ending is the last method's.
      explain_failure(result);
      best_.status = result.status;
      best_.message = fmt::format("{}; the best answer is by {}", result.message, best_.solver);
      best_.ray.swap(result.ray);
      best_.farkas.swap(result.farkas);
      best_.proved = result.proved;
      std::swap(best_, result);
      result.attempts = attempts_;
      return;
    }
    if (better) {
      std::swap(best_, result);
      have_best = true;
    }
  }
  if (have_best) std::swap(best_, result);
  explain_failure(result);
  result.attempts = attempts_;
}

// Iterations of an island are not those of the whole, nor are other measures.
bool ChainRunner::may_split() const {
  return automatic_ && judged_by_ruler() && request_.settings.max_iterations == 0;
}

// If an island is not solved, the chain runs on the whole problem. A start that is a solution costs one
// product.
bool ChainRunner::solve_islands(const Problem& problem, const Form& form, const WarmStart* start,
                                DriverResult& result) {
  Settings settings = request_.settings;
  ruler_.prepare(problem);
  const auto accept = [&] {
    result.status = Status::solved;
    result.message.clear();
    form.certify(result);
    return error_of(result) <= request_.settings.tolerance;
  };
  if (start != nullptr && start->x.size() == problem.b.size()) {
    result.x = start->x;
    measure(problem, ruler_, result, settings.threads, result.measures);
    result.counts = {.products = 1};
    result.start_used = true;
    result.attempts.clear();
    set_solver_name("", result);
    if (result.measures.scaled_natural_map <= settings.tolerance && accept()) return true;
  }
  if (!std::isinf(settings.time_limit))
    settings.time_limit = std::max(1e-9, settings.time_limit - timer_.seconds());
  if (!island_solver_->solve(problem, settings, start, observer_, result)) return false;
  measure(problem, ruler_, result, settings.threads, result.measures);
  return accept();
}

// One method, with the tolerance tightened while it is content and the measure asked for is not met.
void ChainRunner::attempt(Task& task, Settings settings, const WarmStart* start, const Form& form,
                          DriverResult& result) {
  const double tolerance = request_.settings.tolerance;
  bool start_used = false;
  Counts total;
  for (int tightening = 0;; ++tightening) {
    const double limit = request_.settings.time_limit;
    if (!std::isinf(limit)) settings.time_limit = std::max(1e-9, limit - timer_.seconds());
    task.solve(settings, start, result);
    result.counts = total += result.counts;
    if (tightening == 0) start_used = result.start_used;
    result.start_used = start_used;
    if (result.status == Status::unsupported) return;
    const bool content = result.status == Status::solved;
    last_answer_.x = task.unknowns(result);
    form.certify(result);
    if (is_solved(task, form, content, result)) {
      result.status = Status::solved;
      if (!content) result.message.clear();
      return;
    }
    if (content) result.status = Status::stalled;
    if (!content || tightening >= most_tightenings) break;
    settings.tolerance *= std::clamp(0.5 * tolerance / error_of(result), 1e-4, 0.5);
    start = &last_answer_;
  }
}

// What became of the method, before what it has to say itself.
void ChainRunner::explain_failure(DriverResult& result) {
  if (result.solved() || result.status == Status::unsupported) return;
  message_.clear();
  append_format(message_, "{} after {} iterations, {} {:.2e}{}{}", name(result.status),
                result.counts.iterations, measure_.name, result.measures.*measure_.value,
                result.message.empty() ? "" : "; ", result.message);
  result.message = message_;  // which has room
}

// Whether the measure asked for is met, by an answer that is better than no impulse unless that is a solution
// too. Another measure than the scaled natural map can call huge wrong impulses solved. A method that is
// content has asked the same of the problem that it had.
bool ChainRunner::is_solved(const Task& task, const Form& form, bool content, const DriverResult& result) {
  const double tolerance = request_.settings.tolerance;
  if (!(error_of(result) <= tolerance)) return false;
  const double scaled = result.measures.scaled_natural_map;
  if (judged_by_ruler() || scaled <= tolerance || (content && form.is_as_given())) return true;
  if (!(scaled <= largest_scaled_error)) return false;
  zero_ = result;
  task.measure_zero(zero_);
  form.certify(zero_);
  return scaled <= share_of_zero_error * zero_.measures.scaled_natural_map ||
         zero_.measures.*measure_.value <= tolerance;
}

double ChainRunner::error_of(const Result& result) const {
  const double scaled = result.measures.scaled_natural_map;
  double error = result.measures.*measure_.value;
  if (judged_by_ruler()) {
    error = contact_error(result.measures, request_.friction);
  } else if (!(scaled <= largest_scaled_error)) {
    error = std::max(error, scaled);
  }
  return std::isnan(error) ? infinity : error;
}

}  // namespace slipstick::internal
