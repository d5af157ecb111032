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
__device__ inline Vec3 load3(const double* from, std::size_t i) {
  return {from[3 * i], from[3 * i + 1], from[3 * i + 2]};
}
__device__ inline void store3(double* to, std::size_t i, Vec3 a) {
  to[3 * i] = a.x;
  to[3 * i + 1] = a.y;
  to[3 * i + 2] = a.z;
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
__device__ inline Twist load6(const double* from, std::size_t i) {
  const double2* p = reinterpret_cast<const double2*>(from) + 3 * i;
  const double2 a = p[0], b = p[1], c = p[2];
  return {{a.x, a.y, b.x}, {b.y, c.x, c.y}};
}
__device__ inline void store6(double* to, std::size_t i, Twist a) {
  double2* p = reinterpret_cast<double2*>(to) + 3 * i;
  p[0] = {a.linear.x, a.linear.y};
  p[1] = {a.linear.z, a.angular.x};
  p[2] = {a.angular.y, a.angular.z};
}

/// The normal of a contact, and its friction coefficient.
struct alignas(16) Axis {
  double x, y, z, mu;
};
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
