// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/measures/measures.hpp"

// What the measures of this room share. A huge wrong x must not hide its error in the rounding of x - w / d,
// so the natural map d (x - P(x - w / d)) is written here in forms that return w itself inside the set.
// The minima and maxima drop NaNs: callers look for those first (see all_finite).
namespace slipstick::detail {

inline double clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

/// A relative error, 0/0 = 0.
inline double ratio(double error, double norm) {
  return error == 0.0 ? 0.0 : error / norm;
}

/// No entry is infinite or NaN (and their sum does not overflow).
inline bool all_finite(ConstVectorView x) {
  return std::isfinite(x.sum());
}

/// 0, and NaN where the sum of what was looked at is not finite.
inline double poison(double sum) {
  return 0.0 * sum;
}

/// The rows of such a set are projected together.
inline bool rows_depend(SetKind kind) {
  return kind == SetKind::cone || kind == SetKind::diamond || kind == SetKind::disk;
}

/// d (x - P(x - w / d)), row by row, for lower <= x <= upper: the median of w, d (x - upper), d (x - lower).
template <class X, class W, class Scale, class Lower, class Upper>
auto box_error(const X& x, const W& w, const Scale& d, const Lower& lower, const Upper& upper) {
  return w.cwiseMax(d.cwiseProduct(x - upper)).cwiseMin(d.cwiseProduct(x - lower));
}

/// The same for one row.
inline double row_error(double x, double w, double d, double lower, double upper) {
  return clamp(w, d * (x - upper), d * (x - lower));
}

/// d (x - P(x - w / d)) for a cone of 2 or 3 rows: there d P(x - w / d) = P(d x - w).
template <int Rows>
Eigen::Matrix<double, Rows, 1> cone_error(double mu, const double* x_rows, const double* w_rows, double d) {
  using Point = Eigen::Matrix<double, Rows, 1>;
  const Point x = d * Eigen::Map<const Point>(x_rows);
  const Point w = Eigen::Map<const Point>(w_rows);
  const Point moved = x - w;
  const Point projected = projected_on_cone<Rows>(mu, moved);
  // Two ways to write the same; the smaller of x and w is not rounded away.
  if (x.squaredNorm() <= w.squaredNorm()) return x - projected;
  return w + (moved - projected);
}

/// error <- d (x - P(x - w / d)) for a block whose rows depend on each other.
void block_error(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView w, double d,
                 VectorView error);

/// ||(weight d_i e_i)||^2 with e_i = x_i - P(x_i - w_i / d_i), NaN where x or w is not finite. `scale` is a
/// vector expression of the d_i, `scratch` has room for the largest block.
template <class Scale>
double squared_natural_map(const ProductSet& K, ConstVectorView x, ConstVectorView w, const Scale& scale,
                           double weight, VectorView scratch) {
  if (K.is_box()) {
    return poison(x.sum() + w.sum()) + (weight * box_error(x, w, scale, K.lower(), K.upper())).squaredNorm();
  }
  double squared = 0.0;
  double sum = 0.0;
  const auto cone = [&]<int Rows>(const SetBlock& block) {
    const double* x_rows = x.data() + block.start;
    const double* w_rows = w.data() + block.start;
    for (int i = 0; i < Rows; ++i) sum += x_rows[i] + w_rows[i];
    const auto error = cone_error<Rows>(block.parameter, x_rows, w_rows, scale[block.start]);
    squared += (weight * error).squaredNorm();
  };
  for (const SetBlock& block : K.blocks()) {
    if (block.kind == SetKind::cone) {
      if (block.size == 3) {
        cone.template operator()<3>(block);
      } else {
        cone.template operator()<2>(block);
      }
      continue;
    }
    const auto rows = [&](const auto& vector) { return vector.segment(block.start, block.size); };
    sum += rows(x).sum() + rows(w).sum();
    if (rows_depend(block.kind)) {
      auto error = scratch.head(block.size);
      block_error(K, block, rows(x), rows(w), scale[block.start], error);
      squared += (weight * error).squaredNorm();
    } else {
      const auto lower = K.lower();
      const auto upper = K.upper();
      squared += (weight * box_error(rows(x), rows(w), rows(scale), rows(lower), rows(upper))).squaredNorm();
    }
  }
  return poison(sum) + squared;
}

/// The k worst rows, worst first; the lower index first among equals.
void keep_worst(std::vector<WorstRow>& rows, Index k);

}  // namespace slipstick::detail
