// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A contact problem under a law that makes it one convex problem in the impulses, with A = W and b = q.
/// Joints, limits and motors are in the same solve (Heyn 2012, eq. 10 and 11): K = cones x bounds.
///
/// none: r_T = 0 and 0 <= r_N perpendicular to u_N >= 0. The tangential rows are left out, K = {r_N >= 0}.
/// convex: r in the cone of mu, u in its dual, r'u = 0. A contact with mu = 0 keeps only its normal row.
/// box_once: r_N >= 0, and the given bounds of friction. A contact with a bound of 0 keeps its normal row.
struct ImpulseProblem {
  Problem problem;
  std::vector<int> rows;  ///< remaining rows of W, ascending
  /// Sets the problem under one of these laws. Keeps its storage.
  void set(const LocalContactProblem& contacts, FrictionLaw law);
  /// r from x. Rows that were left out are zero.
  void expand(const Vector& x, Vector& r) const;
  /// x from r.
  void restrict_impulses(const Vector& r, Vector& x) const;

 private:
  Operator rows_of(const Operator& W);

  StoragePool<DelassusOperator> graphs_;  // storages of A, also of earlier ones
  StoragePool<CsrMatrix> matrices_;
  DelassusOperator::SubmatrixScratch graph_scratch_;
  std::vector<int> scratch_;
};
ImpulseProblem impulse_problem(const LocalContactProblem& problem, FrictionLaw law);

/// The largest asymmetry of W, relative to its largest entry, that counts as rounding of a file.
inline constexpr double rounded_asymmetry = 1e-2;
/// The problem with (W + W') / 2 for W. Keeps its storage.
class SymmetrizedProblem {
 public:
  const LocalContactProblem& set(const LocalContactProblem& problem);

 private:
  LocalContactProblem local_;
  StoragePool<CsrMatrix> matrices_;
  CsrMatrix transposed_W_;
};

}  // namespace slipstick::internal
