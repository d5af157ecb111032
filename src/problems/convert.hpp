// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problems/problem.hpp"
#include "slipstick/problems/solution.hpp"

namespace slipstick {

/// Asymmetry above which a matrix counts as nonsymmetric: a few roundings of its largest entry.
inline constexpr double symmetry_tolerance = 1e-13;

// Between the complementarity problems and Problem, the common form that solvers take. `symmetric` is
// measured.
Problem to_problem(const LcpProblem& lcp);
Problem to_problem(const MixedLcp& mixed);
/// Fails with the reason where K is not the nonnegative orthant or there are linear rows.
LcpProblem to_lcp(const Problem& problem);
/// Fails with the reason where K is not a box; linear rows become their Karush-Kuhn-Tucker conditions (see
/// KktForm).
MixedLcp to_mixed_lcp(const Problem& problem);
MixedLcp to_mixed_lcp(const LcpProblem& lcp);

/// The quadratic program that an LCP or mixed LCP is the optimality condition of: to_problem, with a failure
/// that says why where M is not symmetric.
Problem to_qp(const LcpProblem& lcp);
Problem to_qp(const MixedLcp& mixed);

/// An LCP from a mixed one: free rows eliminated (UIC survey, eq. 12-13), bounds shifted to 0, finite upper
/// bounds turned into rows of their own. Fails where the block of the free rows is singular.
struct LcpForm {
  LcpProblem lcp;
  /// z of the mixed problem from the solution of the LCP.
  Vector recover(const Vector& lcp_solution) const;

  // z = offset + expand * (solution of the LCP)
  DenseMatrix expand;
  Vector offset;
};
LcpForm to_lcp(const MixedLcp& mixed);

/// A QP with linear rows as a boxed mixed LCP: its Karush-Kuhn-Tucker conditions in (x, s, y), where s are
/// the activities of the two-sided rows and y the multipliers (UIC survey, eq. 14-16). Nonsymmetric: [A, 0,
/// -G'; 0, 0, I; G, -I, 0].
struct KktForm {
  MixedLcp mixed;
  Index unknowns = 0;           ///< rows of x
  std::vector<int> activities;  ///< linear rows that have an s
  /// x, w and multipliers of the QP.
  void recover(const Problem& problem, const Vector& z, Solution& solution) const;
};
KktForm to_kkt(const Problem& problem);

}  // namespace slipstick
