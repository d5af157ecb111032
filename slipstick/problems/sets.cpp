// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/sets.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/problems/barrier.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

constexpr Index max_diamond_facet_rows = 16;

auto lower_bounds(const ProductSet& K, const SetBlock& block) {
  return K.lower().segment(block.start, block.size);
}

auto upper_bounds(const ProductSet& K, const SetBlock& block) {
  return K.upper().segment(block.start, block.size);
}

double tangent_norm(const ConstVectorView& x) {
  return x.tail(x.size() - 1).norm();
}

bool in_cone(double mu, double normal, double tangent) {
  return normal >= 0.0 && tangent <= mu * normal;
}

void project_cone(double mu, VectorView x) {
  x.size() == 3 ? project_on_cone<3>(mu, x.data(), x.data()) : project_on_cone<2>(mu, x.data(), x.data());
}

double distance_to_cone(double mu, const ConstVectorView& x) {
  const double tangent = tangent_norm(x);
  if (in_cone(mu, x[0], tangent)) return 0.0;
  if (mu * tangent <= -x[0]) return x.norm();
  return std::max(tangent - mu * x[0], 0.0) / std::sqrt(1.0 + mu * mu);
}

// In the coordinates (mu x_N, x_T) the friction cone is the second-order cone.
double step_in_cone(double mu, const ConstVectorView& x, const ConstVectorView& d) {
  if (mu == 0.0) {
    if (tangent_norm(d) > 4.0 * machine_epsilon * std::abs(d[0])) return 0.0;
    return d[0] < 0.0 ? std::max(0.0, x[0]) / -d[0] : infinity;
  }
  const bool spatial = x.size() > 2;
  return max_step({mu * x[0], x[1], spatial ? x[2] : 0.0}, {mu * d[0], d[1], spatial ? d[2] : 0.0});
}

void project_disk(double radius, VectorView x) {
  const double length = x.norm();
  if (length > radius) x *= radius / length;
}

double step_in_disk(double radius, const ConstVectorView& x, const ConstVectorView& d) {
  const double a = d.squaredNorm();
  if (a == 0.0) return infinity;
  const double length = x.norm();
  const double c = std::max(0.0, (radius - length) * (radius + length));
  const double b = x.dot(d);
  const double root = std::sqrt(b * b + a * c);
  return b > 0.0 ? c / (b + root) : (root - b) / a;
}

// The projection on |x_1| + ... + |x_n| <= radius is soft thresholding. Returns its level, at which the l1
// norm equals the radius, or 0 inside. The level rises with every pass, because entries below it leave the
// sum.
double diamond_level(double radius, const ConstVectorView& x) {
  if (radius == 0.0) return x.lpNorm<Eigen::Infinity>();
  if (x.lpNorm<1>() <= radius) return 0.0;
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
  return level;
}

void project_diamond(double radius, VectorView x) {
  const double level = diamond_level(radius, x);
  if (level == 0.0) return;
  for (double& value : x) value = std::copysign(std::max(0.0, std::abs(value) - level), value);
}

// ||x + t d||_1 - radius is convex and piecewise linear in t. The loop walks over its kinks until it is
// positive.
double step_in_diamond(double radius, const ConstVectorView& x, const ConstVectorView& d) {
  const double total = d.lpNorm<1>();
  if (total == 0.0) return infinity;
  if (radius == 0.0) return 0.0;
  const double rounding = 16.0 * machine_epsilon * radius;
  double t = 0.0;
  for (Index kink = 0; kink <= x.size(); ++kink) {
    double excess = -radius;
    double slope = 0.0;
    double next = infinity;
    for (Index i = 0; i < x.size(); ++i) {
      excess += std::abs(x[i] + t * d[i]);
      // An entry turns at -x_i / d_i. Its part of the slope changes there from -|d_i| to |d_i|.
      const double turn = d[i] != 0.0 ? -x[i] / d[i] : -infinity;
      slope += turn > t ? -std::abs(d[i]) : std::abs(d[i]);
      if (turn > t) next = std::min(next, turn);
    }
    excess = std::min(excess, 0.0);
    if (slope > 0.0 && excess + slope * (next - t) > rounding) return t - excess / slope;
    t = next;
  }
  return std::numeric_limits<double>::quiet_NaN();  // reached only with NaNs
}

double row_step(double x, double d, double lower, double upper) {
  if (d > 0.0) return std::max(0.0, (upper - x) / d);
  if (d < 0.0) return std::max(0.0, (lower - x) / d);
  return infinity;
}

void cone_jacobian(double mu, const ConstVectorView& x, MatrixView jacobian) {
  const double tangent = tangent_norm(x);
  if (mu > 0.0 && in_cone(mu, x[0], tangent)) {
    jacobian.setIdentity();
    return;
  }
  jacobian.setZero();
  if (mu * tangent <= -x[0]) return;
  // The projection lies on a ray of the boundary. The derivative is 1 along it and 0 along the normal. A turn
  // of the ray shrinks by ||P_T|| / ||x_T||.
  const double cosine = 1.0 / std::sqrt(1.0 + mu * mu);
  const double sine = mu * cosine;
  jacobian(0, 0) = cosine * cosine;
  if (mu == 0.0) return;
  const double shrink = sine * (cosine * x[0] + sine * tangent) / tangent;
  for (Index i = 1; i < x.size(); ++i) {
    const double unit_i = x[i] / tangent;
    jacobian(i, 0) = jacobian(0, i) = cosine * sine * unit_i;
    for (Index j = 1; j < x.size(); ++j) {
      const double along = unit_i * x[j] / tangent;
      jacobian(i, j) = sine * sine * along + shrink * ((i == j ? 1.0 : 0.0) - along);
    }
  }
}

void diamond_jacobian(double radius, const ConstVectorView& x, MatrixView jacobian) {
  const double level = diamond_level(radius, x);
  if (radius > 0.0 && level == 0.0) {
    jacobian.setIdentity();
    return;
  }
  jacobian.setZero();
  const auto above = (x.array().abs() > level).count();
  for (Index i = 0; i < x.size(); ++i) {
    if (std::abs(x[i]) <= level) continue;
    for (Index j = 0; j < x.size(); ++j) {
      if (std::abs(x[j]) > level)
        jacobian(i, j) = (i == j ? 1.0 : 0.0) - std::copysign(1.0, x[i] * x[j]) / static_cast<double>(above);
    }
  }
}

void disk_jacobian(double radius, const ConstVectorView& x, MatrixView jacobian) {
  const double length = x.norm();
  if (radius > 0.0 && length <= radius) {
    jacobian.setIdentity();
    return;
  }
  jacobian.setZero();
  if (radius == 0.0) return;
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < x.size(); ++j)
      jacobian(i, j) = radius / length * ((i == j ? 1.0 : 0.0) - (x[i] / length) * (x[j] / length));
  }
}

Face whole_space(Index rows) {
  return {static_cast<int>(rows), DenseMatrix::Identity(rows, rows)};
}

Face point(Index rows) {
  return {0, DenseMatrix::Zero(rows, 0)};
}

Face box_face(const ProductSet& K, const SetBlock& block, const ConstVectorView& x, double tolerance) {
  const auto lower = lower_bounds(K, block);
  const auto upper = upper_bounds(K, block);
  Face result;
  result.tangent.setZero(block.size, block.size);
  for (Index i = 0; i < block.size; ++i) {
    if (x[i] - lower[i] > tolerance && upper[i] - x[i] > tolerance) result.tangent(i, result.dimension++) = 1;
  }
  result.tangent.conservativeResize(Eigen::NoChange, result.dimension);
  return result;
}

Face cone_face(double mu, const ConstVectorView& x, double tolerance) {
  const double tangent = tangent_norm(x);
  if (x.norm() <= tolerance) return point(x.size());
  const double depth = (mu * x[0] - tangent) / std::sqrt(1.0 + mu * mu);
  if (depth > tolerance) return whole_space(x.size());
  Face ray{1, DenseMatrix::Zero(x.size(), 1)};
  ray.tangent(0, 0) = 1.0;
  if (tangent > 0.0) ray.tangent.bottomRows(x.size() - 1) = x.tail(x.size() - 1) * (mu / tangent);
  ray.tangent.normalize();
  return ray;
}

// On the boundary, zero entries stay zero, and the signed sum of the others keeps its value.
Face diamond_face(double radius, const ConstVectorView& x, double tolerance) {
  const Index rows = x.size();
  const double depth = (radius - x.lpNorm<1>()) / std::sqrt(static_cast<double>(rows));
  if (depth > tolerance) return whole_space(rows);
  Face result = point(rows);
  Vector sum = Vector::Zero(rows);  // signs of the entries seen so far
  Index seen = 0;
  for (Index i = 0; i < rows; ++i) {
    if (std::abs(x[i]) <= tolerance) continue;
    const double sign = std::copysign(1.0, x[i]);
    if (seen > 0) {
      result.tangent.conservativeResize(Eigen::NoChange, ++result.dimension);
      auto column = result.tangent.col(result.dimension - 1);
      column = sum;
      column[i] = -sign * static_cast<double>(seen);
      column.normalize();
    }
    sum[i] = sign;
    ++seen;
  }
  return result;
}

Face disk_face(double radius, const ConstVectorView& x, double tolerance) {
  return radius - x.norm() > tolerance ? whole_space(x.size()) : point(x.size());
}

Facets box_facets(const ProductSet& K, const SetBlock& block) {
  const auto lower = lower_bounds(K, block);
  const auto upper = upper_bounds(K, block);
  const Index rows = (lower.array() > -infinity).count() + (upper.array() < infinity).count();
  Facets result{DenseMatrix::Zero(rows, block.size), Vector(rows)};
  Index row = 0;
  for (Index i = 0; i < block.size; ++i) {
    if (lower[i] > -infinity) {
      result.normals(row, i) = -1.0;
      result.offsets[row++] = -lower[i];
    }
    if (upper[i] < infinity) {
      result.normals(row, i) = 1.0;
      result.offsets[row++] = upper[i];
    }
  }
  return result;
}

// |x_T| <= mu x_N. With mu = 0 the normal needs an extra row.
Facets cone_facets(double mu, Index size) {
  const Index tangents = size - 1;
  const Index rows = 2 * tangents + (mu == 0.0 ? 1 : 0);
  Facets result{DenseMatrix::Zero(rows, size), Vector::Zero(rows)};
  for (Index i = 0; i < tangents; ++i) {
    result.normals(2 * i, 0) = result.normals(2 * i + 1, 0) = -mu;
    result.normals(2 * i, i + 1) = 1.0;
    result.normals(2 * i + 1, i + 1) = -1.0;
  }
  if (mu == 0.0) result.normals(rows - 1, 0) = -1.0;
  return result;
}

Facets diamond_facets(double radius, Index size) {
  const Index rows = Index{1} << size;
  Facets result{DenseMatrix(rows, size), Vector::Constant(rows, radius)};
  for (Index row = 0; row < rows; ++row) {
    for (Index i = 0; i < size; ++i) result.normals(row, i) = (row >> i) & 1 ? -1.0 : 1.0;
  }
  return result;
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
      x = x.cwiseMax(lower_bounds(K, block)).cwiseMin(upper_bounds(K, block));
      return;
    case SetKind::cone:
      return project_cone(block.parameter, x);
    case SetKind::diamond:
      return project_diamond(block.parameter, x);
    case SetKind::disk:
      return project_disk(block.parameter, x);
  }
}

bool contains(const ProductSet& K, const SetBlock& block, ConstVectorView x, double tolerance) {
  return distance(K, block, x) <= tolerance;
}

double distance(const ProductSet& K, const SetBlock& block, ConstVectorView x) {
  double sum = 0.0;
  switch (block.kind) {
    case SetKind::free:
      return 0.0;
    case SetKind::nonnegative:
    case SetKind::interval:
      for (Index i = 0; i < block.size; ++i) {
        const double lower = K.lower()[block.start + i];
        const double upper = K.upper()[block.start + i];
        const double outside = x[i] >= lower && x[i] <= upper ? 0.0 : std::max(lower - x[i], x[i] - upper);
        sum += outside * outside;
      }
      return std::sqrt(sum);
    case SetKind::cone:
      return distance_to_cone(block.parameter, x);
    case SetKind::diamond: {
      const double level = diamond_level(block.parameter, x);
      for (const double value : x) sum += std::pow(std::min(std::abs(value), level), 2);
      return std::sqrt(sum);
    }
    case SetKind::disk:
      return std::max(x.norm() - block.parameter, 0.0);
  }
  return 0.0;
}

double step_to_boundary(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView d) {
  double step = infinity;
  switch (block.kind) {
    case SetKind::free:
      return infinity;
    case SetKind::nonnegative:
    case SetKind::interval:
      for (Index i = 0; i < block.size; ++i)
        step = std::min(step, row_step(x[i], d[i], K.lower()[block.start + i], K.upper()[block.start + i]));
      return step;
    case SetKind::cone:
      return step_in_cone(block.parameter, x, d);
    case SetKind::diamond:
      return step_in_diamond(block.parameter, x, d);
    case SetKind::disk:
      return step_in_disk(block.parameter, x, d);
  }
  return step;
}

void projection_jacobian(const ProductSet& K, const SetBlock& block, ConstVectorView x, MatrixView jacobian) {
  assert(jacobian.rows() == block.size && jacobian.cols() == block.size);
  switch (block.kind) {
    case SetKind::free:
      jacobian.setIdentity();
      return;
    case SetKind::nonnegative:
    case SetKind::interval:
      jacobian.setZero();
      for (Index i = 0; i < block.size; ++i) {
        if (x[i] > K.lower()[block.start + i] && x[i] < K.upper()[block.start + i]) jacobian(i, i) = 1.0;
      }
      return;
    case SetKind::cone:
      return cone_jacobian(block.parameter, x, jacobian);
    case SetKind::diamond:
      return diamond_jacobian(block.parameter, x, jacobian);
    case SetKind::disk:
      return disk_jacobian(block.parameter, x, jacobian);
  }
}

Face face(const ProductSet& K, const SetBlock& block, ConstVectorView x, double tolerance) {
  switch (block.kind) {
    case SetKind::free:
      return whole_space(block.size);
    case SetKind::nonnegative:
    case SetKind::interval:
      return box_face(K, block, x, tolerance);
    case SetKind::cone:
      return cone_face(block.parameter, x, tolerance);
    case SetKind::diamond:
      return diamond_face(block.parameter, x, tolerance);
    case SetKind::disk:
      return disk_face(block.parameter, x, tolerance);
  }
  return {};
}

bool has_facets(const SetBlock& block) {
  switch (block.kind) {
    case SetKind::free:
    case SetKind::nonnegative:
    case SetKind::interval:
      return true;
    case SetKind::cone:
      return block.size == 2 || block.parameter == 0.0;
    case SetKind::diamond:
      return block.size <= max_diamond_facet_rows;
    case SetKind::disk:
      return block.size == 1;
  }
  return false;
}

Facets facets(const ProductSet& K, const SetBlock& block) {
  if (!has_facets(block)) fail("a {} of {} rows has no list of facets", name(block.kind), block.size);
  switch (block.kind) {
    case SetKind::free:
    case SetKind::nonnegative:
    case SetKind::interval:
      return box_facets(K, block);
    case SetKind::cone:
      return cone_facets(block.parameter, block.size);
    case SetKind::diamond:
    case SetKind::disk:
      return diamond_facets(block.parameter, block.size);
  }
  return {};
}

}  // namespace slipstick::internal
