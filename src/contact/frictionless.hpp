// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// The law without friction: r_T = 0 and 0 <= r_N perpendicular to u_N >= 0, bilateral rows in the same
/// solve. One boxed problem in (r_N, l):
///     A = [W_NN V_N; V_N' R],  b = (q_N, s),  K = {r_N >= 0} x R^m.
struct NormalProblem {
  Problem problem;
  std::vector<int> normal_rows;  ///< rows of W that stay
  /// r and l from x = (r_N, l).
  void expand(const Vector& x, Vector& r, Vector& l) const;
  /// x from r and l.
  Vector restrict_to_normals(const Vector& r, const Vector& l) const;
};
NormalProblem normal_problem(const LocalContactProblem& problem);

}  // namespace slipstick
