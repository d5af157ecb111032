// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/coulomb_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal {
namespace {

constexpr double work_per_contact = 1000.0;  // of the least a method does

// Shows the iterations of islands to an observer of the whole problem. Errors of islands are relative to
// their targets.
class IslandObserver : public Observer {
 public:
  IslandObserver(Observer& observer, std::mutex& one_at_a_time, double tolerance)
      : observer_(observer), one_at_a_time_(one_at_a_time), tolerance_(tolerance) {}
  bool observe(const Iteration& iteration) override {
    const std::lock_guard lock(one_at_a_time_);
    Iteration shown = iteration;
    shown.error *= tolerance_;
    return observer_.observe(shown);
  }
  bool cancelled() const override { return observer_.cancelled(); }

 private:
  Observer& observer_;
  std::mutex& one_at_a_time_;
  double tolerance_;
};

}  // namespace

CoulombSolver::CoulombSolver(std::function<Chain()> make, FrictionLaw law)
    : make_(std::move(make)), law_(law) {
  blocks_.set_boxes(law == FrictionLaw::box);
  chains_.push_back(make_());
}

void CoulombSolver::run(const Run& run) {
  if (!std::isinf(run.settings.time_limit)) timer_ = {};
  start(run);
  bool all_solved = share_out(run);
  if (!all_solved && blocks_.has_hopeless_row()) {
    run.result.status = Status::infeasible;
    return;
  }
  const std::size_t stages = chains_.front().size();
  for (std::size_t stage = 0; stage < stages && !all_solved; ++stage) {
    if (!has_turn(chains_.front()[stage])) continue;
    run_stage(run, stage);
    all_solved = share_out(run);
    if (run.result.status == Status::cancelled || run.result.status == Status::time_limit) break;
  }
  if (stages == 1) attempts_.clear();
  if (all_solved) run.result.status = Status::solved;
  blocks_.scatter(r_, run.result.r);
}

bool CoulombSolver::has_turn(const Stage& stage) const {
  return blocks_.products_only() ? stage.method().takes_products_only() : !stage.products_only;
}

bool CoulombSolver::takes_products_only() const {
  return std::any_of(chains_.front().begin(), chains_.front().end(),
                     [](const Stage& stage) { return stage.method().takes_products_only(); });
}

std::string CoulombSolver::explain_unsupported(const LocalContactProblem& problem) const {
  if (storage_of<CondensedOperator>(problem.W) == nullptr || takes_products_only()) return {};
  return fmt::format("{} needs the rows of W, which has to be assembled for it",
                     chains_.front().front().method().name());
}

// Sets the starting point and computes its errors.
void CoulombSolver::start(const Run& run) {
  blocks_.prepare(run.problem, run.settings);
  while (static_cast<int>(chains_.size()) < blocks_.tasks().threads()) chains_.push_back(make_());
  u_.resize(blocks_.q().size());
  last_r_.resize(u_.size());
  const bool warm = run.warm_start != nullptr;
  if (warm) {
    blocks_.gather(run.warm_start->x, r_);
  } else {
    r_.setZero(u_.size());
  }
  // Without impulses u is q.
  const Vector& u = warm ? u_ : blocks_.q();
  states_.resize(blocks_.islands().size());
  if (run.terms != nullptr) blocks_.gather(*run.terms, terms_);
  blocks_.tasks().run([&](std::size_t c, int) {
    const Island& island = blocks_.islands()[c];
    IslandState& state = states_[c];
    const Index d = blocks_.dimension();
    state.warm = warm && !r_.segment(d * island.begin, d * island.nodes()).isZero(0.0);
    if (warm) blocks_.velocities(island, r_, u_);
    state.errors = island_errors(blocks_, island, r_, u);
    state.stages = 0;
    state.work = {};
    if (run.terms != nullptr) {
      state.load = infinity;
      for_judged(island, [&](const Island& part) { state.load = std::min(state.load, load(part)); });
      state.worst = worst_share(island, u);
    }
  });
  ++run.result.counts.products;
}

// The load of an island, at least that of rounding.
double CoulombSolver::load(const Island& island) const {
  double load = 0.0, terms = 0.0;
  for (int i = island.begin; i < island.end; ++i) {
    for (int a = 0; a < blocks_.dimension(); ++a) {
      const double weight = i < island.joints ? blocks_.weight(i) : 1.0 / blocks_.row_scale(i, a);
      const double term = terms_[static_cast<Index>(blocks_.dimension()) * i + a];
      load += weight * blocks_.q(i)[a] * blocks_.q(i)[a];
      terms += weight * term * term;
    }
  }
  return std::max(load, load_rounding * load_rounding * terms);
}

// Lone contacts share an island, but each of them must meet the tolerance by itself. Calls visit(part) for
// these, or for the island.
void CoulombSolver::for_judged(const Island& island, const auto& visit) const {
  if (!blocks_.has_lone_contacts(island)) return visit(island);
  for (int i = island.begin; i < island.end; ++i) visit(Island{i, i + 1, i + 1});
}

// The largest squared error relative to its load. `u` belongs to r_.
double CoulombSolver::worst_share(const Island& island, const Vector& u) const {
  double worst = 0.0;
  for_judged(island, [&](const Island& part) {
    const double squared = island_errors(blocks_, part, r_, u).scaled;
    if (squared != 0.0) worst = std::max(worst, squared / load(part));
  });
  return worst;
}

// Returns true if the whole problem is solved. Otherwise sets the targets of the islands that are not solved.
bool CoulombSolver::share_out(const Run& run) {
  constexpr double reserve = 0.99;  // norms change, and sums are rounded
  ContactErrors whole;
  for (const IslandState& state : states_) {
    whole.scaled += state.errors.scaled;
    whole.published += state.errors.published;
    whole.impulses += state.errors.impulses;
    whole.velocities += state.errors.velocities;
  }
  const double norm = run.published_by_load ? blocks_.norm() : 0.0;  // the norm in published errors
  const double largest = std::max(norm, std::sqrt(std::max(whole.impulses, whole.velocities)));
  const double scaled_bound =
      (run.settings.measure == ErrorMeasure::desaxce ? largest_scaled_error : run.settings.tolerance) *
      blocks_.weighted_norm();
  const double published_bound = run.settings.tolerance * largest;
  const double squared_share = run.settings.tolerance * run.settings.tolerance;  // of an island's own load
  const bool alone = run.terms != nullptr;
  const bool islands_hold = !alone || std::all_of(states_.begin(), states_.end(), [&](const auto& state) {
    return state.worst <= squared_share;
  });
  if (islands_hold && whole.scaled <= scaled_bound * scaled_bound &&
      whole.published <= published_bound * published_bound)
    return true;

  // An island whose error is within its share is solved. The other islands share the rest.
  double scaled_left = std::pow(reserve * scaled_bound, 2);
  double published_left = std::pow(reserve * published_bound, 2);
  double contacts_left = 0.0;
  const double per_contact = 1.0 / std::max(1, blocks_.nodes());
  const auto weight = [&](std::size_t c) { return static_cast<double>(blocks_.islands()[c].nodes()); };
  const double scaled_share = per_contact * scaled_left, published_share = per_contact * published_left;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    IslandState& state = states_[c];
    state.solved = (alone ? state.worst <= squared_share : state.errors.scaled <= weight(c) * scaled_share) &&
                   state.errors.published <= weight(c) * published_share;
    if (state.solved) {
      scaled_left -= state.errors.scaled;
      published_left -= state.errors.published;
    } else {
      contacts_left += weight(c);
    }
  }
  for (std::size_t c = 0; c < states_.size(); ++c) {
    IslandState& state = states_[c];
    if (state.solved) continue;
    const double share = weight(c) / contacts_left;
    const double scaled =
        alone ? reserve * std::sqrt(squared_share * state.load) : std::sqrt(scaled_left * share);
    const double published = std::sqrt(published_left * share);
    state.target = {.scaled = scaled,
                    .published = published * (norm / largest),
                    .relative = published / largest,
                    .squared_impulses = std::max(0.0, whole.impulses - state.errors.impulses),
                    .squared_velocities = std::max(0.0, whole.velocities - state.errors.velocities),
                    .change = std::min(scaled, published)};
  }
  return false;
}

// Uses only counted quantities, so that the same problem always takes the same way.
bool CoulombSolver::takes(const Run& run, std::size_t stage, std::size_t c) const {
  const IslandState& state = states_[c];
  const Stage& row = chains_.front()[stage];
  if (state.solved) return false;
  if (!row.takes) return true;
  const double relative = run.settings.measure == ErrorMeasure::desaxce
                              ? std::sqrt(state.errors.published) / state.target.published
                              : std::sqrt(state.errors.scaled) / state.target.scaled;
  const Island& island = blocks_.islands()[c];
  double friction = 0.0;
  for (int i = island.begin; i < island.joints; ++i) friction += blocks_.mu(i);
  return row.takes({.dimension = blocks_.dimension(),
                    .contacts = island.contacts(),
                    .joints = island.end - island.joints,
                    .friction = friction / std::max(1, island.contacts()),
                    .error = relative * run.settings.tolerance,
                    .excess = relative,
                    .warm = state.warm,
                    .stages = state.stages});
}

void CoulombSolver::run_stage(const Run& run, std::size_t stage) {
  bool any = false;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    states_[c].taken = takes(run, stage, c);
    states_[c].counts = {};
    if (states_[c].taken) states_[c].stages |= std::uint64_t{1} << stage;
    any = any || states_[c].taken;
  }
  if (!any) return;
  blocks_.tasks().run([&](std::size_t c, int thread) {
    run_island(run, stage, c, chains_[static_cast<std::size_t>(thread)]);
  });
  Attempt& attempt = attempts_.emplace_back();
  attempt.reason = chains_.front()[stage].reason;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    IslandState& state = states_[c];
    if (!state.taken) continue;
    attempt.solver = state.method;
    const bool solved_now = state.status == Status::solved;
    ++attempt.islands;
    attempt.contacts += blocks_.islands()[c].contacts();
    attempt.solved_islands += solved_now;
    attempt.iterations += state.counts.iterations;
    if (attempt.status == Status::not_run || !solved_now) attempt.status = state.status;
    run.result.counts += state.counts;
    const bool ends_all = run.result.status == Status::cancelled || run.result.status == Status::time_limit;
    if (!solved_now && !ends_all) run.result.status = state.status;
  }
}

void CoulombSolver::run_island(const Run& run, std::size_t stage, std::size_t c, const Chain& chain) {
  IslandState& state = states_[c];
  if (!state.taken) return;
  const Island& island = blocks_.islands()[c];
  CoulombMethod& method = chain[stage].method();
  state.method = method.name();
  std::optional<IslandObserver> observer;
  if (run.observer != nullptr) observer.emplace(*run.observer, observing_, run.settings.tolerance);
  Settings settings{
      .tolerance = 1.0, .max_iterations = run.settings.max_iterations, .time_limit = time_left(run)};
  Monitor monitor(settings, method.default_max_iterations(), observer ? &*observer : nullptr);
  const double error_before = relative_error(state.errors, state.target);
  std::optional<ContactErrors> errors;
  CoulombMethod::Context own{blocks_, island, state.target, monitor, state.counts, r_};
  own.threads = blocks_.tasks().island_threads();
  own.warm = run.warm_start != nullptr && stage == 0;
  own.error = chain[stage].cold ? infinity : error_before;
  own.errors = &errors;
  if (chain[stage].cold) {
    copy_island(own, r_, last_r_);
    island_of(own, r_).setZero();
  }
  if (run.terms != nullptr) {
    const Timer timer;
    run_method(method, own);
    state.work.seconds += timer.seconds();
    state.work.solver = state.method;
    state.work.iterations += monitor.iterations();
  } else {
    run_method(method, own);
  }
  state.counts.iterations = monitor.iterations();
  if (!errors) {
    blocks_.velocities(island, r_, u_);
    errors = island_errors(blocks_, island, r_, u_);
  }
  state.status = monitor.status();
  if (chain[stage].cold && error_before < relative_error(*errors, state.target)) {
    copy_island(own, last_r_, r_);
  } else {
    state.errors = *errors;
    if (run.terms == nullptr) return;
    if (blocks_.has_lone_contacts(island)) {
      blocks_.velocities(island, r_, u_);
      state.worst = worst_share(island, u_);
    } else {
      state.worst = errors->scaled == 0.0 ? 0.0 : errors->scaled / state.load;
    }
  }
}

// An interrupted method leaves the r that it has reached.
void CoulombSolver::run_method(CoulombMethod& method, const CoulombMethod::Context& context) {
  try {
    count_work(work_per_contact * context.island.nodes());
    method.run(context);
  } catch (const Interrupted& interrupted) {
    context.monitor.stop(interrupted.reason);
    context.errors->reset();
    if (!island_of(context, context.r).allFinite()) island_of(context, context.r).setZero();
  }
}

const ContactSolver::IslandWork* CoulombSolver::find_island_work(Index row) const {
  const int node = blocks_.node_of(static_cast<int>(row));
  const auto islands = blocks_.islands();
  const auto after = std::partition_point(islands.begin(), islands.end(),
                                          [&](const Island& island) { return island.begin <= node; });
  const IslandWork& work = states_[static_cast<std::size_t>(after - islands.begin()) - 1].work;
  return work.solver.empty() ? nullptr : &work;
}

// The island that has nearly all nodes, so that there is nothing to share out among threads.
double CoulombSolver::time_left(const Run& run) const {
  const double limit = run.settings.time_limit;
  return std::isinf(limit) ? limit : std::max(1e-9, limit - timer_.seconds());
}

}  // namespace slipstick::internal
