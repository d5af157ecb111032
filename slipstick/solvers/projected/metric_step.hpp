// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {

// Contact problems have diagonals from 1e-5 to 1e6. The methods for cones therefore work in the metric of D.
// D is the diagonal matrix with the mean diagonal of each block of A (the d_i of the ruler). This is the same
// as the problem scaled to unit mean diagonals, by x = D^-1/2 y. D is one number on the rows of a set. The
// projections are therefore Euclidean, and no vector is scaled.

/// out = P_K(x - step D^-1 g), with metric = diag D. out may be x.
void metric_step(const ProductSet& K, ConstVectorView x, ConstVectorView g, ConstVectorView metric,
                 double step, VectorView out);
/// The same for consecutive blocks of K.
void metric_step(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView g,
                 ConstVectorView metric, double step, VectorView out);

/// The rounding error of g'(y - x) for a y near x in K. The projection rounds y, and on a curved boundary
/// this error is multiplied by the full g. A slope below it has no reliable sign, and a line search would
/// stop the method.
double slope_rounding(const Vector& x, const Vector& g);

/// The t that minimizes the objective along t x, if K is a cone and g = A x + b: -b'x / x'Ax. Returns 1 if
/// there is none, or if it lies within [0.67, 1.5], too near to be worth a restart.
double far_ray_minimum(const Vector& b, const Vector& x, const Vector& g);

/// True if K is a cone: t x is in K for x in K and t >= 0.
bool is_conic(const ProductSet& K);

}  // namespace slipstick::internal
