// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"

namespace slipstick {

class BodyProblem;

/// A Result with the driver's report.
struct DriverResult : Result {
  std::string solver;                 ///< the method that produced the answer
  std::vector<Attempt> attempts;      ///< the methods that `auto` tried, in order
  std::vector<std::string> warnings;  ///< warnings about the problem
  std::optional<FrictionLaw> law;     ///< law that was solved; contact problems only
  bool implicit = false;              ///< a global form whose W was not assembled
};

/// What solves one step of a simulator. A simulator does not know the law, the method or the tolerance. It
/// is given a StepSolver, for instance a Driver.
class SLIPSTICK_EXPORT StepSolver {
 public:
  virtual ~StepSolver() = default;

  /// result.r and result.u <- impulses and velocities of all rows, in the order of BodyProblem::keys. `start`
  /// has the impulses of all rows too. Bad input throws Error.
  virtual void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start = nullptr,
                     Observer* observer = nullptr) = 0;
};

}  // namespace slipstick
