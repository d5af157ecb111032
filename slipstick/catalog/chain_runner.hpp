// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/auto_choice.hpp"
#include "slipstick/catalog/forms.hpp"
#include "slipstick/catalog/method_options.hpp"
#include "slipstick/catalog/presolve.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

class IslandSolver;

/// Runs the methods of a request on a form of a problem: one method, with tighter tolerances until the
/// requested measure is met. With `auto`, the next method follows if one fails. Leaves the best answer. Keeps
/// methods with their workspaces.
class ChainRunner {
 public:
  /// Fails if the measure or the settings are wrong.
  explicit ChainRunner(SolveRequest request);
  ~ChainRunner();
  void set(const Settings& settings);

  const SolveRequest& request() const { return request_; }
  const MethodOptions& options() const { return options_; }
  bool automatic() const { return automatic_; }
  /// The method of the catalog, made with the options of the request.
  Solver& solver(std::string_view name);

  /// What the solves that follow have in common. The time limit counts from the start of the clock.
  void start(const WarmStart* warm_start, Observer* observer, const Timer& clock);
  double seconds() const { return timer_.seconds(); }
  const WarmStart* warm_start() const { return warm_start_; }

  /// A convex problem, or a complementarity problem. `known`: it has the matrix and the set of the last one.
  void run(const Problem& problem, const Form& form, const WarmStart* start, bool known,
           DriverResult& result);
  /// Contact under a law that is not convex. `name` is that of the method.
  void run(ContactSolver& solver, std::string_view name, const LocalContactProblem& problem, const Form& form,
           DriverResult& result);

  /// Whether no other method is to follow: it is solved, or nothing else could be done.
  static bool ends_chain(const Result& result);
  /// The error by the requested measure. It is infinite if it is not a number.
  double error_of(const Result& result) const;

 private:
  // A method on a form: how to solve it, and how to measure no impulse.
  class Task;
  class ConvexTask;
  class ContactTask;

  bool judged_by_ruler() const { return measure_.value == &Measures::scaled_natural_map; }
  bool may_split() const;
  bool solve_islands(const Problem& problem, const Form& form, const WarmStart* start, DriverResult& result);
  void run_chain(const Problem& problem, const Form& form, const WarmStart* start, DriverResult& result);
  void attempt(Task& task, Settings settings, const WarmStart* start, const Form& form, DriverResult& result);
  bool is_solved(const Task& task, const Form& form, bool content, const DriverResult& result);
  void explain_failure(DriverResult& result);

  SolveRequest request_;
  const MeasureName& measure_;
  MethodOptions options_;
  bool automatic_;
  std::vector<std::pair<std::string, std::unique_ptr<Solver>>> solvers_;

  // Known about the last matrix and set.
  std::vector<AutoStep> chain_;
  bool loose_chain_ = false;   // made for a loose tolerance
  bool device_chain_ = false;  // made for a device
  Presolve presolve_;
  std::unique_ptr<IslandSolver> island_solver_;
  bool has_islands_ = false;
  Ruler ruler_;  // for the whole problem, if it is solved by islands

  // The current solve.
  Timer timer_;
  const WarmStart* warm_start_ = nullptr;
  Observer* observer_ = nullptr;
  std::vector<Attempt> attempts_;
  DriverResult best_, zero_;
  WarmStart last_answer_;
  std::string message_;
};

}  // namespace slipstick::internal
