// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Small vectors in registers.
namespace slipstick::internal {

struct Vec3 {
  double x, y, z;
};
__device__ inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ inline Vec3 operator*(double factor, Vec3 a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
__device__ inline double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Arrays are of double or of float. What is computed is double.
template <class Real>
__device__ inline Vec3 load3(const Real* from, std::size_t i) {
  return {from[3 * i], from[3 * i + 1], from[3 * i + 2]};
}
template <class Real>
__device__ inline void store3(Real* to, std::size_t i, Vec3 a) {
  to[3 * i] = static_cast<Real>(a.x);
  to[3 * i + 1] = static_cast<Real>(a.y);
  to[3 * i + 2] = static_cast<Real>(a.z);
}

/// Velocity and angular velocity of a body, or force and moment.
struct Twist {
  Vec3 linear, angular;
};
__device__ inline Twist operator+(Twist a, Twist b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
__device__ inline Twist operator-(Twist a, Twist b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
__device__ inline Twist operator*(double factor, Twist a) {
  return {factor * a.linear, factor * a.angular};
}
__device__ inline double dot(Twist a, Twist b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

/// Two numbers side by side.
template <class Real>
struct PairOf;
template <>
struct PairOf<double> {
  using Type = double2;
};
template <>
struct PairOf<float> {
  using Type = float2;
};
template <class Real>
using Pair = typename PairOf<Real>::Type;

template <class Real>
__device__ inline Twist load6(const Real* from, std::size_t i) {
  const Pair<Real>* p = reinterpret_cast<const Pair<Real>*>(from) + 3 * i;
  const Pair<Real> a = p[0], b = p[1], c = p[2];
  return {{a.x, a.y, b.x}, {b.y, c.x, c.y}};
}
template <class Real>
__device__ inline void store6(Real* to, std::size_t i, Twist a) {
  const auto rounded = [](double value) { return static_cast<Real>(value); };
  Pair<Real>* p = reinterpret_cast<Pair<Real>*>(to) + 3 * i;
  p[0] = {rounded(a.linear.x), rounded(a.linear.y)};
  p[1] = {rounded(a.linear.z), rounded(a.angular.x)};
  p[2] = {rounded(a.angular.y), rounded(a.angular.z)};
}

/// The normal of a contact, and its friction coefficient, as an array has it.
template <class Real>
struct alignas(16) StoredAxis {
  Real x, y, z, mu;
};
using Axis = StoredAxis<double>;
template <class Real>
__device__ inline Axis axis_from(const StoredAxis<Real>& axis) {
  return {axis.x, axis.y, axis.z, axis.mu};
}
__device__ inline Vec3 normal_of(const Axis& axis) {
  return {axis.x, axis.y, axis.z};
}

/// The point of the friction cone nearest to z.
__device__ inline Vec3 project_on_cone(Vec3 z, const Axis& axis) {
  const Vec3 n = normal_of(axis);
  const double normal = dot(z, n);
  const Vec3 tangent = z - normal * n;
  const double squared = dot(tangent, tangent), mu = axis.mu;
  if (normal >= 0.0 && squared <= mu * mu * normal * normal) return z;
  const double inverse = rsqrt(squared), length = squared * inverse;
  // In the polar cone. A tangent of length 0 gives NaN here, and belongs to it.
  if (!(mu * length > -normal)) return {0.0, 0.0, 0.0};
  const double on_ray = (normal + mu * length) / (1.0 + mu * mu);
  return on_ray * n + (mu * on_ray * inverse) * tangent;
}

}  // namespace slipstick::internal
