// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <type_traits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/pack.hpp"
#include "slipstick/problems/sets.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

// Projection on several friction cones at once. The state of a contact cannot be predicted. Loops that mainly
// project therefore compute all branches, and one instruction serves several contacts.
namespace slipstick::internal {

/// One number for each of one or four contacts.
template <int Contacts>
using Lane = std::conditional_t<Contacts == 4, Pack, double>;
template <int Contacts>
[[gnu::always_inline]] inline Lane<Contacts> lane_of(const auto& entry) {
  static_assert(Contacts == 1 || Contacts == 4);
  if constexpr (Contacts == 4) {
    return Pack{entry(0), entry(1), entry(2), entry(3)};
  } else {
    return entry(0);
  }
}
/// A number of the first contact, zero for the others.
[[gnu::always_inline]] inline Pack first_lane(double value) {
  return Pack{value, 0.0, 0.0, 0.0};
}
[[gnu::always_inline]] inline Pack first_lane(const Pack& values) {
  return values;
}

/// One point of R^3 for each contact. In the plane `second` is 0.
template <int Contacts>
struct ConePoints {
  using Number = Lane<Contacts>;
  Number normal, first, second;

  /// Reads points of 2 or 3 rows, one after the other.
  template <int Rows>
  [[gnu::always_inline]] static ConePoints load(const double* rows) {
    static_assert(Rows == 2 || Rows == 3);
    const auto row = [&](Index a) __attribute__((always_inline)) {
      return lane_of<Contacts>([&](Index i) { return rows[Rows * i + a]; });
    };
    return {row(0), row(1), Rows == 3 ? row(Rows - 1) : Number{}};
  }
  template <int Rows>
  [[gnu::always_inline]] void store(double* rows) const {
    for (int i = 0; i < Contacts; ++i) {
      const auto at = [&](const Number& number) {
        if constexpr (Contacts == 1) {
          return number;
        } else {
          return number[i];
        }
      };
      rows[Rows * i] = at(normal);
      rows[Rows * i + 1] = at(first);
      if constexpr (Rows == 3) rows[Rows * i + 2] = at(second);
    }
  }

  [[gnu::always_inline]] Number sum() const { return normal + first + second; }
  [[gnu::always_inline]] Number squared_norm() const {
    return normal * normal + first * first + second * second;
  }
  [[gnu::always_inline]] friend ConePoints operator*(const Number& factor, const ConePoints& x) {
    return {factor * x.normal, factor * x.first, factor * x.second};
  }
  [[gnu::always_inline]] friend ConePoints operator+(const ConePoints& x, const ConePoints& y) {
    return {x.normal + y.normal, x.first + y.first, x.second + y.second};
  }
  [[gnu::always_inline]] friend ConePoints operator-(const ConePoints& x, const ConePoints& y) {
    return {x.normal - y.normal, x.first - y.first, x.second - y.second};
  }
};

/// P(x) on the cones ||x_T|| <= mu x_N.
template <int Contacts>
[[gnu::always_inline]] inline ConePoints<Contacts> projected_on_cones(const Lane<Contacts>& mu,
                                                                      const ConePoints<Contacts>& x) {
  using Number = Lane<Contacts>;
  const Number zero = Number{}, one = zero + 1.0, smallest = zero + std::numeric_limits<double>::min();
  const Number tangent = square_roots(x.first * x.first + x.second * x.second);
  const Number on_ray = larger(zero, x.normal + mu * tangent) / (1.0 + mu * mu);
  // Inside the cone x_N is the larger of the two and the ratio is at least 1.
  const Number normal = larger(on_ray, x.normal);
  const Number factor = smaller(one, mu * normal / larger(smallest, tangent));
  return {normal, factor * x.first, factor * x.second};
}

/// r <- the point of the cone of one contact nearest to x, in the plane or in space. x may be r.
template <int dimension>
inline void project_on_cone(double mu, const double* x, double* r) {
  projected_on_cones<1>(mu, ConePoints<1>::load<dimension>(x)).template store<dimension>(r);
}

/// Calls on_cones.operator()<Contacts, Rows>(blocks) for the friction cones among the blocks. Four
/// consecutive cones of three rows are passed at once. Calls on_other(block) for the other blocks.
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
[[gnu::always_inline]] inline Lane<Contacts> friction_of(const SetBlock* cones) {
  return lane_of<Contacts>([&](Index i) { return cones[i].parameter; });
}

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
