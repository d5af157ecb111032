// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "slipstick/measures/measures.hpp"
#include "slipstick/solve/monitor.hpp"
#include "slipstick/solve/observer.hpp"
#include "slipstick/solve/result.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick {

/// A method for Problem {A, b, K}. A solver object is a workspace: keep it, and the second solve of the same
/// size and pattern allocates nothing; one that sees the same matrix storage again may reuse its
/// factorization. Not for several threads at once.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Empty where the method can take the problem, else a sentence that says why not.
  virtual std::string explain_unsupported(const Problem& problem) const = 0;

  /// Solves and certifies: the final status comes from the measures of x on `problem`, never from the
  /// method's belief. `problem` must be valid (see validate); bad settings throw Error. A warm start of
  /// another size, or one that is not finite, is not used (Result::start_used); one that is a solution costs
  /// one product and is returned, projected on K.
  void solve(const Problem& problem, const Settings& settings, Result& result,
             const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

 protected:
  /// What a method works with during a solve.
  struct Run {
    const Problem& problem;
    const Settings& settings;
    const Ruler& ruler;
    const WarmStart* warm_start;  ///< null, or a finite x of the right size
    Observer* observer;
    Result& result;

    /// result.x <- the warm start projected on K, or P_K(0).
    void start() const;
    /// y = A x, counted.
    void multiply(ConstVectorView x, VectorView y) const;
    /// w = A x + b, counted.
    void gradient(ConstVectorView x, VectorView w) const;
    /// What the method believes: the status of its loop and its iterations. A message is optional, and kept
    /// where the judge agrees with the belief.
    void finish(const Monitor& monitor) const;
  };
  /// Leaves the answer in run.result.x and its belief in run.result.status (see Run::finish).
  virtual void run(const Run& run) = 0;

 private:
  bool is_solution(const Problem& problem, const Settings& settings, const WarmStart& start,
                   Observer* observer, Result& result);

  Ruler ruler_;
};

// Reasons shared by many methods' explain_unsupported; empty where the need is met.
std::string needs_box(const Problem& problem, std::string_view method);
std::string needs_symmetry(const Problem& problem, std::string_view method);
std::string needs_no_linear_rows(const Problem& problem, std::string_view method);

}  // namespace slipstick
