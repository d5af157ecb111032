// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problem.hpp"

namespace slipstick::internal {

// The functions work on one block. x, d and the results have block.size rows. K supplies the bounds of
// interval rows. Only Face and Facets allocate.

/// True for free, nonnegative and interval rows.
constexpr bool has_independent_rows(SetKind kind) {
  return kind == SetKind::free || kind == SetKind::nonnegative || kind == SetKind::interval;
}
constexpr bool has_independent_rows(const SetBlock& block) {
  return has_independent_rows(block.kind);
}

/// x <- P(x)
void project(const ProductSet& K, const SetBlock& block, VectorView x);
/// True if x is within `tolerance` of the block's set, in the Euclidean norm. A projected point may lie
/// outside by rounding.
bool contains(const ProductSet& K, const SetBlock& block, ConstVectorView x, double tolerance = 0.0);
/// ||x - P(x)||
double distance(const ProductSet& K, const SetBlock& block, ConstVectorView x);
/// The largest t >= 0 with x + t d in the set, for x in the set. It is infinite if there is no limit. A point
/// that is outside by rounding counts as on the boundary. A direction that leaves a face by rounding counts
/// as along it.
double step_to_boundary(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView d);
/// An element of the generalized Jacobian of P at x, symmetric with eigenvalues in [0, 1].
void projection_jacobian(const ProductSet& K, const SetBlock& block, ConstVectorView x, MatrixView jacobian);

/// The smallest face that contains a point of the set. The `dimension` orthonormal columns of `tangent` span
/// its directions. A cone has its interior, the rays of its boundary (dimension 1) and the apex. A disk has
/// its interior and single points. Bounds and boundaries closer than `tolerance` count as reached.
struct Face {
  int dimension = 0;
  DenseMatrix tangent;
};
Face face(const ProductSet& K, const SetBlock& block, ConstVectorView x, double tolerance = 0.0);

/// Rows a' x <= c of a polyhedral block, in `normals` and `offsets`. These are: free (no rows), nonnegative,
/// interval, diamond of up to 16 rows, cone of 2 rows or with mu = 0, disk of 1 row.
struct Facets {
  DenseMatrix normals;
  Vector offsets;
};
bool has_facets(const SetBlock& block);
/// Throws Error if the block has no facets.
Facets facets(const ProductSet& K, const SetBlock& block);

}  // namespace slipstick::internal
