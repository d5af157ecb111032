// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/sets.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

// ||x_T|| <= mu x_N; mu = 0 is the ray x_N >= 0.
void project_cone(double mu, VectorView x) {
  const double normal = x[0];
  const double tangent = x.tail(x.size() - 1).norm();
  if (tangent <= mu * normal) return;
  if (mu * tangent <= -normal) {
    x.setZero();
    return;
  }
  const double on_ray = (normal + mu * tangent) / (1.0 + mu * mu);
  x[0] = on_ray;
  if (tangent > 0.0) x.tail(x.size() - 1) *= mu * on_ray / tangent;
}

void project_disk(double radius, VectorView x) {
  const double length = x.norm();
  if (length > radius) x *= radius / length;
}

// |x_1| + ... + |x_n| <= radius: soft thresholding at the level where the l1 norm meets the radius. The level
// rises with every pass, as entries below it drop out of the sum.
void project_diamond(double radius, VectorView x) {
  if (x.lpNorm<1>() <= radius) return;
  double level = 0.0;
  for (Index pass = 0; pass < x.size(); ++pass) {
    double sum = 0.0;
    int above = 0;
    for (const double value : x) {
      if (std::abs(value) <= level) continue;
      sum += std::abs(value);
      ++above;
    }
    const double next = above > 0 ? (sum - radius) / above : level;
    if (next <= level) break;
    level = next;
  }
  for (double& value : x) value = std::copysign(std::max(0.0, std::abs(value) - level), value);
}

}  // namespace

void project(const ProductSet& K, const SetBlock& block, VectorView x) {
  switch (block.kind) {
    case SetKind::free:
      return;
    case SetKind::nonnegative:
      x = x.cwiseMax(0.0);
      return;
    case SetKind::interval:
      x = x.cwiseMax(K.lower().segment(block.start, block.size))
              .cwiseMin(K.upper().segment(block.start, block.size));
      return;
    case SetKind::cone:
      return project_cone(block.parameter, x);
    case SetKind::diamond:
      return project_diamond(block.parameter, x);
    case SetKind::disk:
      return project_disk(block.parameter, x);
  }
}

}  // namespace slipstick
