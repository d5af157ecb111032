// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "slipstick/solvers/interior_point/cone_unknowns.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

// Problems on friction cones with known answers, and what every method for them must do.
namespace slipstick::internal::cone_cases {

using internal::cones_and_rows;
using internal::contact;
using internal::packing;

/// The normal rows of a problem on cones of three rows, as bounds: the problem without friction.
Problem normals_of(const Problem& cones);

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

/// Two walls that close on a body: the impulses along (1, 1) change nothing, and nothing opens the contacts.
Problem closing_walls();

/// Rows that are not coupled, with bounds of every kind.
void expect_bounds_of_every_kind(Solver& solver, double tolerance);

}  // namespace slipstick::internal::cone_cases
