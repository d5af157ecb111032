// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/problems/sets.hpp"

namespace slipstick {

/// Linear rows lower <= G x <= upper. Equal bounds are an equality; an infinite bound is no bound.
struct LinearRows {
  std::shared_ptr<const CsrMatrix> G;
  Vector lower;
  Vector upper;
};

/// Find x in K with w = A x + b and (y - x)' w >= 0 for all y in K.
///
/// If A is symmetric positive semidefinite, these are the optimality conditions of
///     minimize 1/2 x' A x + b' x + constant  over x in K,  and lower <= G x <= upper if `rows` are given
/// (Litven 2013, eq. P, has c = -b). Methods that minimize refuse a nonsymmetric A.
struct Problem {
  Operator A;
  Vector b;
  ProductSet K;
  std::optional<LinearRows> rows = std::nullopt;
  double constant = 0.0;
  /// True if A is symmetric up to rounding. The code that makes the problem knows or measures it.
  bool symmetric = true;
};

/// Linear complementarity: w = M z + q, 0 <= z, 0 <= w, z'w = 0. M may be nonsymmetric (UIC survey, eq. 1-4).
struct LcpProblem {
  Operator M;
  Vector q;
};

/// Mixed and boxed linear complementarity: w = M z + q, lower <= z <= upper. In each row w >= 0 if z is at
/// its lower bound, w <= 0 if z is at its upper bound, and w = 0 between the bounds. A free row is an
/// equality (UIC survey, eq. 6-9; Ho 2022, eq. 2.36). M may be nonsymmetric.
struct MixedLcp {
  Operator M;
  Vector q;
  Vector lower;
  Vector upper;
};

/// Bilateral rows (joints) of a contact problem in local form: u = W r + V l + q, 0 = V' r + R l + s.
struct LocalBilateral {
  CsrMatrix V;
  CsrMatrix R;
  Vector s;
};

/// Contact in local form: u = W r + q. Each contact has `dimension` rows (N, T...) and a friction coefficient
/// mu.
struct LocalContactProblem {
  int dimension = 3;
  Operator W;
  Vector q;
  Vector mu;
  std::optional<LocalBilateral> bilateral = std::nullopt;
  Index contacts() const { return mu.size(); }
};

/// Bilateral rows (joints) of a contact problem in global form: M v = H r + G l + f, 0 = G' v + b.
struct GlobalBilateral {
  CsrMatrix G;
  Vector b;
};

/// Contact in global form: M v = H r + f, u = H' v + w. Each contact has `dimension` rows (N, T...).
struct GlobalContactProblem {
  int dimension = 3;
  CsrMatrix M;
  CsrMatrix H;
  Vector f;
  Vector w;
  Vector mu;
  std::optional<GlobalBilateral> bilateral = std::nullopt;
  Index contacts() const { return mu.size(); }
};

using AnyProblem = std::variant<LcpProblem, MixedLcp, Problem, LocalContactProblem, GlobalContactProblem>;

/// The name of a problem's kind on the command line and in files.
enum class ProblemClass { lcp, mlcp, boxed, qp, contact2d, contact3d, global2d, global3d };
std::string_view name(ProblemClass problem_class);
constexpr bool is_contact(ProblemClass problem_class) {
  return problem_class >= ProblemClass::contact2d;
}
/// lcp: every row is z >= 0. mlcp: every row is free or z >= 0. boxed: other bounds. qp: linear rows or
/// cones.
ProblemClass classify(const AnyProblem& problem);

/// The number of unknowns of the problem as given: rows of A, M or W, or degrees of freedom.
Index unknowns(const AnyProblem& problem);
/// The number of stored entries of the matrices.
Index nonzeros(const AnyProblem& problem);

}  // namespace slipstick
