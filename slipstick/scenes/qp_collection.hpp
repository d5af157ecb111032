// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"

namespace slipstick::internal {

// QPs of the collection of Maros and Meszaros 1999 that have a formula. Most are problems of CUTE (Bongartz,
// Conn, Gould, Toint 1995).

/// CVXQP1, 2 and 3, n unknowns in [0.1, 10]:
///     minimize sum_i i/2 (x_i + x_j(2i) + x_j(3i))^2,  j(k) = (k - 1) mod n + 1,
///     x_i + 2 x_j(4i) + 3 x_j(5i) = 6  for i = 1, ..., n times the given share.
Problem cvxqp(Index n, double share_of_rows);

/// LISWET1 to 12 (Li and Swetits 1993): n second differences of n + 2 values are not negative,
///     minimize 1/2 sum_i (x_i - g(t_i) - 0.1 sin i)^2,  t_i from 0 to 1,
/// and g depends on the kind, 1 to 12.
Problem liswet(int kind, Index n);

/// AUG2D, AUG3D and their variants: Laplace's equation on a grid with `edge` nodes along an edge, in the
/// fluxes between nodes and over the border. The fluxes of each node sum to one. The objective is
/// 1/2 (flux - 1)^2 for each flux between nodes.
struct AugOptions {
  int dimension = 2;           ///< 2 or 3
  bool costs_border = false;   ///< "C": fluxes over the border count too, so that the minimizer is unique
  bool bounds_fluxes = false;  ///< "QP": fluxes are at least zero, and at least one next to the far border
};
Problem aug(Index edge, const AugOptions& options);

/// CONT-050, -100 and -200 (Maurer and Mittelmann 2000, boundary control): the value on the border of a
/// square controls -laplace(y) = 20. The grid has n intervals along an edge and no corners.
///     minimize h^2/2 sum (y - d)^2 + h/200 sum u^2 without its constant,  d = 3 + 5 s (1 - s) t (1 - t),
///     0 <= y <= 3.5,  0 <= u <= 10.
Problem boundary_control(Index intervals);

/// POWELL20 (Powell 1985): minimize 1/2 sum x_i^2 with x_(k+1) - x_k >= (-1)^k k - 0.5, x_1 - x_n >= n - 0.5.
/// n is even: otherwise the rows have no point in common.
Problem powell20(Index n);

/// DTOC3 (Coleman and Liao 1992): an oscillator with one control in n periods, from a given start.
Problem dtoc3(Index periods);

/// UBH1 (Betts and Huffman 1993): the least control that brings a vehicle to rest at the origin in n steps.
Problem ubh1(Index steps);

/// YAO: the nearest values to a sine with n nonnegative second differences. The last two values are zero.
Problem yao(Index n);

/// HUESTIS (Huestis 1992): the least sum of squares of n masses with given second and fourth moments.
/// HUES-MOD divides the objective by n.
Problem huestis(Index n, bool mean);

/// STCQP1 and 2: 2^p + 1 unknowns in [-2, 2]. Groups of up to p unknowns have squares in the objective and
/// rows of their sums. The unknowns of a row lie 1, 2, 4, ... apart in the first problem. In the second they
/// are neighbours.
Problem stcqp(Index p, bool neighbours);

/// KSIP (Kortanek and No 1993): polynomials of degree 19 above a sine at n + 1 points.
Problem ksip(Index intervals);

}  // namespace slipstick::internal
