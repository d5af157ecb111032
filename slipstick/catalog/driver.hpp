// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/problems/friction.hpp"

namespace slipstick {

/// What is asked of the driver.
struct SolveRequest {
  Settings settings = {};
  std::string solver = "auto";  ///< a name of the catalog or of the contact methods, or auto
  /// KEY: of the named solver; NAME.KEY: of the method NAME that works inside or around it.
  Options options = {};
  AnySettings method = {};  ///< the settings struct of the named solver, under the options
  /// Judged by this one (see measure_names); the default stands for both rulers of Coulomb's law.
  std::string measure = "scaled_natural_map";
  FrictionLaw friction = FrictionLaw::coulomb;  ///< contact problems only
  /// Of contact problems in global form; by_cost stands for assembled where the law or the method needs it.
  Condensation condensation = Condensation::by_cost;
};

/// A Result with the driver's account of how it came about.
struct DriverResult : Result {
  std::string solver;                 ///< the method that produced the answer
  std::vector<Attempt> attempts;      ///< the methods that `auto` tried, in order
  std::vector<std::string> warnings;  ///< about the problem
  std::optional<FrictionLaw> law;     ///< that was solved; contact problems only
  bool implicit = false;              ///< a global form, of which W was not assembled
};

/// The one driver: validates, presolves, converts to the form the method takes, solves, certifies on
/// `problem` as given, tightens and retries where the measure asked for is not met, and with `auto` falls
/// back to the next method. Bad input or settings throw Error.
DriverResult solve(const AnyProblem& problem, const SolveRequest& request = {},
                   const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

/// The same as an object that is kept, for time loops: the request is checked once, methods stay with their
/// workspaces, and what is known about a matrix that comes again (see Operator::same_storage) is not found
/// out again. A solve allocates nothing if the two before it had the same pattern, also for a new matrix: for
/// complementarity problems, and for contact under Coulomb's law or without friction, in local form, or in
/// global form if the bodies are rigid. There is no message where the problem is solved. Not for several
/// threads at once.
class Driver {
 public:
  /// A name that no problem could be solved by, a wrong option or a limit out of range throw Error. What only
  /// the problem can tell, as a contact method asked for where there are no contacts, is thrown by solve.
  explicit Driver(SolveRequest request = {});
  ~Driver();
  Driver(Driver&&) noexcept;
  Driver& operator=(Driver&&) noexcept;

  /// Another tolerance, other limits: for the solves from now on.
  void set(const Settings& settings);
  void solve(const AnyProblem& problem, DriverResult& result, const WarmStart* warm_start = nullptr,
             Observer* observer = nullptr);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// A sentence about an attempt.
std::string describe(const Attempt& attempt);

}  // namespace slipstick
