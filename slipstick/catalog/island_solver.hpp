// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/islands.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal {

/// Solves the islands of a problem one by one, or by several threads if there is enough work. Each
/// island may have its share of the error, tolerance ||b|| sqrt(n_island / n), whatever the others have used.
/// The choice of the thread changes no bit.
class IslandSolver {
 public:
  explicit IslandSolver(SolveRequest request);

  /// Finds the islands of a problem. Returns false if there is only one.
  bool prepare(const Problem& problem);
  /// For a problem with the matrix and the set that were prepared. Leaves x, the counts, the attempts and the
  /// name of the method that solved most islands. Returns false if an island is not solved.
  bool solve(const Problem& problem, const Settings& settings, const WarmStart* warm_start,
             Observer* observer, DriverResult& result);

 private:
  static constexpr std::ptrdiff_t most_seats = 16;
  // What it takes to solve an island.
  struct Seat {
    explicit Seat(const SolveRequest& request) : driver(request) {}
    Driver driver;
    DriverResult result = {};
    WarmStart start = {};
  };
  // The account of a thread.
  struct Account {
    Counts counts = {};
    std::vector<Attempt> attempts = {};
    void add(const DriverResult& result);
  };
  struct Whole {
    const Problem& problem;
    const Settings& settings;
    const WarmStart* warm_start;
    double norm;
    Timer timer = {};
  };
  static bool solve_island(const Whole& whole, IslandProblem& island, Observer* observer, Seat& seat,
                           Vector& x);
  static void add_account(const Account& account, DriverResult& result);

  SolveRequest request_;
  IslandList islands_;
  std::vector<Seat> seats_;        // one for every island, if its knowledge is kept, or for every thread
  std::vector<Account> accounts_;  // one for every thread
};

}  // namespace slipstick::internal
