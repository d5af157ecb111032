// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/metric_step.hpp"

#include <cmath>
#include <limits>

#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

bool is_cone_bound(double bound) {
  return bound == 0.0 || std::isinf(bound);
}

}  // namespace

void metric_step(const ProductSet& K, ConstVectorView x, ConstVectorView g, ConstVectorView metric,
                 double step, VectorView out) {
  metric_step(K, K.blocks(), x, g, metric, step, out);
}

void metric_step(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView g,
                 ConstVectorView metric, double step, VectorView out) {
  if (blocks.empty()) return;
  if (K.is_box()) {
    const RowRange range = rows_of(blocks);
    const auto rows = [&](const auto& vector) { return vector.segment(range.start, range.size); };
    const auto lower = K.lower();
    const auto upper = K.upper();
    out.segment(range.start, range.size) =
        (rows(x) - step * rows(g).cwiseQuotient(rows(metric))).cwiseMax(rows(lower)).cwiseMin(rows(upper));
    return;
  }
  const auto on_cones = [&]<int Contacts, int Rows>(const SetBlock* cones) {
    using Points = ConePoints<Contacts>;
    const Index start = cones[0].start;
    const Lane<Contacts> factor = step / lane_of<Contacts>([&](Index i) { return metric[start + Rows * i]; });
    const Points moved = Points::template load<Rows>(x.data() + start) -
                         factor * Points::template load<Rows>(g.data() + start);
    projected_on_cones<Contacts>(friction_of<Contacts>(cones), moved)
        .template store<Rows>(out.data() + start);
  };
  const auto on_other = [&](const SetBlock& block) {
    for (Index i = block.start; i < block.start + block.size; ++i) out[i] = x[i] - step * g[i] / metric[i];
    project(K, block, out.segment(block.start, block.size));
  };
  visit_cones(blocks, on_cones, on_other);
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

}  // namespace slipstick::internal
