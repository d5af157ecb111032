// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/solve/solver.hpp"

// Small problems that several test programs solve.
namespace slipstick::internal {

/// a x + b over lower <= x <= upper.
Problem one_row(double a, double b, double lower, double upper);

/// One contact with W = w I: r is the projection of -q / w.
Problem contact(double w, const Vector& q, double mu);

/// One contact with a full block.
Problem contact(const DenseMatrix& W, const Vector& q, double mu);

/// A packing under the convex law, matrix-free.
Problem packing(Index spheres, double friction, double plate_mass_ratio = 0.0);

/// Cones of both dimensions and of every size of friction, none included, bounds and free rows, all coupled
/// by a random matrix.
Problem cones_and_rows(std::uint64_t seed, double condition = 100.0);

/// A QP over bounds of every kind, with linear rows of every kind (equalities, one and two bounds, none) and
/// a known solution. A is symmetric with the given condition. Half of the rows hold with a multiplier of the
/// right sign. `dependent` rows repeat earlier ones; `null_space` eigenvalues of A are zero.
struct RowQpOptions {
  Index unknowns = 20;
  Index rows = 10;
  double condition = 100.0;
  Index dependent = 0;
  Index null_space = 0;
  std::uint64_t seed = 1;
};
struct RowQp {
  Problem problem;
  Vector x;
  Vector y;
};
RowQp random_row_qp(const RowQpOptions& options);

/// The error of x by the ruler, from scratch.
double error_of(const Problem& problem, const Vector& x);
/// The same with the multipliers of linear rows.
double error_of(const Problem& problem, const Solution& solution);

/// The result of a solve to the given tolerance, solved or not.
Result solve_with(Solver& solver, const Problem& problem, double tolerance = 1e-8,
                  const WarmStart* start = nullptr);
Result solve_with(Solver&& solver, const Problem& problem, double tolerance = 1e-8,
                  const WarmStart* start = nullptr);

}  // namespace slipstick::internal
