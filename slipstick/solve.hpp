// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick {

/// The treatment of W = H' M^-1 H.
enum class Condensation {
  by_cost,    ///< The way with the lower estimated time.
  assembled,  ///< The rows of W are known, or are easily computed from a body graph.
  implicit    ///< Products go through M, and Newton's systems are systems of the bodies.
};

/// What the driver may do for an island of a BodyProblem that misses the tolerance.
enum class PolicyAction {
  next,    ///< solves it again by itself: `auto` goes through all its methods
  loosen,  ///< accepts an error of at most StepPolicy::looser times the tolerance
  convex,  ///< solves it under the convex law
  keep,    ///< keeps the best answer
};

/// A list of actions, stored in place: requests are copied often.
class PolicyActions {
 public:
  constexpr PolicyActions(std::initializer_list<PolicyAction> actions) {
    for (const PolicyAction action : actions) push_back(action);
  }
  /// Those beyond the fourth are ignored: none is worth trying twice.
  constexpr void push_back(PolicyAction action) {
    if (count_ < actions_.size()) actions_[count_++] = action;
  }
  constexpr const PolicyAction* begin() const { return actions_.data(); }
  constexpr const PolicyAction* end() const { return actions_.data() + count_; }

 private:
  std::array<PolicyAction, 4> actions_ = {};
  std::size_t count_ = 0;
};

/// The actions are tried in this order, until one helps. If none does, the step is refused: the impulses of
/// the island are zero. Other islands are not touched. IslandReport::remedy says what was done last.
struct StepPolicy {
  PolicyActions actions = {PolicyAction::next, PolicyAction::keep};
  double looser = 10.0;  ///< >= 1
  /// Solves islands whose contacts all stick, of at most 300 contacts, as exactly as it can. Their errors
  /// then do not make them creep, and at rest the next steps cost nothing.
  bool settle = true;
};

/// The request to the driver.
struct SolveRequest {
  Settings settings = {};
  std::string solver = "auto";  ///< a name of the catalog or of the contact methods, or auto
  /// KEY is an option of the named solver. NAME.KEY is an option of the method NAME that works inside or
  /// around it.
  Options options = {};
  AnySettings method = {};  ///< the settings struct of the named solver; options override it
  /// The measure that decides (see measure_names). The default means both rulers of Coulomb's law.
  std::string measure = "scaled_natural_map";
  FrictionLaw friction = FrictionLaw::coulomb;  ///< contact problems only
  /// For contact problems in global form. If the law or the method needs an assembled W, by_cost means
  /// assembled.
  Condensation condensation = Condensation::by_cost;
  StepPolicy policy = {};  ///< for islands of a BodyProblem
};

/// The one driver. It validates, presolves, converts to the form that the method takes, and solves. It
/// certifies on `problem` as given. If the requested measure is not met, it tightens the tolerance and
/// retries. With `auto` it falls back to the next method. Bad input or settings throw Error.
SLIPSTICK_EXPORT DriverResult solve(const AnyProblem& problem, const SolveRequest& request = {},
                                    const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

/// The same as a kept object, for time loops. The request is checked once, and methods keep their workspaces.
/// Data about a matrix that appears again (see Operator::same_storage) are not computed again. If the two
/// solves before had the same pattern, a solve allocates nothing, also for a new matrix. This holds for
/// complementarity problems. It holds for contact under every law but box_once, in local form, or in global
/// form if the bodies are rigid. A solved problem has no message. Use one object per thread.
class SLIPSTICK_EXPORT Driver : public StepSolver {
 public:
  /// An unknown name, a wrong option or a limit out of range throws Error. Errors that depend on the problem
  /// are thrown by solve, for example a contact method for a problem without contacts.
  explicit Driver(SolveRequest request = {});
  ~Driver() override;
  Driver(Driver&&) noexcept;
  Driver& operator=(Driver&&) noexcept;

  /// Sets another tolerance and other limits for the later solves.
  void set(const Settings& settings);
  void solve(const AnyProblem& problem, DriverResult& result, const WarmStart* warm_start = nullptr,
             Observer* observer = nullptr);
  /// Solves the contact form, judges every island by itself, and follows the policy.
  void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* warm_start = nullptr,
             Observer* observer = nullptr) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// A sentence about an attempt.
SLIPSTICK_EXPORT std::string describe(const Attempt& attempt);

}  // namespace slipstick
