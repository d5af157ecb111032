// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/bulk_copy.cuh"
#include "slipstick/cuda/contact_view.cuh"
#include "slipstick/cuda/reductions.cuh"

// Products with A = J M^-1 J' + C through the bodies. Bodies gather the forces of their contacts: nothing is
// added by atomic operations, so the order of every sum is fixed.
namespace slipstick::internal {

inline constexpr int body_threads = 256;
inline constexpr int most_body_blocks = 396;
inline constexpr int product_threads = 256;
inline constexpr int most_product_blocks = 1056;

/// Calls finish(body, force) once for every body, in one thread, with force = J'x. Bodies run from the last
/// to the first: the contact pass before has left the last contacts in the cache.
template <ContactShape shape, class Real, class Finish>
__device__ inline void for_each_body(const ContactViewOf<Real>& view, const Real* x, const Finish& finish) {
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const int blocks = static_cast<int>(gridDim.x), threads = static_cast<int>(blockDim.x);
  for (int k = block; k < view.heavies; k += blocks) {
    const int body = view.heavy[k];
    const Twist share = gather_share<shape>(view, x, body, thread, threads);
    double sums[6] = {share.linear.x,  share.linear.y,  share.linear.z,
                      share.angular.x, share.angular.y, share.angular.z};
    sum_over_block(sums);
    if (thread == 0) finish(body, Twist{{sums[0], sums[1], sums[2]}, {sums[3], sums[4], sums[5]}});
  }
  for (int k = block * threads + thread; k < view.bodies; k += blocks * threads) {
    const int body = view.bodies - 1 - k;
    if (view.heavies > 0 && view.degree(body) > heavy_body_contacts) continue;
    finish(body, gather<shape>(view, x, body));
  }
}

/// v = M^-1 J'x
template <ContactShape shape, class Real = double>
__global__ void __launch_bounds__(body_threads)
    velocity_kernel(ContactViewOf<Real> view, const Real* x, Real* v) {
  for_each_body<shape>(view, x, [&](int body, Twist force) {
    store6(v, static_cast<std::size_t>(body),
           velocity_from<shape>(view.mass, static_cast<std::size_t>(body), force));
  });
}

template <ContactShape shape, class Real>
__device__ inline Vec3 contact_velocity(const ContactViewOf<Real>& view, const Real* v, std::size_t contact) {
  const int2 pair = view.pair[contact];
  const Twist first = load6(v, static_cast<std::size_t>(pair.x)),
              second = load6(v, static_cast<std::size_t>(pair.y));
  const Vec3 lever_of_first = lever<shape>(view, contact, false);
  return relative_velocity<shape>(
      first, second, lever_of_first,
      shape == ContactShape::spheres ? lever_of_first : lever<shape>(view, contact, true));
}

/// y = J v + C x, and the sum of y_i^2 / d_i.
template <ContactShape shape, class Real>
__global__ void __launch_bounds__(product_threads)
    product_kernel(ContactViewOf<Real> view, const Real* v, const Real* x, Real* y, double* partial,
                   unsigned* arrived, double* sum) {
  double sums[1] = {0.0};
  const auto first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto contacts = static_cast<std::size_t>(view.contacts);
  for (std::size_t c = first; c < contacts; c += stride) {
    Vec3 u = contact_velocity<shape>(view, v, c);
    if constexpr (shape == ContactShape::general)
      u = u + compliant(compliance_of(view, c), normal_of(axis_from(view.axis[c])), load3(x, c));
    store3(y, c, u);
    sums[0] += dot(u, u) / view.scale[c];
  }
  if constexpr (shape == ContactShape::general) {
    for (std::size_t k = first; k < static_cast<std::size_t>(view.rows); k += stride) {
      const int2 pair = view.row_pair[k];
      const double u = row_velocity(view.row_jacobian + 12 * k, load6(v, static_cast<std::size_t>(pair.x)),
                                    load6(v, static_cast<std::size_t>(pair.y))) +
                       view.row_compliance[k] * x[3 * contacts + k];
      y[3 * contacts + k] = static_cast<Real>(u);
      sums[0] += u * u / view.scale[contacts + k];
    }
  }
  if (sum_over_grid(partial, arrived, sums) && threadIdx.x == 0) *sum = sums[0];
}

}  // namespace slipstick::internal
