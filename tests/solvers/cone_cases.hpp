// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/cone_unknowns.hpp"
#include "support/dense.hpp"

// Problems on friction cones with known answers, and what every method for them must do.
namespace slipstick::cone_cases {

/// One contact with W = w I: r is the projection of -q / w.
Problem contact(double w, const Vector& q, double mu);

/// One contact with a full block.
Problem contact(const DenseMatrix& W, const Vector& q, double mu);

/// A packing under the convex law, matrix-free.
Problem packing(Index spheres, double friction, double plate_mass_ratio = 0.0);

/// Cones of both dimensions, bounds and free rows, all coupled by a random matrix.
Problem mixture(std::uint64_t seed);

/// Every kind of row that an interior point method meets: cones of both dimensions and one without friction,
/// one-sided, two-sided, fixed and free rows.
ProductSet every_kind_of_row();

/// The barrier's Hessian at random points of the cones, its eigenvalues from 1e-3 to 1e3; free rows have
/// none.
BarrierTerms random_terms(const ConeUnknowns& unknowns, Random& random);

/// T + diag(l^2) of BarrierMatrix, column by column from products with A.
DenseMatrix newton_matrix(const Operator& A, const ConeUnknowns& unknowns, const BarrierTerms& terms);

/// Separating, sticking and sliding contacts in three and two dimensions, with and without friction: closed
/// forms.
void expect_projections(Solver& solver, double tolerance = 1e-12);

/// One contact with W = a a', singular along edges of the cone: w = 0 in every solution.
void expect_singular_contacts(Solver& solver, double tolerance);

/// A x + b and the objective are those that Apgd finds.
void expect_agreement(Solver& solver, const Problem& problem, double tolerance = 1e-8);

/// Cones without friction are bounds: the normal impulses agree with a bound solver's.
void expect_bounds_without_friction(Solver& solver);

/// A boxed problem with a known solution.
void expect_known_box(Solver& solver, double tolerance = 1e-12);

}  // namespace slipstick::cone_cases
