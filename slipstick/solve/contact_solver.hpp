// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve/monitor.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal {

/// Rounding of q, as a share of the terms that it was summed from.
inline constexpr double load_rounding = 1e-14;

/// A method for contact problems in local form under one law of friction, if the law is not one convex
/// problem. Like a Solver, the object is a workspace.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  /// The law that is solved.
  virtual FrictionLaw law() const = 0;
  /// True if the method accepts a W that is known only by its products (CondensedOperator).
  virtual bool takes_products_only() const { return false; }
  /// Empty if the method can take the problem, otherwise a sentence with the reason.
  virtual std::string explain_unsupported(const LocalContactProblem& problem) const = 0;

  /// Solves for r and computes the certificate. The final status comes from the measures under law() on
  /// `problem`, never from the method. The x of a warm start is r, or r of the contacts only. A warm start
  /// that is a solution costs one product and is returned unchanged. The message is a reason for an
  /// unsupported problem, or a note of an inner solver.
  void solve(const LocalContactProblem& problem, const Settings& settings, Result& result,
             const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

  /// In the global form published errors are divided only by ||r|| and ||u||. In the local form, the default,
  /// they are also divided by ||q||.
  void divide_published_error_by_load(bool value) { published_by_load_ = value; }

  /// The ruler of the last solve, under law().
  const ContactRuler& ruler() const { return ruler_; }

  /// The methods that the last solve tried, if the solver has more than one.
  std::span<const Attempt> attempts() const { return attempts_; }

  /// The work on a part of a problem.
  struct IslandWork {
    std::string_view solver;  ///< the last method
    std::int64_t iterations = 0;
    double seconds = 0.0;
  };
  /// Makes every island meet the tolerance by itself, relative to its own q, and keeps the work on each.
  /// `terms` has the sizes of the terms of q, by row. load_rounding times these is the least divisor. Null
  /// ends that.
  void judge_islands(const Vector* terms) { terms_ = terms; }
  /// Of the last solve, by row of the problem. Null if nothing was done, or it is not known.
  const IslandWork* island_work(Index row) const { return has_run_ ? find_island_work(row) : nullptr; }

 protected:
  struct Run {
    const LocalContactProblem& problem;
    const Settings& settings;
    bool published_by_load;       ///< see divide_published_error_by_load
    const Vector* terms;          ///< see judge_islands
    const WarmStart* warm_start;  ///< null, or a finite r of the right size
    Observer* observer;
    Result& result;
  };
  /// Leaves the answer in run.result.r, the counts, and its own verdict in run.result.status. On entry .r is
  /// zero.
  virtual void run(const Run& run) = 0;

  /// After run().
  virtual const IslandWork* find_island_work(Index /*row*/) const { return nullptr; }

  /// Measures r of the result, and returns the error under law().
  double judge(const Run& run);

  std::vector<Attempt> attempts_;

 private:
  double requested_error(const Run& run);

  ContactRuler ruler_;
  Vector no_r_;         // zero
  WarmStart impulses_;  // of a start with contacts only
  bool published_by_load_ = true;
  const Vector* terms_ = nullptr;
  bool has_run_ = false;  // the last solve called run()
};

}  // namespace slipstick::internal
