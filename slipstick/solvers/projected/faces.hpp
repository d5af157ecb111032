// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// The face of K that a point lies on, for the face methods. It knows bounds, and friction cones with their
/// apex, boundary and interior. After the first choice, the same size allocates nothing.
///
/// Vectors on the boundary of a cone, with x_T = ||x_T|| t: The ray through x is r = (1, mu t) / sqrt(1 +
/// mu^2). The outward normal is n = (-mu, t) / sqrt(1 + mu^2). In space the turn is u = (0, t rotated by 90
/// degrees).
class Faces {
 public:
  enum class Kind : char {
    fixed,  ///< a row at its bound, or the apex
    ray,    ///< the ray through x
    plane,  ///< the tangent plane along the ray
    free,   ///< all rows
  };

  /// The smallest face that contains x: fixed, ray, free. A point closer than 1e-10 of x to the boundary of a
  /// cone counts as on it.
  void choose_smallest(const ProductSet& K, const Vector& x);
  /// The face for Newton's method. Boundary points with n'g <= 0 stay in the tangent plane, with the
  /// curvature of the cone. Boundary points with n'g > 0 are free. Rows at a bound and apexes are fixed.
  void choose_tangent(const ProductSet& K, const Vector& x, const Vector& g);

  /// True if the last choice of the smallest face differs from the one before.
  bool changed() const { return changed_; }
  /// Rows at a bound or an apex.
  Index fixed_rows() const { return fixed_rows_; }
  /// 1 for rows that are not fixed.
  const std::vector<char>& mask() const { return mask_; }

  /// v <- its orthogonal projection on the directions of the face.
  void project(const ProductSet& K, Vector& v) const;
  /// out <- out + C v, with C = kappa u u' on the tangent planes and kappa = -n'g / (sqrt(1 + mu^2) ||x_T||).
  /// C describes how g turns with the normal.
  void add_curvature(const ProductSet& K, const Vector& v, Vector& out) const;
  /// The largest t with x - t p in K, for p in the smallest face.
  double feasible_step(const ProductSet& K, const Vector& x, const Vector& p) const;

  /// Splits g: phi is the part along the face, beta is the other part of g along which the objective can
  /// fall. Returns the squares in the metric of D^-1. It needs the smallest face.
  struct Split {
    double face = 0.0;
    double leaving = 0.0;
  };
  Split split(const ProductSet& K, const Vector& x, const Vector& g, const Vector& metric, Vector& phi) const;

 private:
  Kind kind(Index row) const { return static_cast<Kind>(kind_[static_cast<std::size_t>(row)]); }
  void begin(Index rows);
  void set(Index start, Index size, Kind kind);

  std::vector<char> kind_;  // kind of every row; the rows of a cone have the same kind
  std::vector<char> mask_;
  Vector ray_;        // r, on the rows of cones on their boundary
  Vector curvature_;  // kappa, at the first row of a cone
  Index fixed_rows_ = 0;
  bool changed_ = true;
};

}  // namespace slipstick::internal
