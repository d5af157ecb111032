// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

// Every conversion throws Error with the reason if sizes do not fit or a bound is NaN or on the wrong side.

/// A matrix with a larger asymmetry, relative to its largest entry, counts as nonsymmetric.
inline constexpr double symmetry_tolerance = 1e-13;

// Conversions between the complementarity problems and Problem, the form that solvers take. `symmetric` is
// measured. `to` and `scratch` keep their storage.
Problem to_problem(const LcpProblem& lcp);
Problem to_problem(const MixedLcp& mixed);
void to_problem(const LcpProblem& lcp, Problem& to, std::vector<int>& scratch);
void to_problem(const MixedLcp& mixed, Problem& to, std::vector<int>& scratch);
/// Throws Error if K is not the nonnegative orthant or there are linear rows.
LcpProblem to_lcp(const Problem& problem);
/// Throws Error if K is not a box. Linear rows become their Karush-Kuhn-Tucker conditions (see KktForm).
MixedLcp to_mixed_lcp(const Problem& problem);
MixedLcp to_mixed_lcp(const LcpProblem& lcp);

/// The quadratic program whose optimality conditions are the LCP or mixed LCP. It is to_problem, but throws
/// Error if M is not symmetric.
Problem to_qp(const LcpProblem& lcp);
Problem to_qp(const MixedLcp& mixed);

/// An LCP from a mixed one. Its unknowns are (p, t):
///
/// - fixed rows X (equal bounds) are substituted, z_X = lower_X;
/// - a bounded row is z_i = a_i + s_i p_i with p_i >= 0. It starts at its lower bound (a = lower, s = 1), or
///   at its upper bound if the lower one is infinite (a = upper, s = -1). B denotes these rows;
/// - a second finite bound, p_i <= upper_i - lower_i, has the multiplier t_i >= 0. Then s w + t >= 0 is
///   perpendicular to p, and upper - lower - p >= 0 is perpendicular to t. So w = -t <= 0 at the upper bound;
/// - free rows F are eliminated (UIC survey, eq. 12-13): z_F = -M_FF^-1 (q_F + M_FX z_X + M_FB z_B).
///
///     M = [ S (M_BB - M_BF M_FF^-1 M_FB) S, E ; -E', 0 ],  q = [ S w_B(a) ; upper - lower ],
///
/// with S = diag(s), E the columns of the identity of the two-sided rows and w_B(a) the velocity at p = 0.
/// Positive (semi)definiteness of M carries over. Symmetry carries over only without two-sided rows. Throws
/// Error if M_FF is singular to working precision, and names the pivot of its LU factorization (dense; rows
/// and columns equilibrated).
struct LcpForm {
  LcpProblem lcp;
  /// Returns z of the mixed problem for a solution of the LCP.
  Vector recover(const Vector& lcp_solution) const;

  // z = offset + expand * (solution of the LCP)
  CsrMatrix expand;
  Vector offset;
};
LcpForm to_lcp(const MixedLcp& mixed);

/// A QP with linear rows as a boxed mixed LCP: its Karush-Kuhn-Tucker conditions in (x, s, y) (UIC survey,
/// eq. 14-16). s are the activities of the two-sided rows, and y are the multipliers. The matrix is
/// nonsymmetric:
///
///     [ A, 0, -G' ; 0, 0, E' ; G, -E, 0 ],  q = (b, 0, -c),  E the identity's columns of two-sided rows.
///
/// - x in K, with w = A x + b - G'y;
/// - lower <= s <= upper, with velocity y: y >= 0 at the lower bound, y <= 0 at the upper one;
/// - y is free with G x = s (two-sided rows, c = 0) or G x = c (equalities). y >= 0 with G x >= c = lower. y
///   <= 0 with G x <= c = upper. Rows without a finite bound are left out.
struct KktForm {
  MixedLcp mixed;
  Index unknowns = 0;           ///< rows of x
  std::vector<int> activities;  ///< linear rows that have an s
  std::vector<int> bounded;     ///< linear rows that have a y
  /// Sets x, w and the multipliers of the QP.
  void recover(const Problem& problem, const Vector& z, Solution& solution) const;
};
KktForm to_kkt(const Problem& problem);

}  // namespace slipstick::internal
