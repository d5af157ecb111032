// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/problems/friction.hpp"

namespace slipstick {

/// What is asked of the driver.
struct SolveRequest {
  Settings settings = {};
  std::string solver = "auto";                 ///< a catalog name, or auto
  Options options = {};                        ///< of the named solver
  std::string measure = "scaled_natural_map";  ///< judged by this one (see measure_names)
  FrictionLaw friction = FrictionLaw::none;    ///< contact problems only
};

/// A Result with the driver's account of how it came about.
struct DriverResult : Result {
  std::string solver;                 ///< the method that produced the answer
  std::vector<std::string> attempts;  ///< one line per method tried, in order, with its outcome
  std::vector<std::string> warnings;  ///< about the problem
};

/// The one driver: validates, presolves, converts to the form the method takes, solves, certifies on
/// `problem` as given, tightens and retries where the measure asked for is not met, and with `auto` falls
/// back to the next method. Bad input or settings throw Error.
DriverResult solve(const AnyProblem& problem, const SolveRequest& request = {},
                   const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

}  // namespace slipstick
