// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// The local form of a global contact problem, M eliminated:
///     W = H' M^-1 H, q = H' M^-1 f + w, and with bilateral rows V = H' M^-1 G, R = G' M^-1 G, s = G' M^-1 f
///     + b.
/// Where M is block diagonal over a body graph, W stays matrix-free (DelassusOperator); otherwise M is
/// factored once and W assembled. Fails with the pivot's row where M is not positive definite.
class CondensedProblem {
 public:
  explicit CondensedProblem(const GlobalContactProblem& problem);
  ~CondensedProblem();
  CondensedProblem(CondensedProblem&&) noexcept;
  CondensedProblem& operator=(CondensedProblem&&) noexcept;

  const LocalContactProblem& local() const { return local_; }
  /// v = M^-1 (H r + G l + f)
  Vector velocity(const Vector& r, const Vector& l) const;

 private:
  struct Factor;
  const GlobalContactProblem* problem_;
  std::unique_ptr<Factor> factor_;
  LocalContactProblem local_;
};

}  // namespace slipstick
