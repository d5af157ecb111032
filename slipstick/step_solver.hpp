// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"

namespace slipstick {

class BodyProblem;

/// What was done for an island that missed the tolerance (see StepPolicy).
enum class Remedy { none, retried, looser, convex_law, kept, refused };
constexpr std::string_view name(Remedy remedy) {
  constexpr std::string_view names[] = {"none", "retried", "looser", "convex_law", "kept", "refused"};
  return names[static_cast<int>(remedy)];
}

/// A part of a BodyProblem: rows that share movable bodies, directly or through other rows.
struct IslandReport {
  Index rows = 0;
  Index contacts = 0;
  Status status = Status::not_run;  ///< solved: its error is at most the tolerance
  /// The scaled natural map of the island by itself, relative to its own q. That of an island at rest is
  /// rounding. Therefore the divisor is at least 1e-14 times the terms that q was summed from.
  double error = 0.0;
  FrictionLaw law = FrictionLaw::coulomb;  ///< the law that was solved
  std::string_view solver;                 ///< the method that produced the answer
  std::int64_t iterations = 0;             ///< of all methods that worked on it
  double seconds = 0.0;
  Remedy remedy = Remedy::none;
};

/// A Result with the driver's report.
struct DriverResult : Result {
  std::string solver;                 ///< the method that produced the answer
  std::vector<Attempt> attempts;      ///< the methods that `auto` tried, in order
  std::vector<std::string> warnings;  ///< warnings about the problem
  std::optional<FrictionLaw> law;     ///< law that was solved; contact problems only
  bool implicit = false;              ///< a global form whose W was not assembled
  std::vector<IslandReport> islands;  ///< of a BodyProblem, in the order of their first rows
  std::vector<int> island_of;         ///< the island of each row of a BodyProblem
  std::vector<ContactState> states;   ///< of each contact of a BodyProblem; u has its slip velocity
  /// The keys of a BodyProblem that no impulse can satisfy: rows that nothing moves, and joints that
  /// contradict each other. The latter make their island infeasible. Its impulses then belong to the nearest
  /// velocities that the joints allow.
  std::vector<std::uint64_t> infeasible_keys;
};

/// What solves one step of a simulator. A simulator does not know the law, the method or the tolerance. It
/// is given a StepSolver, for instance a Driver.
class SLIPSTICK_EXPORT StepSolver {
 public:
  virtual ~StepSolver() = default;

  /// result.r and result.u <- impulses and velocities of all rows, in the order of BodyProblem::keys.
  /// result.v <- the velocities of all bodies. `start` has the impulses of all rows too. Bad input throws
  /// Error.
  virtual void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start = nullptr,
                     Observer* observer = nullptr) = 0;
};

}  // namespace slipstick
