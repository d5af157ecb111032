// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/measures/measures.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve/monitor.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal {

/// A method for Problem {A, b, K}. A solver object is a workspace. If it is kept, the second solve of the
/// same size and pattern allocates nothing. If it sees the same matrix storage again, it may reuse its
/// factorization. Use one object per thread.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Returns an empty text if the method takes the problem, otherwise a sentence with the reason.
  virtual std::string explain_unsupported(const Problem& problem) const = 0;

  /// Solves, and computes the certificate: the status comes from the measures of x on `problem`, never from
  /// the method. `problem` must be valid (see validate). Bad settings throw Error. A warm start of another
  /// size, or one that is not finite, is not used (Result::start_used). If the warm start is a solution, it
  /// is projected on K and returned, at the cost of one product.
  void solve(const Problem& problem, const Settings& settings, Result& result,
             const WarmStart* warm_start = nullptr, Observer* observer = nullptr);

 protected:
  /// The data of one solve.
  struct Run {
    const Problem& problem;
    const Settings& settings;
    const Ruler& ruler;
    const WarmStart* warm_start;  ///< null, or a finite x of the right size
    Observer* observer;
    Result& result;

    /// result.x <- the warm start projected on K, or P_K(0).
    void start() const;
    /// y = A x. Counts a product.
    void multiply(ConstVectorView x, VectorView y) const;
    /// w = A x + b. Counts a product.
    void gradient(ConstVectorView x, VectorView w) const;
    /// Sets the status that the method reports, and its iterations. A message of the method is kept if the
    /// certificate agrees with that status.
    void finish(const Monitor& monitor) const;
  };
  /// The method. It leaves the answer in run.result.x and calls run.finish.
  virtual void run(const Run& run) = 0;

 private:
  bool is_solution(const Problem& problem, const Settings& settings, const WarmStart& start,
                   Observer* observer, Result& result);

  Ruler ruler_;
};

/// What a method needs of a problem.
struct Needs {
  enum Sets { any, bounds_or_cones, bounds } sets = any;
  bool symmetry = false;
  bool no_linear_rows = true;
};

/// The first need that the problem does not meet, for explain_unsupported. Empty if it meets all.
std::string explain_needs(const Problem& problem, std::string_view method, const Needs& needs);

}  // namespace slipstick::internal
