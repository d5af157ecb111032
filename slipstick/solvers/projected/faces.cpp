// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/faces.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"
#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {
namespace {

constexpr double on_boundary = 1e-10;  // points closer than this to the boundary, relative to x, are on it

double tangent_norm(const SetBlock& block, const Vector& x) {
  return x.segment(block.start + 1, block.size - 1).norm();
}

// n'v for the ray r = (c, s t): n = (-s, c t).
double along_normal(const SetBlock& block, double mu, const Vector& ray, const Vector& v) {
  const double cosine = ray[block.start];
  double sum = -mu * cosine * v[block.start];
  if (mu > 0.0) {
    for (Index i = 1; i < block.size; ++i) sum += ray[block.start + i] / mu * v[block.start + i];
  }
  return sum;
}

// v -= amount n
void subtract_normal(const SetBlock& block, double mu, const Vector& ray, double amount, double* v) {
  v[0] += amount * mu * ray[block.start];
  for (Index i = 1; i < block.size; ++i) v[i] -= amount * ray[block.start + i] / mu;
}

}  // namespace

void Faces::begin(Index rows) {
  const auto size = static_cast<std::size_t>(rows);
  changed_ = kind_.size() != size;
  kind_.resize(size);
  mask_.resize(size);
  ray_.resize(rows);
  curvature_.resize(rows);
  fixed_rows_ = 0;
}

void Faces::set(Index start, Index size, Kind kind) {
  for (Index i = start; i < start + size; ++i) {
    changed_ = changed_ || kind_[i] != static_cast<char>(kind);
    kind_[i] = static_cast<char>(kind);
    mask_[i] = static_cast<char>(kind == Kind::fixed ? 0 : 1);
  }
  if (kind == Kind::fixed) fixed_rows_ += size;
}

void Faces::choose_smallest(const ProductSet& K, const Vector& x) {
  begin(x.size());
  const auto lower = K.lower();
  const auto upper = K.upper();
  for (const SetBlock& block : K.blocks()) {
    if (block.kind != SetKind::cone) {
      for (Index i = block.start; i < block.start + block.size; ++i)
        set(i, 1, x[i] > lower[i] && x[i] < upper[i] ? Kind::free : Kind::fixed);
      continue;
    }
    const double mu = block.parameter;
    const double tangent = tangent_norm(block, x);
    const double normal = x[block.start];
    if (!(normal > 0.0)) {
      set(block.start, block.size, Kind::fixed);
    } else if (tangent < mu * normal * (1.0 - on_boundary)) {
      set(block.start, block.size, Kind::free);
    } else {
      set(block.start, block.size, Kind::ray);
      const double cosine = 1.0 / std::sqrt(1.0 + mu * mu);
      ray_[block.start] = cosine;
      for (Index i = block.start + 1; i < block.start + block.size; ++i)
        ray_[i] = tangent > 0.0 ? mu * cosine * x[i] / tangent : 0.0;
    }
  }
}

void Faces::choose_tangent(const ProductSet& K, const Vector& x, const Vector& g) {
  choose_smallest(K, x);
  for (const SetBlock& block : K.blocks()) {
    if (block.kind != SetKind::cone) continue;
    if (kind(block.start) != Kind::ray || block.parameter == 0.0) continue;
    const double mu = block.parameter;
    const double outward = along_normal(block, mu, ray_, g);
    if (outward > 0.0) {
      set(block.start, block.size, Kind::free);
    } else {
      set(block.start, block.size, Kind::plane);
      curvature_[block.start] = -outward * ray_[block.start] / tangent_norm(block, x);
    }
  }
}

void Faces::project(const ProductSet& K, Vector& v) const {
  for (const SetBlock& block : K.blocks()) {
    if (block.kind != SetKind::cone) {
      for (Index i = block.start; i < block.start + block.size; ++i) {
        if (kind(i) == Kind::fixed) v[i] = 0.0;
      }
      continue;
    }
    auto rows = v.segment(block.start, block.size);
    switch (kind(block.start)) {
      case Kind::fixed:
        rows.setZero();
        break;
      case Kind::ray: {
        const auto ray = ray_.segment(block.start, block.size);
        rows = rows.dot(ray) * ray;
        break;
      }
      case Kind::plane:
        subtract_normal(block, block.parameter, ray_, along_normal(block, block.parameter, ray_, v),
                        rows.data());
        break;
      case Kind::free:
        break;
    }
  }
}

void Faces::add_curvature(const ProductSet& K, const Vector& v, Vector& out) const {
  for (const SetBlock& block : K.blocks()) {
    if (block.kind != SetKind::cone || block.size < 3 || kind(block.start) != Kind::plane) continue;
    const Index i = block.start;
    // u = (0, -t_2, t_1) with (t_1, t_2) = ray_T / (mu cosine).
    const double length = block.parameter * ray_[i];
    const double t1 = ray_[i + 1] / length;
    const double t2 = ray_[i + 2] / length;
    const double turn = curvature_[i] * (t1 * v[i + 2] - t2 * v[i + 1]);
    out[i + 1] -= turn * t2;
    out[i + 2] += turn * t1;
  }
}

double Faces::feasible_step(const ProductSet& K, const Vector& x, const Vector& p) const {
  const auto lower = K.lower();
  const auto upper = K.upper();
  double step = infinity;
  double reversed[4];
  for (const SetBlock& block : K.blocks()) {
    const Index end = block.start + block.size;
    if (block.kind != SetKind::cone) {
      for (Index i = block.start; i < end; ++i) {
        if (p[i] != 0.0) step = std::min(step, (x[i] - (p[i] > 0.0 ? lower[i] : upper[i])) / p[i]);
      }
    } else if (kind(block.start) == Kind::ray) {
      if (p[block.start] > 0.0) step = std::min(step, x[block.start] / p[block.start]);
    } else if (kind(block.start) == Kind::free) {
      for (Index i = block.start; i < end; ++i) reversed[i - block.start] = -p[i];
      step = std::min(step, step_to_boundary(K, block, x.segment(block.start, block.size),
                                             Eigen::Map<const Vector>(reversed, block.size)));
    }
  }
  return step;
}

Faces::Split Faces::split(const ProductSet& K, const Vector& x, const Vector& g, const Vector& metric,
                          Vector& phi) const {
  Split sums;
  double inward[4];  // rows of one cone; 4 numbers fill a whole packet for the compiler
  for (const SetBlock& block : K.blocks()) {
    const Index end = block.start + block.size;
    if (block.kind != SetKind::cone) {
      for (Index i = block.start; i < end; ++i) {
        const bool is_free = kind(i) == Kind::free;
        phi[i] = is_free ? g[i] : 0.0;
        double leaving = 0.0;
        if (!is_free && K.lower()[i] < K.upper()[i])
          leaving = x[i] <= K.lower()[i] ? std::min(g[i], 0.0) : std::max(g[i], 0.0);
        sums.face += phi[i] * phi[i] / metric[i];
        sums.leaving += leaving * leaving / metric[i];
      }
      continue;
    }
    auto face = phi.segment(block.start, block.size);
    const auto rows = g.segment(block.start, block.size);
    double leaving = 0.0;
    switch (kind(block.start)) {
      case Kind::fixed: {
        // -P_K(-g)
        face.setZero();
        Eigen::Map<Vector> towards(inward, block.size);
        towards = -rows;
        internal::project(K, block, towards);
        leaving = towards.squaredNorm();
        break;
      }
      case Kind::ray: {
        // face is g along the ray. rest is the other part of g, without the load that the boundary carries.
        const auto ray = ray_.segment(block.start, block.size);
        face = rows.dot(ray) * ray;
        if (block.parameter > 0.0) {
          Eigen::Map<Vector> rest(inward, block.size);
          rest = rows - face;
          const double outward = along_normal(block, block.parameter, ray_, g);
          if (outward < 0.0) subtract_normal(block, block.parameter, ray_, outward, inward);
          leaving = rest.squaredNorm();
        }
        break;
      }
      case Kind::plane:
      case Kind::free:
        face = rows;
        break;
    }
    sums.face += face.squaredNorm() / metric[block.start];
    sums.leaving += leaving / metric[block.start];
  }
  return sums;
}

}  // namespace slipstick::internal
