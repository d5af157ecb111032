// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/metric_step.hpp"

#include <cmath>
#include <limits>

namespace slipstick {
namespace {

bool is_cone_bound(double bound) {
  return bound == 0.0 || std::isinf(bound);
}

template <int Rows>
void step_on_cone(const SetBlock& block, ConstVectorView x, ConstVectorView g, double factor,
                  VectorView out) {
  const auto rows = [&](const auto& vector) { return vector.template segment<Rows>(block.start); };
  out.segment<Rows>(block.start) = projected_on_cone<Rows>(block.parameter, rows(x) - factor * rows(g));
}

}  // namespace

void metric_step(const ProductSet& K, ConstVectorView x, ConstVectorView g, ConstVectorView metric,
                 double step, VectorView out) {
  if (K.is_box()) {
    out = (x - step * g.cwiseQuotient(metric)).cwiseMax(K.lower()).cwiseMin(K.upper());
    return;
  }
  for (const SetBlock& block : K.blocks()) {
    if (block.kind == SetKind::cone) {
      const double factor = step / metric[block.start];
      if (block.size == 3) {
        step_on_cone<3>(block, x, g, factor, out);
      } else {
        step_on_cone<2>(block, x, g, factor, out);
      }
    } else {
      for (Index i = block.start; i < block.start + block.size; ++i) out[i] = x[i] - step * g[i] / metric[i];
      project(K, block, out.segment(block.start, block.size));
    }
  }
}

double slope_rounding(const Vector& x, const Vector& g) {
  return 8.0 * std::numeric_limits<double>::epsilon() * x.cwiseProduct(g).lpNorm<1>();
}

double far_ray_minimum(const Vector& b, const Vector& x, const Vector& g) {
  double slope = 0.0, curvature = 0.0;
#pragma omp simd reduction(+ : slope, curvature)
  for (Index i = 0; i < x.size(); ++i) {
    slope += b[i] * x[i];
    curvature += x[i] * (g[i] - b[i]);
  }
  if (!(slope < 0.0) || !(curvature > 0.0)) return 1.0;
  const double t = -slope / curvature;
  return std::isfinite(t) && (t < 0.67 || t > 1.5) ? t : 1.0;
}

bool is_conic(const ProductSet& K) {
  for (const SetBlock& block : K.blocks()) {
    if (block.kind == SetKind::disk || block.kind == SetKind::diamond) return false;
    if (block.kind != SetKind::interval) continue;
    for (Index i = block.start; i < block.start + block.size; ++i) {
      if (!is_cone_bound(K.lower()[i]) || !is_cone_bound(K.upper()[i])) return false;
    }
  }
  return true;
}

}  // namespace slipstick
