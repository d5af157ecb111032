// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/step_islands.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/measures/natural_map.hpp"
#include "slipstick/problems/island_rows.hpp"

namespace slipstick::internal {
namespace {

// Contradicting joints.
constexpr double null_share = 1e-9;  // shift of W, relative to its largest entry
// The least eigenvalue of a chain of joints falls with the square of its length, and must be above the shift.
constexpr Index most_joint_rows = 3000;  // more are not looked at
constexpr int null_turns = 4;
constexpr double contradiction_share = 1e-9;  // least contradiction, relative to the terms of q
constexpr double key_share = 1e-3;            // least part of a row in it whose key is named

// Rest.
constexpr double rest_share = 10.0;       // the slip of what sticks is at most this many times the error
constexpr double rest_error = 1e-8;       // a larger one moves a body visibly in some minutes
constexpr double rest_speed = 3.0;        // of what impulses change in the step
constexpr double rest_tolerance = 1e-11;  // what is tried then
constexpr Index most_rest_contacts = 300, most_rest_rows = 1200;  // more would take too long

}  // namespace

void StepIslands::report(const BodyProblem& bodies, const LocalContactProblem& problem,
                         const ContactRuler& ruler, const ContactSolver* solver, DriverResult& result) {
  find(*storage_of<DelassusOperator>(bodies.W()), result);
  result.infeasible_keys.assign(bodies.infeasible_keys().begin(), bodies.infeasible_keys().end());
  for (IslandReport& island : result.islands) {
    island.law = request_.friction;
    island.solver = {};
  }
  for (std::size_t row = 0; row < result.island_of.size(); ++row) {
    IslandReport& island = result.islands[static_cast<std::size_t>(result.island_of[row])];
    if (++island.rows > 1) continue;
    const auto* work = solver != nullptr ? solver->island_work(static_cast<Index>(row)) : nullptr;
    if (work == nullptr) continue;
    island.solver = work->solver;
    island.iterations = work->iterations;
    island.seconds = work->seconds;
  }
  for (Index i = 0; i < problem.contacts(); ++i)
    ++result.islands[static_cast<std::size_t>(result.island_of[problem.dimension * i])].contacts;
  judge(bodies, problem, ruler, result);
}

void StepIslands::find(const DelassusOperator& graph, DriverResult& result) {
  result.island_of.resize(static_cast<std::size_t>(graph.rows()));
  for (std::size_t k = 0; k < graph.constraints().size(); ++k) {
    const Constraint& constraint = graph.constraints()[k];
    std::fill_n(result.island_of.begin() + constraint.row, constraint.rows, graph.island_of(k));
  }
  result.islands.assign(static_cast<std::size_t>(graph.islands()), {});
}

void StepIslands::judge(const BodyProblem& bodies, const LocalContactProblem& problem,
                        const ContactRuler& ruler, DriverResult& result) {
  const Vector& terms = bodies.q_terms();
  loads_.assign(result.islands.size(), {});
  weighted_ = problem.joint_rows() > 0;
  const Index d = problem.dimension;
  const auto add = [&](Index row, Index rows, double weight, double squared_error) {
    Load& load = loads_[static_cast<std::size_t>(result.island_of[static_cast<std::size_t>(row)])];
    load.error += squared_error;
    load.load += weight * problem.q.segment(row, rows).squaredNorm();
    load.floor += weight * terms.segment(row, rows).squaredNorm();
    // Of contacts the slip.
    const Index first = rows > 1 ? 1 : 0;
    if (result.r[row] != 0.0)
      load.motion += weight * result.u.segment(row + first, rows - first).squaredNorm();
  };
  for (Index i = 0; i < problem.contacts(); ++i)
    add(d * i, d, ruler.weight(i), ruler.squared_error(i, result.r, result.u));
  for (Index j = 0; j < problem.joint_rows(); ++j) {
    const Index row = problem.contact_rows() + j;
    const double scale = ruler.joint_scale()[j];
    const double error = row_error(result.r[row], result.u[row], scale, problem.lower[j], problem.upper[j]);
    add(row, 1, 1.0 / scale, error / scale * error);
  }
  const bool judged_by_ruler = request_.measure == "scaled_natural_map";
  for (std::size_t c = 0; c < loads_.size(); ++c) {
    IslandReport& island = result.islands[c];
    if (island.remedy == Remedy::convex_law) continue;  // judged under that law
    const double divisor = std::max(loads_[c].load, load_rounding * load_rounding * loads_[c].floor);
    island.error = std::sqrt(detail::ratio(loads_[c].error, divisor));
    if (island.error <= request_.settings.tolerance || (result.solved() && !judged_by_ruler)) {
      island.status = Status::solved;
    } else if (island.status == Status::not_run || island.status == Status::solved) {
      island.status = result.solved() ? Status::stalled : result.status;
    }
  }
}

bool StepIslands::follow_policy(const BodyProblem& bodies, const LocalContactProblem& problem, double seconds,
                                bool warm, Observer* observer, DriverResult& result) {
  if (result.status == Status::cancelled || result.status == Status::time_limit ||
      result.status == Status::unsupported)
    return false;
  bool changed = false;
  seconds_ = seconds;
  timer_ = {};
  speeds_.clear();
  try {
    for (std::size_t c = 0; c < result.islands.size(); ++c) {
      const bool solved = result.islands[c].status == Status::solved;
      if (solved &&
          !(warm && creeps(static_cast<int>(c), result) && is_near_rest(bodies, static_cast<int>(c), result)))
        continue;
      changed = true;
      if (const Interruption* interruption = Interruption::current()) interruption->look();
      set_island(problem, *storage_of<DelassusOperator>(bodies.W()), static_cast<int>(c), result);
      if (solved) {
        settle(static_cast<int>(c), observer, result);
        continue;
      }
      if (!contradicts(bodies, result)) {
        remedy(static_cast<int>(c), observer, result);
        continue;
      }
      IslandReport& island = result.islands[c];
      start_.x.setZero();
      solve_under(request_.friction, request_.settings.tolerance, observer, island);
      for (std::size_t k = 0; k < rows_.size(); ++k) result.r[rows_[k]] = answer_.r[static_cast<Index>(k)];
      island.status = Status::infeasible;
    }
  } catch (const Interrupted& interrupted) {
    result.status = interrupted.reason;  // unless all islands are solved
  }
  return changed;
}

// part_ <- the rows of the island, which are contacts and then joints as in the whole.
void StepIslands::set_island(const LocalContactProblem& whole, const DelassusOperator& graph, int island,
                             const DriverResult& result) {
  find_island_rows(result.island_of, island, rows_);
  if (!std::holds_alternative<LocalContactProblem>(part_)) part_ = LocalContactProblem{};
  auto& island_problem = std::get<LocalContactProblem>(part_);
  copy_island(whole, rows_, island_problem);
  const auto part = parts_.take();
  graph.copy_principal_submatrix(rows_, *part, scratch_);
  island_problem.W = Operator(std::shared_ptr<const DelassusOperator>(part));
  start_.x.resize(static_cast<Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) start_.x[static_cast<Index>(k)] = result.r[rows_[k]];
}

// Joints contradict each other if W does not move a combination of them, but their q does. Lists the keys of
// such joints, and removes that part of q from part_. Only for rows without bounds and compliance.
bool StepIslands::contradicts(const BodyProblem& bodies, DriverResult& result) {
  auto& part = std::get<LocalContactProblem>(part_);
  std::vector<int> free;
  for (Index j = 0; j < part.joint_rows(); ++j)
    if (part.lower[j] == -infinity && part.upper[j] == infinity)
      free.push_back(static_cast<int>(part.contact_rows() + j));
  const auto count = static_cast<Index>(free.size());
  if (count == 0 || count > most_joint_rows) return false;
  const CsrMatrix joints = storage_of<DelassusOperator>(part.W)->principal_submatrix(free).to_csr();
  const double shift = null_share * joints.diagonal().maxCoeff();
  CsrMatrix lower = joints.triangularView<Eigen::Lower>();
  for (Index i = 0; i < count; ++i) lower.coeffRef(i, i) += shift;
  SparseCholesky factor;
  factor.analyze(lower);
  if (!(shift > 0.0) || !factor.factorize(lower)) return false;
  Vector contradiction(count);  // what no impulse can change of their q
  double terms = 0.0;
  for (Index i = 0; i < count; ++i) {
    contradiction[i] = part.q[free[i]];
    terms = std::max(terms, bodies.q_terms()[rows_[free[i]]]);
  }
  // shift (W + shift)^-1 leaves the null space as it is, and removes the rest in a few turns.
  const auto keep_null_space = [&] {
    for (int turn = 0; turn < null_turns; ++turn) {
      factor.solve(contradiction);
      contradiction *= shift;
    }
  };
  keep_null_space();
  const double size = contradiction.lpNorm<Eigen::Infinity>();
  if (!(size > contradiction_share * terms)) return false;
  for (Index i = 0; i < count; ++i) {
    if (std::abs(contradiction[i]) < key_share * size) continue;
    const auto first = bodies.first_rows();
    const auto place = std::upper_bound(first.begin(), first.end(), rows_[free[i]]) - first.begin() - 1;
    const std::uint64_t key = bodies.keys()[static_cast<std::size_t>(place)];
    if (result.infeasible_keys.empty() || result.infeasible_keys.back() != key)
      result.infeasible_keys.push_back(key);
  }
  // Twice, because the first time leaves rounding.
  for (int round = 0; round < 2; ++round) {
    for (Index i = 0; i < count; ++i) part.q[free[i]] -= contradiction[i];
    for (Index i = 0; i < count; ++i) contradiction[i] = part.q[free[i]];
    keep_null_space();
  }
  return true;
}

// The ruler of the whole weighs contacts by 1 / d if there are joints. That of an island without joints does
// not. A tolerance that is tighter by this factor is met in both.
double StepIslands::spread(const IslandReport& island) const {
  const auto& part = std::get<LocalContactProblem>(part_);
  if (!weighted_ || part.joint_rows() > 0 || island.contacts == 0) return 1.0;
  const Index d = part.dimension;
  double least = infinity, largest = 0.0;
  for (Index i = 0; i < part.contacts(); ++i) {
    double sum = 0.0;
    for (Index row = d * i; row < d * (i + 1); ++row) sum += part.W.entry(row, row);
    least = std::min(least, ruler_scale(sum / static_cast<double>(d)));
    largest = std::max(largest, ruler_scale(sum / static_cast<double>(d)));
  }
  return std::sqrt(least / largest);
}

Driver& StepIslands::driver(FrictionLaw law) {
  std::unique_ptr<Driver>& driver = law == request_.friction ? driver_ : convex_driver_;
  if (driver == nullptr) {
    SolveRequest request = request_;
    request.friction = law;
    if (law != request_.friction) {
      request.solver = "auto";
      request.options = {};
      request.method = {};
    }
    driver = std::make_unique<Driver>(std::move(request));
  }
  return *driver;
}

// Solves part_ from start_. Returns true if it is solved.
bool StepIslands::solve_under(FrictionLaw law, double tolerance, Observer* observer, IslandReport& report) {
  Settings settings = request_.settings;
  settings.tolerance = tolerance;
  settings.time_limit = std::max(1e-9, settings.time_limit - seconds_ - timer_.seconds());
  if (law != request_.friction) settings.max_iterations = 0;  // those of another method
  driver(law).set(settings);
  driver(law).solve(part_, answer_, &start_, observer);
  report.iterations += answer_.counts.iterations;
  report.seconds += answer_.seconds;
  return answer_.solved();
}

// Its contacts stick, but for the error of the answer, which would move them step by step.
bool StepIslands::creeps(int number, const DriverResult& result) const {
  const IslandReport& island = result.islands[static_cast<std::size_t>(number)];
  const Load& load = loads_[static_cast<std::size_t>(number)];
  const double share = rest_share * request_.settings.tolerance;
  return request_.policy.settle && island.error > rest_error && island.contacts <= most_rest_contacts &&
         island.rows <= most_rest_rows && load.motion <= share * share * load.load;
}

// Its bodies are hardly faster than what impulses change in the step. If they go on together, a creep of
// contacts does not matter.
bool StepIslands::is_near_rest(const BodyProblem& bodies, int number, const DriverResult& result) {
  if (speeds_.empty()) find_speeds(bodies, result);
  const Speed& island = speeds_[static_cast<std::size_t>(number)];
  return island.speed <= rest_speed * island.change;
}

void StepIslands::find_speeds(const BodyProblem& bodies, const DriverResult& result) {
  const Index d = bodies.dofs_per_body(), lengths = d == 6 ? 3 : 2;
  velocities_.resize(bodies.bodies() * d);
  changes_.resize(velocities_.size());
  no_impulses_.setZero(result.r.size());
  bodies.velocities(result.r, velocities_);
  bodies.velocities(no_impulses_, changes_);
  changes_ = velocities_ - changes_;
  speeds_.assign(result.islands.size(), {});
  for (std::size_t k = 0; k < bodies.pairs().size(); ++k) {
    const auto row = static_cast<std::size_t>(bodies.first_rows()[k]);
    Speed& island = speeds_[static_cast<std::size_t>(result.island_of[row])];
    for (const int body : bodies.pairs()[k]) {
      if (body < 0) continue;
      island.speed = std::max(island.speed, velocities_.segment(d * body, lengths).norm());
      island.change = std::max(island.change, changes_.segment(d * body, lengths).norm());
    }
  }
}

void StepIslands::settle(int number, Observer* observer, DriverResult& result) {
  IslandReport& island = result.islands[static_cast<std::size_t>(number)];
  const double before = island.error;
  solve_under(request_.friction, rest_tolerance, observer, island);
  if (!(answer_.measures.scaled_natural_map < before)) return;
  for (std::size_t k = 0; k < rows_.size(); ++k) result.r[rows_[k]] = answer_.r[static_cast<Index>(k)];
  island.solver = answer_.attempts.empty() ? island.solver : answer_.attempts.back().solver;
}

void StepIslands::remedy(int number, Observer* observer, DriverResult& result) {
  IslandReport& island = result.islands[static_cast<std::size_t>(number)];
  const Load& load = loads_[static_cast<std::size_t>(number)];
  const StepPolicy& policy = request_.policy;
  const double tolerance = request_.settings.tolerance;
  const double divisor = std::sqrt(std::max(load.load, load_rounding * load_rounding * load.floor));
  // The island's own ruler divides by its q alone. Without joints it has other weights, too.
  const double own_tolerance =
      (load.load > 0.0 ? tolerance * divisor / std::sqrt(load.load) : tolerance) * spread(island);
  const auto take_answer = [&](Remedy remedy) {
    for (std::size_t k = 0; k < rows_.size(); ++k) result.r[rows_[k]] = answer_.r[static_cast<Index>(k)];
    island.remedy = remedy;
    island.status = answer_.status;
    island.error =
        answer_.measures.scaled_natural_map * (own_tolerance > 0.0 ? tolerance / own_tolerance : 1.0);
    island.solver = answer_.attempts.empty() ? island.solver : answer_.attempts.back().solver;
  };
  const auto helps = [&](PolicyAction action) {
    switch (action) {
      case PolicyAction::next: {
        const double before = island.error;
        const bool solved = solve_under(request_.friction, own_tolerance, observer, island);
        if (solved || answer_.measures.scaled_natural_map * tolerance / own_tolerance < before)
          take_answer(Remedy::retried);
        return solved;
      }
      case PolicyAction::loosen:
        if (island.error > policy.looser * tolerance) return false;
        island.remedy = Remedy::looser;
        return true;
      case PolicyAction::convex:
        if (request_.friction == FrictionLaw::convex ||
            !solve_under(FrictionLaw::convex, own_tolerance, observer, island))
          return false;
        take_answer(Remedy::convex_law);
        island.law = FrictionLaw::convex;
        return true;
      case PolicyAction::keep:
        island.remedy = Remedy::kept;
        return true;
    }
    return false;
  };
  if (std::any_of(policy.actions.begin(), policy.actions.end(), helps)) return;
  island.remedy = Remedy::refused;
  for (const int row : rows_) result.r[row] = 0.0;
}

}  // namespace slipstick::internal
