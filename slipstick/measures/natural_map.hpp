// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/measures/contact_error.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/cone_lanes.hpp"

// What the measures of this room share. A huge wrong x must not hide its error in the rounding of x - w / d.
// Therefore the natural map d (x - P(x - w / d)) has forms here that return w itself inside the set. The
// minima and maxima drop NaNs: callers look for those first (see all_finite).
namespace slipstick::internal::detail {

inline double clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

/// A relative error, 0/0 = 0.
inline double ratio(double error, double norm) {
  return error == 0.0 ? 0.0 : error / norm;
}

/// No entry is infinite or NaN (and their sum does not overflow).
inline bool all_finite(const ConstVectorView& x) {
  return std::isfinite(x.sum());
}

/// 0, or NaN if the sum of the entries is not finite.
template <class Number>
[[gnu::always_inline]] inline Number poison(Number sum) {
  return 0.0 * sum;
}

/// error <- d (x - P(x - w / d)) for a block whose rows depend on each other.
void block_error(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView w, double d,
                 VectorView error);

/// ||(weight d_i e_i)||^2 with e_i = x_i - P(x_i - w_i / d_i) over consecutive blocks of K. NaN if x or w is
/// not finite there. `scale` are the d_i, `scratch` has room for the largest block.
double squared_natural_map(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x,
                           ConstVectorView w, const Vector& scale, double weight, VectorView scratch);

/// Every row is free or one-sided from 0: what the survey calls a mixed LCP.
inline bool is_mixed_orthant(const ProductSet& K) {
  return std::all_of(K.blocks().begin(), K.blocks().end(), [](const SetBlock& block) {
    return block.kind == SetKind::free || block.kind == SetKind::nonnegative;
  });
}

/// The k worst rows, worst first; the lower index first among equals.
void keep_worst(std::vector<WorstRow>& rows, Index k);

}  // namespace slipstick::internal::detail
