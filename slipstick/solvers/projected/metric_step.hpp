// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {

// Contact problems come with diagonals from 1e-5 to 1e6. The methods for cones therefore work in the metric
// of D, the diagonal matrix with the mean diagonal of each block of A (the d_i of the ruler): what they do is
// what they would do to the problem scaled to unit mean diagonals, by x = D^-1/2 y. D is one number on the
// rows that a set ties together, so the projections are the Euclidean ones, and no vector is ever scaled.

/// out = P_K(x - step D^-1 g), with metric = diag D. out may be x.
void metric_step(const ProductSet& K, ConstVectorView x, ConstVectorView g, ConstVectorView metric,
                 double step, VectorView out);
/// The same for consecutive blocks of K.
void metric_step(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView g,
                 ConstVectorView metric, double step, VectorView out);

/// What g'(y - x) may be off by for a y near x in K: the projection rounds y, and on a curved boundary that
/// counts g in full. Below it the sign of a slope says nothing, and a line search would stop the method.
double slope_rounding(const Vector& x, const Vector& g);

/// The t that minimizes the objective along t x, where K is a cone and g = A x + b: -b'x / x'Ax, and 1 where
/// there is none or where it lies within [0.67, 1.5], too near to be worth a restart.
double far_ray_minimum(const Vector& b, const Vector& x, const Vector& g);

/// K is a cone: x in K makes t x in K for t >= 0.
bool is_conic(const ProductSet& K);

}  // namespace slipstick::internal
