// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "slipstick/problems/sets.hpp"

// Projections on several friction cones at once, by SIMD. Branches would be mispredicted, because the state
// of a contact is not predictable. So all branches are computed, for several contacts per instruction.
namespace slipstick {

/// One number for each of `Contacts` contacts.
template <int Contacts>
using Lane = Eigen::Array<double, Contacts, 1>;

/// One point of R^3 for each of `Contacts` contacts. In the plane `second` is 0.
template <int Contacts>
struct ConePoints {
  Lane<Contacts> normal, first, second;

  /// Reads points of 2 or 3 rows, one after the other.
  template <int Rows>
  static ConePoints load(const double* rows) {
    using Column = Eigen::Map<const Lane<Contacts>, 0, Eigen::InnerStride<Rows>>;
    static_assert(Rows == 2 || Rows == 3);
    ConePoints points;
    points.normal = Column(rows);
    points.first = Column(rows + 1);
    if constexpr (Rows == 3) {
      points.second = Column(rows + 2);
    } else {
      points.second.setZero();
    }
    return points;
  }
  template <int Rows>
  void store(double* rows) const {
    using Column = Eigen::Map<Lane<Contacts>, 0, Eigen::InnerStride<Rows>>;
    Column(rows + 0) = normal;
    Column(rows + 1) = first;
    if constexpr (Rows == 3) Column(rows + 2) = second;
  }

  Lane<Contacts> sum() const { return normal + first + second; }
  Lane<Contacts> squared_norm() const { return normal.square() + first.square() + second.square(); }
  friend ConePoints operator*(const Lane<Contacts>& factor, const ConePoints& x) {
    return {factor * x.normal, factor * x.first, factor * x.second};
  }
  friend ConePoints operator+(const ConePoints& x, const ConePoints& y) {
    return {x.normal + y.normal, x.first + y.first, x.second + y.second};
  }
  friend ConePoints operator-(const ConePoints& x, const ConePoints& y) {
    return {x.normal - y.normal, x.first - y.first, x.second - y.second};
  }
};

/// P(x) on the cones ||x_T|| <= mu x_N.
template <int Contacts>
[[gnu::always_inline]] inline ConePoints<Contacts> projected_on_cones(const Lane<Contacts>& mu,
                                                                      const ConePoints<Contacts>& x) {
  constexpr double smallest = std::numeric_limits<double>::min();
  const Lane<Contacts> tangent = (x.first.square() + x.second.square()).sqrt();
  const Lane<Contacts> on_ray = (x.normal + mu * tangent).max(0.0) / (1.0 + mu.square());
  // Inside the cone x_N is the larger of the two and the ratio is at least 1.
  ConePoints<Contacts> projected;
  projected.normal = x.normal.max(on_ray);
  const Lane<Contacts> factor = (mu * projected.normal / tangent.max(smallest)).min(1.0);
  projected.first = factor * x.first;
  projected.second = factor * x.second;
  return projected;
}

/// Calls on_cones.operator()<Contacts, Rows>(blocks) for friction cones, four at once if four cones of three
/// rows follow each other, and on_other(block) for all other blocks.
template <class OnCones, class OnOther>
void visit_cones(std::span<const SetBlock> blocks, const OnCones& on_cones, const OnOther& on_other) {
  const auto spatial = [&](std::size_t k) { return blocks[k].kind == SetKind::cone && blocks[k].size == 3; };
  for (std::size_t k = 0; k < blocks.size();) {
    if (k + 4 <= blocks.size() && spatial(k) && spatial(k + 1) && spatial(k + 2) && spatial(k + 3)) {
      on_cones.template operator()<4, 3>(&blocks[k]);
      k += 4;
      continue;
    }
    if (blocks[k].kind != SetKind::cone) {
      on_other(blocks[k]);
    } else if (blocks[k].size == 3) {
      on_cones.template operator()<1, 3>(&blocks[k]);
    } else {
      on_cones.template operator()<1, 2>(&blocks[k]);
    }
    ++k;
  }
}

/// The friction coefficients of consecutive cones.
template <int Contacts>
Lane<Contacts> friction_of(const SetBlock* cones) {
  Lane<Contacts> mu;
  for (int i = 0; i < Contacts; ++i) mu[i] = cones[i].parameter;
  return mu;
}

}  // namespace slipstick
