// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/face_engine.hpp"
#include "slipstick/cuda/products.cuh"

// The kernels of Kucera's method (see FaceEngine and Faces), in world axes.
namespace slipstick::internal {

struct FaceView {
  ContactView contacts;
  double *x, *g, *phi, *v;
  double* d[2];  // by FaceEngine::Direction
  double* Ad[2];
  char* face;  // of each contact, then of each row
  double* partial;
  FaceSums* sums;
};

inline constexpr int face_threads = 256;
inline constexpr int most_face_blocks = 528;
inline constexpr char face_fixed = 1, face_ray = 2, face_free = 3;

/// Calls contact(c) for every contact, and row(k, i) for every row k, whose number is entry i of a vector.
template <class Contact, class Row>
__device__ inline void for_each_item(const ContactView& view, const Contact& contact, const Row& row) {
  const auto first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto contacts = static_cast<std::size_t>(view.contacts), rows = static_cast<std::size_t>(view.rows);
  for (std::size_t c = first; c < contacts; c += stride) contact(c);
  for (std::size_t k = first; k < rows; k += stride) row(k, 3 * contacts + k);
}

/// A vector of a contact along the normal and across.
struct Parts {
  double normal;
  Vec3 tangent;
  double length;  // of the tangent
};
__device__ inline Parts parts_of(Vec3 z, Vec3 n) {
  const double normal = dot(z, n);
  const Vec3 tangent = z - normal * n;
  return {normal, tangent, sqrt(dot(tangent, tangent))};
}

/// The largest t with x + t d in the cone, see max_step().
__device__ inline double cone_step(Vec3 point, Vec3 direction, const Axis& axis) {
  constexpr double epsilon = 2.220446049250313e-16;
  const double infinite = __longlong_as_double(0x7ff0000000000000LL);
  const Vec3 n = normal_of(axis);
  const Parts x = parts_of(point, n), d = parts_of(direction, n);
  if (axis.mu == 0.0) {
    if (d.length > 4.0 * epsilon * fabs(d.normal)) return 0.0;
    return d.normal < 0.0 ? fmax(0.0, x.normal) / -d.normal : infinite;
  }
  const double x0 = axis.mu * x.normal, d0 = axis.mu * d.normal;
  if (d.length <= d0) return infinite;
  if (x0 <= 0.0) return 0.0;
  const Vec3 e = x0 * d.tangent - d0 * x.tangent;
  const double squared = dot(e, e);
  if (sqrt(squared) <= 4.0 * epsilon * (x0 * d.length + fabs(d0) * x.length))
    return d0 < 0.0 ? x0 / -d0 : infinite;
  const double c = fmax(0.0, (x0 - x.length) * (x0 + x.length));
  const double b = x0 * d0 - dot(x.tangent, d.tangent);
  const double along = x.length > 0.0 ? dot(x.tangent, e) / x.length : 0.0;
  const double across = fmax(0.0, squared - along * along);
  const double root = sqrt(along * along + across * (c / (x0 * x0)));
  if (b <= 0.0) return root - b > 0.0 ? c / (root - b) : 0.0;
  const double a = (d0 - d.length) * (d0 + d.length);
  return a < 0.0 ? (b + root) / -a : infinite;
}

/// The smallest face that x lies on, the part phi of g along it, and the square of the other part along which
/// the objective can fall.
__device__ inline char split_on_cone(Vec3 x, Vec3 g, const Axis& axis, Vec3& phi, double& leaving) {
  constexpr double on_boundary = 1e-10;
  const Vec3 n = normal_of(axis);
  const Parts at = parts_of(x, n);
  if (!(at.normal > 0.0)) {
    const Vec3 inward = project_on_cone(Vec3{-g.x, -g.y, -g.z}, axis);
    phi = {0.0, 0.0, 0.0};
    leaving = dot(inward, inward);
    return face_fixed;
  }
  if (at.length < axis.mu * at.normal * (1.0 - on_boundary)) {
    phi = g;
    leaving = 0.0;
    return face_free;
  }
  const double cosine = 1.0 / sqrt(1.0 + axis.mu * axis.mu);
  const Vec3 t = (at.length > 0.0 ? 1.0 / at.length : 0.0) * at.tangent;
  const Vec3 ray = cosine * (n + axis.mu * t), outside = cosine * (t - axis.mu * n);
  phi = dot(g, ray) * ray;
  leaving = 0.0;
  if (axis.mu > 0.0) {
    const double outward = dot(g, outside);
    Vec3 rest = g - phi;
    if (outward < 0.0) rest = rest - outward * outside;  // the load that the boundary carries
    leaving = dot(rest, rest);
  }
  return face_ray;
}

inline constexpr int face_split_sums = 7;

__global__ void __launch_bounds__(face_threads)
    face_split(FaceView view, double t, const double* d, const double* Ad, double weight) {
  const ContactView& contacts = view.contacts;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  double sums[face_split_sums] = {};
  const auto set_face = [&](std::size_t item, char face) {
    sums[3] += view.face[item] != face ? 1.0 : 0.0;
    view.face[item] = face;
  };
  for_each_item(
      contacts,
      [&](std::size_t c) {
        const Axis axis = contacts.axis[c];
        const double scale = contacts.scale[c];
        Vec3 x = load3(view.x, c), g = load3(view.g, c);
        if (t != 0.0) {
          x = x + t * load3(d, c);
          g = g + t * load3(Ad, c);
          store3(view.x, c, x);
          store3(view.g, c, g);
        }
        const Vec3 error = (weight * scale) * (x - project_on_cone(x - (1.0 / scale) * g, axis));
        sums[0] += dot(error, error) + 0.0 * (g.x + g.y + g.z + x.x + x.y + x.z);  // NaN if not finite
        Vec3 phi;
        double leaving;
        set_face(c, split_on_cone(x, g, axis, phi, leaving));
        store3(view.phi, c, phi);
        sums[1] += dot(phi, phi) / scale;
        sums[2] += leaving / scale;
        sums[4] += dot(load3(contacts.load, c), x);
        sums[5] += dot(x, g);
        sums[6] += fabs(x.x * g.x) + fabs(x.y * g.y) + fabs(x.z * g.z);
      },
      [&](std::size_t k, std::size_t i) {
        const double scale = contacts.scale[count + k];
        const double2 bounds = contacts.row_bounds[k];
        double x = view.x[i], g = view.g[i];
        if (t != 0.0) {
          view.x[i] = x = x + t * d[i];
          view.g[i] = g = g + t * Ad[i];
        }
        const double error = weight * scale * (x - fmin(fmax(x - g / scale, bounds.x), bounds.y));
        sums[0] += error * error + 0.0 * (g + x);
        const bool inside = x > bounds.x && x < bounds.y;
        set_face(count + k, inside ? face_free : face_fixed);
        const double phi = inside ? g : 0.0;
        double leaving = 0.0;
        if (!inside && bounds.x < bounds.y) leaving = x <= bounds.x ? fmin(g, 0.0) : fmax(g, 0.0);
        view.phi[i] = phi;
        sums[1] += phi * phi / scale;
        sums[2] += leaving * leaving / scale;
        sums[4] += contacts.load[i] * x;
        sums[5] += x * g;
        sums[6] += fabs(x * g);
      });
  if (!sum_over_grid(view.partial, view.sums->arrived, sums) || threadIdx.x != 0) return;
  view.sums->error_shares = sums[0];
  view.sums->face = sums[1];
  view.sums->leaving = sums[2];
  view.sums->changed = sums[3];
  view.sums->ray_slope = sums[4];
  view.sums->x_g = sums[5];
  view.sums->magnitude = sums[6];
}

/// The last block of a kernel that found a direction.
__device__ inline void end_direction(const FaceView& view, double (&sums)[3]) {
  if (!sum_over_grid<3, 1>(view.partial, view.sums->arrived + 1, sums) || threadIdx.x != 0) return;
  view.sums->slope = sums[0];
  view.sums->squared_size = sums[1];
  view.sums->feasible_step = sums[2];
}

/// d <- phi / D + factor d, and the largest step along -d within K.
__global__ void __launch_bounds__(face_threads) face_conjugate(FaceView view, double* d, double factor) {
  const ContactView& contacts = view.contacts;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  double sums[3] = {0.0, 0.0, reduction_start<3, 1>(2)};
  for_each_item(
      contacts,
      [&](std::size_t c) {
        Vec3 p = (1.0 / contacts.scale[c]) * load3(view.phi, c);
        if (factor != 0.0) p = p + factor * load3(d, c);
        store3(d, c, p);
        sums[0] += dot(p, load3(view.g, c));
        sums[1] += dot(p, p);
        const char face = view.face[c];
        if (face == face_fixed) return;
        const Axis axis = contacts.axis[c];
        const Vec3 x = load3(view.x, c);
        if (face == face_free) {
          sums[2] = fmin(sums[2], cone_step(x, Vec3{-p.x, -p.y, -p.z}, axis));
        } else if (const double along = dot(p, normal_of(axis)); along > 0.0) {
          sums[2] = fmin(sums[2], dot(x, normal_of(axis)) / along);
        }
      },
      [&](std::size_t k, std::size_t i) {
        const double p = view.phi[i] / contacts.scale[count + k] + (factor != 0.0 ? factor * d[i] : 0.0);
        d[i] = p;
        sums[0] += p * view.g[i];
        sums[1] += p * p;
        const double2 bounds = contacts.row_bounds[k];
        if (p != 0.0) sums[2] = fmin(sums[2], (view.x[i] - (p > 0.0 ? bounds.x : bounds.y)) / p);
      });
  end_direction(view, sums);
}

/// d <- P(x - step q) - x with q = `from`, or g / D if there is none.
__global__ void __launch_bounds__(face_threads)
    face_projected(FaceView view, double* d, const double* from, double step) {
  const ContactView& contacts = view.contacts;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  double sums[3] = {0.0, 0.0, reduction_start<3, 1>(2)};
  for_each_item(
      contacts,
      [&](std::size_t c) {
        const Vec3 x = load3(view.x, c), g = load3(view.g, c);
        const Vec3 q = from != nullptr ? load3(from, c) : (1.0 / contacts.scale[c]) * g;
        const Vec3 move = project_on_cone(x - step * q, contacts.axis[c]) - x;
        store3(d, c, move);
        sums[0] += dot(move, g);
        sums[1] += dot(move, move);
      },
      [&](std::size_t k, std::size_t i) {
        const double2 bounds = contacts.row_bounds[k];
        const double x = view.x[i], g = view.g[i];
        const double q = from != nullptr ? from[i] : g / contacts.scale[count + k];
        const double move = fmin(fmax(x - step * q, bounds.x), bounds.y) - x;
        d[i] = move;
        sums[0] += move * g;
        sums[1] += move * move;
      });
  end_direction(view, sums);
}

/// x <- P(x - t d), g <- g - t A d
__global__ void __launch_bounds__(face_threads)
    face_boundary(FaceView view, const double* d, const double* Ad, double t) {
  const ContactView& contacts = view.contacts;
  for_each_item(
      contacts,
      [&](std::size_t c) {
        store3(view.x, c, project_on_cone(load3(view.x, c) - t * load3(d, c), contacts.axis[c]));
        store3(view.g, c, load3(view.g, c) - t * load3(Ad, c));
      },
      [&](std::size_t k, std::size_t i) {
        const double2 bounds = contacts.row_bounds[k];
        view.x[i] = fmin(fmax(view.x[i] - t * d[i], bounds.x), bounds.y);
        view.g[i] -= t * Ad[i];
      });
}

/// to = J v + C from, plus b if `with_load`; sums of the product of a direction.
template <ContactShape shape, bool with_load>
__global__ void __launch_bounds__(product_threads)
    face_product(FaceView view, const double* from, double* to) {
  const ContactView& contacts = view.contacts;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  double sums[4] = {};
  for_each_item(
      contacts,
      [&](std::size_t c) {
        Vec3 u = contact_velocity<shape>(contacts, view.v, c);
        const Vec3 d = load3(from, c);
        if constexpr (shape == ContactShape::general)
          u = u + compliant(compliance_of(contacts, c), normal_of(contacts.axis[c]), d);
        const double scale = contacts.scale[c];
        sums[0] += dot(d, u);
        sums[1] += dot(u, u);
        sums[2] += scale * dot(d, d);
        sums[3] += dot(u, u) / scale;
        if constexpr (with_load) u = u + load3(contacts.load, c);
        store3(to, c, u);
      },
      [&](std::size_t k, std::size_t i) {
        if constexpr (shape == ContactShape::general) {
          const int2 pair = contacts.row_pair[k];
          const double d = from[i], scale = contacts.scale[count + k];
          double u =
              row_velocity(contacts.row_jacobian + 12 * k, load6(view.v, static_cast<std::size_t>(pair.x)),
                           load6(view.v, static_cast<std::size_t>(pair.y))) +
              contacts.row_compliance[k] * d;
          sums[0] += d * u;
          sums[1] += u * u;
          sums[2] += scale * d * d;
          sums[3] += u * u / scale;
          if constexpr (with_load) u += contacts.load[i];
          to[i] = u;
        }
      });
  if (!sum_over_grid(view.partial, view.sums->arrived + 2, sums) || threadIdx.x != 0) return;
  view.sums->curvature = sums[0];
  view.sums->squared_image = sums[1];
  view.sums->length = sums[2];
  view.sums->scaled_image = sums[3];
}

__global__ void __launch_bounds__(face_threads) face_scale(FaceView view, double t, std::size_t size) {
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    view.x[i] *= t;
    view.g[i] = t * (view.g[i] - view.contacts.load[i]) + view.contacts.load[i];
  }
}

}  // namespace slipstick::internal
