// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

// Families of problems with a seed: the same options give the same bits on every machine with the same math
// library.

/// A boxed problem with a known solution x*. A = Q' diag(spectrum) Q with Q a product of sparse rotations, so
/// that the conditioning does not come from row scaling. b = w* - A x* with a complementary w*. A is
/// symmetric to the bit, except for the skew part. Rows lie on a square grid and each rotation mixes two
/// neighbours. The graph of A is therefore that of a stencil in the plane. x* is of order 1, w* of the order
/// of A's rows.
struct RandomBoxOptions {
  Index rows = 100;
  double condition = 100.0;   ///< largest eigenvalue (1) over the smallest nonzero one; log-uniform between
  Index rank_deficiency = 0;  ///< zero eigenvalues
  double active = 0.5;        ///< share of the rows with unequal bounds that are at a bound in x*
  double degenerate = 0.0;    ///< share of those that are weakly active: at the bound with w* = 0
  double free = 0.0;          ///< share of free rows
  double two_sided = 0.0;     ///< share of rows with two finite bounds
  double fixed = 0.0;         ///< share of rows with equal bounds
  bool from_zero = false;     ///< one-sided rows are x_i >= 0; false: any bound, every fourth an upper one
  int rotations_per_row = 4;  ///< density of Q; 4: about 20 entries per row of A
  double skew = 0.0;          ///< size of a skew-symmetric part relative to the largest eigenvalue
  std::uint64_t seed = 1;
};
struct KnownProblem {
  Problem problem;
  Vector x;  ///< a solution
  Vector w;
};
KnownProblem random_box(const RandomBoxOptions& options);
/// The same with the nonnegative orthant for K (free, two_sided, fixed and from_zero are ignored).
KnownProblem random_lcp(const RandomBoxOptions& options);

/// Litven 2013, section 7.1: a random banded SPD QP over x >= 0 with its optimal active set. The initial
/// active set is wrong in a chosen number of indices (the first ones, as in the thesis). The thesis does not
/// say how its matrices were drawn. These are strictly diagonally dominant and mostly negative off the
/// diagonal. They are near the M-matrices for which the primal-dual active-set method is known to converge.
struct BandedQpOptions {
  Index rows = 1000;
  Index bandwidth = 100;
  Index wrong_indices = 10;
  double active = 0.5;  ///< share of the rows that are at the bound in the solution, strictly
  std::uint64_t seed = 1;
};
struct BandedQp {
  Problem problem;                      ///< A is banded, K = {x >= 0}
  Vector x;                             ///< the solution
  std::vector<int> active_set;          ///< active set of the solution
  std::vector<int> initial_active_set;  ///< differs from active_set in wrong_indices rows
};
BandedQp random_banded_qp(const BandedQpOptions& options);

}  // namespace slipstick::internal
