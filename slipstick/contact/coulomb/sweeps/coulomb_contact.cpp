// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"

#include <algorithm>
#include <limits>

namespace slipstick::internal {
namespace {

// A difference below this share of its terms is rounding.
constexpr double rounding = 1e-15;
// r_T slips if it is within this share of mu r_N of the edge of the cone.
constexpr double edge = 1e-9;

double difference(double a, double b) {
  const double value = a - b;
  return std::abs(value) <= rounding * (std::abs(a) + std::abs(b)) ? 0.0 : value;
}

}  // namespace

CoulombContact<2>::CoulombContact(const double* D)
    : normal_(D[0]),
      inverse_normal_(D[0] > 0.0 ? 1.0 / D[0] : 0.0),
      row_(D[1]),
      column_(D[2]),
      corner_(D[3]),
      ratio_(D[2] * inverse_normal_),
      inverse_reduced_(difference(D[3], ratio_ * D[1])) {
  if (inverse_reduced_ != 0.0) inverse_reduced_ = 1.0 / inverse_reduced_;
}

double CoulombContact<2>::mode_of(const double* /*b*/, double mu, const double* r) const {
  if (!(r[0] > 0.0)) return -1.0;
  return std::abs(r[1]) >= mu * r[0] * (1.0 - edge) && r[1] != 0.0 ? 1.0 : 0.0;
}

CoulombContact<3>::CoulombContact(const double* D)
    : normal_(D[0]),
      inverse_normal_(D[0] > 0.0 ? 1.0 / D[0] : 0.0),
      row0_(D[1]),
      row1_(D[2]),
      ratio0_(D[3] * inverse_normal_),
      ratio1_(D[6] * inverse_normal_),
      a00_(difference(D[4], ratio0_ * D[1])),
      a01_(difference(D[5], ratio0_ * D[2])),
      a10_(difference(D[7], ratio1_ * D[1])),
      a11_(difference(D[8], ratio1_ * D[2])),
      trace_(a00_ + a11_) {
  constexpr double singular = 1e-14, ill = 1e-3;
  const double size = std::abs(a00_ * a11_) + std::abs(a01_ * a10_) + trace_ * trace_;
  const double value = a00_ * a11_ - a01_ * a10_;
  determinant_ = std::abs(value) <= singular * size ? 0.0 : value;
  inverse_determinant_ = determinant_ != 0.0 ? 1.0 / determinant_ : 0.0;
  isotropic_ = row0_ == 0.0 && row1_ == 0.0 && a01_ == 0.0 && a10_ == 0.0 && a00_ == a11_;
  ill_conditioned_ = std::abs(determinant_) < ill * size;
  smallest_ = trace_ > 0.0 ? std::max(determinant_, 0.0) / trace_ : 0.0;
  // Only an A that is not positive definite has a root of det(A + k I) here.
  const double discriminant = trace_ * trace_ - 4.0 * determinant_;
  if ((determinant_ < 0.0 || trace_ < 0.0) && discriminant > 0.0)
    floor_ = std::max(0.0, 0.5 * (std::sqrt(discriminant) - trace_));
}

double CoulombContact<3>::mode_of(const double* b, double mu, const double* r) const {
  if (!(r[0] > 0.0)) return -1.0;
  const double squared = r[1] * r[1] + r[2] * r[2];
  const double radius = mu * r[0] * (1.0 - edge);
  if (!(squared > 0.0 && squared >= radius * radius)) return 0.0;
  const double along = normal_ * r[0] + row0_ * r[1] + row1_ * r[2];
  const double u0 = a00_ * r[1] + a01_ * r[2] + ratio0_ * along + b[1];
  const double u1 = a10_ * r[1] + a11_ * r[2] + ratio1_ * along + b[2];
  const double k = -(u0 * r[1] + u1 * r[2]) / squared;
  return k > 0.0 ? k : 0.0;
}

// Newton's method between bounds of the root. b_N < 0 and the contact does not stick. Therefore phi is
// negative at the lowest k and grows without limit.
bool CoulombContact<3>::bracket_slip(double normal, double c0, double c1, double mu, double small_step,
                                     double& slip, double* r) const {
  constexpr int most_steps = 200;
  const double share = mu * inverse_normal_;
  double low = floor_, high = std::numeric_limits<double>::infinity();
  // The root for A = 0, a scale for k.
  const double squared = c0 * c0 + c1 * c1;
  const double length = std::sqrt(squared);
  const double size = length / (-normal * share);
  if (!(size > 0.0 && size <= 1e300)) return false;
  if (isotropic_) {
    const double n = -normal * inverse_normal_, t = -mu * n / length;
    if (!found(n, t * c0, t * c1, r)) return false;
    slip = size - a00_;
    return true;
  }
  // The root if c is an eigenvector of A, with r_T along it.
  const double along = (row0_ * c0 + row1_ * c1) / normal;
  const double stiffness = (a00_ * c0 * c0 + (a01_ + a10_) * c0 * c1 + a11_ * c1 * c1) / squared;
  double k = size + along - stiffness;
  if (!(k > floor_)) k = determinant_ > 0.0 ? 0.0 : floor_ + size;
  for (int i = 0; i < most_steps; ++i) {
    const Point point = evaluate(normal, c0, c1, share, k);
    (point.limit < point.length ? low : high) = k;
    double next = k + point.step;
    if (std::abs(point.step) <= small_step * (k + smallest_) && next > floor_)
      return accept_slip(normal, c0, c1, mu, next, slip, r);
    if (!(next > low && next < high)) {
      next = high > 1e300 ? 4.0 * std::max({k, size, trace_}) : 0.5 * (low + high);
      if (next == low || next == high) break;
    }
    k = next;
  }
  const Point last = evaluate(normal, c0, c1, share, k);
  return std::abs(last.limit - last.length) <= 1e-10 * last.length &&
         accept_slip(normal, c0, c1, mu, k, slip, r);
}

}  // namespace slipstick::internal
