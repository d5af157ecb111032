// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/problems/sets.hpp"

namespace slipstick {

// Contact problems come with diagonals from 1e-5 to 1e6. The methods for cones therefore work in the metric
// of D, the diagonal matrix with the mean diagonal of each block of A (the d_i of the ruler): what they do is
// what they would do to the problem scaled to unit mean diagonals, by x = D^-1/2 y. D is one number on the
// rows that a set ties together, so the projections are the Euclidean ones, and no vector is ever scaled.

/// out = P_K(x - step D^-1 g), with metric = diag D. out may be x.
void metric_step(const ProductSet& K, ConstVectorView x, ConstVectorView g, ConstVectorView metric,
                 double step, VectorView out);

/// K is a cone: x in K makes t x in K for t >= 0.
bool is_conic(const ProductSet& K);

}  // namespace slipstick
