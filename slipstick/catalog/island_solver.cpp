// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/island_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/solve/solve_tasks.hpp"

namespace slipstick::internal {
namespace {

constexpr Index fewest_for_threads = 2000;  // rows
constexpr double reserve = 0.9;             // norms are rounded

// One for several threads.
class SharedObserver : public Observer {
 public:
  explicit SharedObserver(Observer* observer) : observer_(observer) {}
  bool observe(const Iteration& iteration) override {
    const std::lock_guard lock(one_at_a_time_);
    return observer_->observe(iteration);
  }
  bool cancelled() const override { return observer_ != nullptr && observer_->cancelled(); }

 private:
  Observer* observer_;
  std::mutex one_at_a_time_;
};

// The row of a method. A new method gets a new row.
Attempt& row_of(std::string_view solver, std::vector<Attempt>& attempts) {
  for (Attempt& attempt : attempts) {
    if (attempt.solver == solver) return attempt;
  }
  const CatalogRow* row = find_solver(solver);
  Attempt& attempt = attempts.emplace_back();
  attempt.solver = row != nullptr ? row->name : "presolve";  // names that stay
  attempt.reason = "islands one by one";
  attempt.status = Status::solved;
  return attempt;
}

}  // namespace

IslandSolver::IslandSolver(SolveRequest request) : request_(std::move(request)) {
  request_.settings.threads = 1;
  request_.settings.device = -1;  // islands are solved at the same time, on the host
}

bool IslandSolver::prepare(const Problem& problem) {
  islands_.find(problem);
  return !islands_.list().empty();
}

bool IslandSolver::solve(const Problem& problem, const Settings& settings, const WarmStart* warm_start,
                         Observer* observer, DriverResult& result) {
  const std::span<IslandProblem> islands = islands_.list();
  const auto count = static_cast<std::ptrdiff_t>(islands.size());
  const bool alone = problem.b.size() < fewest_for_threads;
  const int threads = alone ? 1 : std::min(settings.threads, static_cast<int>(count));
  const bool few = count <= most_seats;
  accounts_.resize(std::max(accounts_.size(), static_cast<std::size_t>(threads)));
  while (seats_.size() < (few ? islands.size() : accounts_.size())) seats_.emplace_back(request_);
  for (Account& account : accounts_) {
    account.counts = {};
    account.attempts.clear();
  }
  if (warm_start != nullptr && warm_start->x.size() != problem.b.size()) warm_start = nullptr;
  const Whole whole{problem, settings, warm_start, problem.b.stableNorm()};
  SharedObserver shared(observer);
  result.x.resize(problem.b.size());
  result.start_used = warm_start != nullptr;
  std::atomic<bool> solved = true;
  solve_tasks(settings.tasks, count, threads, 16, [&](std::ptrdiff_t c, int number) {
    const auto island = static_cast<std::size_t>(c), thread = static_cast<std::size_t>(number);
    if (!solved) return;
    Seat& seat = seats_[few ? island : thread];
    if (solve_island(whole, islands[island], observer != nullptr ? &shared : nullptr, seat, result.x)) {
      accounts_[thread].add(seat.result);
    } else {
      solved = false;
    }
  });
  if (!solved) return false;
  result.counts = {};
  result.attempts.clear();
  for (const Account& account : accounts_) add_account(account, result);
  const auto most = std::max_element(result.attempts.begin(), result.attempts.end(),
                                     [](const auto& a, const auto& b) { return a.islands < b.islands; });
  result.solver = most->solver;
  return true;
}

bool IslandSolver::solve_island(const Whole& whole, IslandProblem& island, Observer* observer, Seat& seat,
                                Vector& x) {
  const auto rows = static_cast<Index>(island.rows.size());
  island.set_load(whole.problem.b);
  // Shares of the squared load, and of the rows.
  double load = 0.0;
  for (const int row : island.rows) {
    const double relative = whole.problem.b[row] / whole.norm;
    load += relative * relative;
  }
  Settings settings = whole.settings;
  settings.threads = 1;
  settings.device = -1;
  if (!std::isinf(settings.time_limit)) settings.time_limit -= whole.timer.seconds();
  if (settings.time_limit <= 0.0) return false;
  if (load > 0.0) {
    const double share = static_cast<double>(rows) / static_cast<double>(x.size());
    settings.tolerance = std::min(1.0, reserve * settings.tolerance * std::sqrt(share / load));
  }
  if (whole.warm_start != nullptr) {
    seat.start.x.resize(rows);
    for (Index k = 0; k < rows; ++k)
      seat.start.x[k] = whole.warm_start->x[island.rows[static_cast<std::size_t>(k)]];
  }
  seat.driver.set(settings);
  seat.driver.solve(island.problem, seat.result, whole.warm_start != nullptr ? &seat.start : nullptr,
                    observer);
  if (!seat.result.solved()) return false;
  for (Index k = 0; k < rows; ++k) x[island.rows[static_cast<std::size_t>(k)]] = seat.result.x[k];
  return true;
}

void IslandSolver::Account::add(const DriverResult& result) {
  counts += result.counts;
  Attempt& row = row_of(result.solver, attempts);
  row.iterations += result.counts.iterations;
  ++row.islands;
  ++row.solved_islands;
}

void IslandSolver::add_account(const Account& account, DriverResult& result) {
  result.counts += account.counts;
  for (const Attempt& attempt : account.attempts) {
    Attempt& row = row_of(attempt.solver, result.attempts);
    row.iterations += attempt.iterations;
    row.islands += attempt.islands;
    row.solved_islands += attempt.solved_islands;
  }
}

}  // namespace slipstick::internal
