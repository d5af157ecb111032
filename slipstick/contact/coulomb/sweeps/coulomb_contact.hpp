// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/device_code.hpp"

namespace slipstick::internal {

/// Coulomb's law at one contact, with all others at rest. Given b and mu, find r with
///     u = D r + b  and one of
///     open:   r = 0,  u_N >= 0
///     stick:  u = 0,  ||r_T|| <= mu r_N
///     slip:   u_N = 0,  u_T = -k r_T with k > 0,  ||r_T|| = mu r_N > 0.
/// D is the contact's diagonal block, symmetric or not. For large mu and a strong coupling of normal and
/// tangents several of these may hold. The last mode of the contact is tried first, then the others. A sweep
/// therefore does not alternate between two solutions.
///
/// The object holds data that depend only on D, with the normal eliminated:
///     r_N = -(b_N + D_NT r_T) / D_NN,   (A + k I) r_T = -c,
///     A = D_TT - D_TN D_NT / D_NN,  c = b_T - D_TN b_N / D_NN.
/// A contact whose D_NN is not positive can only be open.
///
/// `slip` is the mode: negative if open (or not known), 0 if it sticks, k if it slips. If solve() returns
/// true, r and `slip` are updated. If no solution is found (or b is not finite), both stay unchanged. If D
/// has a positive definite symmetric part, a solution is always found.
///
/// `small_step`: Newton's iteration for k ends after a step of this share of k. The remaining error is about
/// its square. It is even smaller if solve() is called again from the last r and slip.
template <int dimension>
class CoulombContact;

/// In the plane every mode has a closed form. `slip` is 1 for any slip. Its side is the side of r_T.
template <>
class CoulombContact<2> {
 public:
  CoulombContact() = default;
  explicit CoulombContact(const double* D);

  /// The mode of a given r.
  double mode_of(const double* b, double mu, const double* r) const;
  [[gnu::always_inline]] bool solve(const double* b, double mu, double& slip, double* r,
                                    double small_step = 0.0) const;

 private:
  bool stick(const double* b, double mu, double& slip, double* r) const;
  bool slide(const double* b, double mu, double side, double rounding, double& slip, double* r) const;

  double normal_ = 0.0, inverse_normal_ = 0.0;      // D_NN
  double row_ = 0.0, column_ = 0.0, corner_ = 0.0;  // D_NT, D_TN, D_TT
  double ratio_ = 0.0;                              // D_TN / D_NN
  double inverse_reduced_ = 0.0;                    // 1 / A, or 0 if A = 0
};

/// In space k is a root of ||r_T(k)|| = mu r_N(k). With the adjugate, r_T = -w / P, w = adj(A) c + k c and P
/// = det(A + k I). This avoids a division by a small P. The root is a root of
///     phi(k) = L / S - 1,  S = ||w||,  L = mu (D_NT w - b_N P) / D_NN.
/// phi is nearly linear, so Newton's method from the last k takes about one step in a sweep.
template <>
class CoulombContact<3> {
 public:
  CoulombContact() = default;
  SLIPSTICK_DEVICE_CODE explicit CoulombContact(const double* D);

  /// The mode of a given r.
  SLIPSTICK_DEVICE_CODE double mode_of(const double* b, double mu, const double* r) const;
  SLIPSTICK_DEVICE_CODE [[gnu::always_inline]] bool solve(const double* b, double mu, double& slip, double* r,
                                                          double small_step = 1e-7) const;

 private:
  // S and L of phi at a k, and the Newton step from there. NaN if w = 0.
  struct Point {
    double w0, w1, length, limit, step;
  };
  SLIPSTICK_DEVICE_CODE Point evaluate(double normal, double c0, double c1, double share, double k) const;
  SLIPSTICK_DEVICE_CODE bool stick(double normal, double c0, double c1, double mu, double& slip,
                                   double* r) const;
  SLIPSTICK_DEVICE_CODE bool follow_slip(double normal, double c0, double c1, double mu, double small_step,
                                         double& slip, double* r) const;
  SLIPSTICK_DEVICE_CODE bool bracket_slip(double normal, double c0, double c1, double mu, double small_step,
                                          double& slip, double* r) const;
  SLIPSTICK_DEVICE_CODE bool accept_slip(double normal, double c0, double c1, double mu, double k,
                                         double& slip, double* r) const;
  SLIPSTICK_DEVICE_CODE void refine(double k, double c0, double c1, double& x0, double& x1) const;
  SLIPSTICK_DEVICE_CODE bool found(double normal, double t0, double t1, double* r) const;

  double normal_ = 0.0, inverse_normal_ = 0.0;  // D_NN
  double row0_ = 0.0, row1_ = 0.0;              // D_NT
  double ratio0_ = 0.0, ratio1_ = 0.0;          // D_TN / D_NN
  double a00_ = 0.0, a01_ = 0.0, a10_ = 0.0, a11_ = 0.0;
  double trace_ = 0.0, determinant_ = 0.0;  // trace and determinant of A
  double inverse_determinant_ = 0.0;        // 0 if A is singular
  double smallest_ = 0.0;                   // approximately A's smallest eigenvalue
  double floor_ = 0.0;                      // det(A + k I) > 0 above it
  bool ill_conditioned_ = false;
  bool isotropic_ = false;  // A is a multiple of the identity and D_NT = 0: r_T is along c
};

// A difference below this share of its terms is rounding.
inline constexpr double difference_rounding = 1e-15;
// r_T slips if it is within this share of mu r_N of the edge of the cone.
inline constexpr double cone_edge = 1e-9;

SLIPSTICK_DEVICE_CODE inline double coulomb_difference(double a, double b) {
  const double value = a - b;
  return std::abs(value) <= difference_rounding * (std::abs(a) + std::abs(b)) ? 0.0 : value;
}

// Inline functions that a sweep calls for every contact.

inline bool CoulombContact<2>::stick(const double* b, double mu, double& slip, double* r) const {
  const double c = b[1] - ratio_ * b[0];
  if (inverse_reduced_ == 0.0 && c != 0.0) return false;
  const double t = -c * inverse_reduced_;
  const double n = -(b[0] + row_ * t) * inverse_normal_;
  if (!(n >= 0.0 && n <= 1e300 && std::abs(t) <= mu * n)) return false;
  r[0] = n;
  r[1] = t;
  slip = 0.0;
  return true;
}

// `rounding`: the share of the terms of u_T by which the slip may have the wrong sense, at the limit between
// stick and slip.
inline bool CoulombContact<2>::slide(const double* b, double mu, double side, double rounding, double& slip,
                                     double* r) const {
  const double n = -b[0] / (normal_ + side * mu * row_);
  if (!(n > 0.0 && n <= 1e300)) return false;
  const double t = side * mu * n;
  const double u = column_ * n + corner_ * t + b[1];
  if (!(side * u <= rounding * (std::abs(column_ * n) + std::abs(corner_ * t) + std::abs(b[1]))))
    return false;
  r[0] = n;
  r[1] = t;
  slip = 1.0;
  return true;
}

inline bool CoulombContact<2>::solve(const double* b, double mu, double& slip, double* r,
                                     double /*small_step*/) const {
  const bool parts = b[0] >= 0.0;
  if (parts && (slip < 0.0 || !(normal_ > 0.0))) {
    r[0] = r[1] = 0.0;
    slip = -1.0;
    return true;
  }
  if (!(normal_ > 0.0)) return false;
  const double side = r[1] < 0.0 ? -1.0 : 1.0;
  if (slip > 0.0 && slide(b, mu, side, 0.0, slip, r)) return true;
  if (stick(b, mu, slip, r) || slide(b, mu, -side, 0.0, slip, r) || slide(b, mu, side, 0.0, slip, r))
    return true;
  if (parts) {
    r[0] = r[1] = 0.0;
    slip = -1.0;
    return true;
  }
  return slide(b, mu, side, 1e-14, slip, r) || slide(b, mu, -side, 1e-14, slip, r);
}

SLIPSTICK_DEVICE_CODE inline CoulombContact<3>::Point CoulombContact<3>::evaluate(double normal, double c0,
                                                                                  double c1, double share,
                                                                                  double k) const {
  Point p;
  p.w0 = (a11_ + k) * c0 - a01_ * c1;
  p.w1 = (a00_ + k) * c1 - a10_ * c0;
  const double squared = p.w0 * p.w0 + p.w1 * p.w1;
  p.length = std::sqrt(squared);
  p.limit = share * (row0_ * p.w0 + row1_ * p.w1 - normal * ((k + trace_) * k + determinant_));
  const double slope = share * (row0_ * c0 + row1_ * c1 - normal * (2.0 * k + trace_));
  p.step = (p.length - p.limit) * squared / (slope * squared - p.limit * (p.w0 * c0 + p.w1 * c1));
  return p;
}

// Sets r from r_T. Returns false if a value is not finite.
SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::found(double normal, double t0, double t1,
                                                           double* r) const {
  if (!(std::abs(normal) <= 1e300 && std::abs(t0) <= 1e300 && std::abs(t1) <= 1e300)) return false;
  r[0] = normal;
  r[1] = t0;
  r[2] = t1;
  return true;
}

// One step of refinement of (A + k I) x = -c. If A is ill-conditioned, the adjugate loses digits.
SLIPSTICK_DEVICE_CODE inline void CoulombContact<3>::refine(double k, double c0, double c1, double& x0,
                                                            double& x1) const {
  const double e0 = (a00_ + k) * x0 + a01_ * x1 + c0;
  const double e1 = a10_ * x0 + (a11_ + k) * x1 + c1;
  const double inverse = 1.0 / ((k + trace_) * k + determinant_);
  x0 -= ((a11_ + k) * e0 - a01_ * e1) * inverse;
  x1 -= ((a00_ + k) * e1 - a10_ * e0) * inverse;
}

SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::stick(double normal, double c0, double c1, double mu,
                                                           double& slip, double* r) const {
  double t0, t1;
  if (inverse_determinant_ != 0.0) {
    t0 = (a01_ * c1 - a11_ * c0) * inverse_determinant_;
    t1 = (a10_ * c0 - a00_ * c1) * inverse_determinant_;
    if (ill_conditioned_) refine(0.0, c0, c1, t0, t1);
  } else {
    // If A has rank one (or zero), a solution needs c to be its eigenvector.
    const double inverse = trace_ != 0.0 ? 1.0 / trace_ : 0.0;
    t0 = -c0 * inverse;
    t1 = -c1 * inverse;
    const double left = std::abs(a00_ * t0 + a01_ * t1 + c0) + std::abs(a10_ * t0 + a11_ * t1 + c1);
    if (!(left <= 1e-14 * (std::abs(c0) + std::abs(c1)))) return false;
  }
  const double n = -(normal + row0_ * t0 + row1_ * t1) * inverse_normal_;
  if (!(n >= 0.0 && t0 * t0 + t1 * t1 <= mu * mu * n * n)) return false;
  if (!found(n, t0, t1, r)) return false;
  slip = 0.0;
  return true;
}

// Slip at k to full accuracy: the direction comes from w, the other numbers from u_N = 0 and the cone.
SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::accept_slip(double normal, double c0, double c1,
                                                                 double mu, double k, double& slip,
                                                                 double* r) const {
  double t0 = a01_ * c1 - (a11_ + k) * c0;
  double t1 = a10_ * c0 - (a00_ + k) * c1;
  if (ill_conditioned_ && k < 1e-2 * trace_) {  // a larger k improves the condition
    const double inverse = 1.0 / ((k + trace_) * k + determinant_);
    t0 *= inverse;
    t1 *= inverse;
    refine(k, c0, c1, t0, t1);
  }
  const double length = std::sqrt(t0 * t0 + t1 * t1);
  const double share = -normal / (normal_ * length + mu * (row0_ * t0 + row1_ * t1));
  const double n = share * length;
  if (!(n > 0.0) || !found(n, mu * share * t0, mu * share * t1, r)) return false;
  slip = k;
  return true;
}

// Newton's method from the last k. The positions of the roots are not known, so it may fail.
SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::follow_slip(double normal, double c0, double c1,
                                                                 double mu, double small_step, double& slip,
                                                                 double* r) const {
  constexpr int most_steps = 12;
  const double share = mu * inverse_normal_;
  double k = slip;
  for (int i = 0; i < most_steps; ++i) {
    const double step = evaluate(normal, c0, c1, share, k).step;
    k += step;
    if (!(k > floor_)) return false;
    if (std::abs(step) <= small_step * (k + smallest_)) return accept_slip(normal, c0, c1, mu, k, slip, r);
  }
  return false;
}

SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::solve(const double* b, double mu, double& slip,
                                                           double* r, double small_step) const {
  const bool parts = b[0] >= 0.0;
  if (parts && (slip < 0.0 || !(normal_ > 0.0))) {
    r[0] = r[1] = r[2] = 0.0;
    slip = -1.0;
    return true;
  }
  if (!(normal_ > 0.0)) return false;
  const double c0 = b[1] - ratio0_ * b[0];
  const double c1 = b[2] - ratio1_ * b[0];
  if (mu > 0.0) {
    if (slip > 0.0) {
      if (follow_slip(b[0], c0, c1, mu, small_step, slip, r) || stick(b[0], c0, c1, mu, slip, r)) return true;
    } else {
      if (stick(b[0], c0, c1, mu, slip, r)) return true;
    }
  }
  if (!parts) {
    if (mu > 0.0) return bracket_slip(b[0], c0, c1, mu, small_step, slip, r);
    slip = 0.0;
    return found(-b[0] * inverse_normal_, 0.0, 0.0, r);
  }
  if (mu > 0.0 && slip == 0.0) {
    // It stuck before. It may slip now, although it could also open.
    double k = floor_ + smallest_;
    if (follow_slip(b[0], c0, c1, mu, small_step, k, r)) {
      slip = k;
      return true;
    }
  }
  r[0] = r[1] = r[2] = 0.0;
  slip = -1.0;
  return true;
}

SLIPSTICK_DEVICE_CODE inline CoulombContact<3>::CoulombContact(const double* D)
    : normal_(D[0]),
      inverse_normal_(D[0] > 0.0 ? 1.0 / D[0] : 0.0),
      row0_(D[1]),
      row1_(D[2]),
      ratio0_(D[3] * inverse_normal_),
      ratio1_(D[6] * inverse_normal_),
      a00_(coulomb_difference(D[4], ratio0_ * D[1])),
      a01_(coulomb_difference(D[5], ratio0_ * D[2])),
      a10_(coulomb_difference(D[7], ratio1_ * D[1])),
      a11_(coulomb_difference(D[8], ratio1_ * D[2])),
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

SLIPSTICK_DEVICE_CODE inline double CoulombContact<3>::mode_of(const double* b, double mu,
                                                               const double* r) const {
  if (!(r[0] > 0.0)) return -1.0;
  const double squared = r[1] * r[1] + r[2] * r[2];
  const double radius = mu * r[0] * (1.0 - cone_edge);
  if (!(squared > 0.0 && squared >= radius * radius)) return 0.0;
  const double along = normal_ * r[0] + row0_ * r[1] + row1_ * r[2];
  const double u0 = a00_ * r[1] + a01_ * r[2] + ratio0_ * along + b[1];
  const double u1 = a10_ * r[1] + a11_ * r[2] + ratio1_ * along + b[2];
  const double k = -(u0 * r[1] + u1 * r[2]) / squared;
  return k > 0.0 ? k : 0.0;
}

// Newton's method between bounds of the root. b_N < 0 and the contact does not stick. Therefore phi is
// negative at the lowest k and grows without limit.
SLIPSTICK_DEVICE_CODE inline bool CoulombContact<3>::bracket_slip(double normal, double c0, double c1,
                                                                  double mu, double small_step, double& slip,
                                                                  double* r) const {
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
