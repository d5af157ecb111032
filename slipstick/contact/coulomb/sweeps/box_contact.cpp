// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/box_contact.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double slip_edge = 1e-9;    // r_i slips if it is within this share of its bound
constexpr double mode_slack = 1e-14;  // a violation of this share of its terms is none
constexpr double least_determinant = 1e-14;
constexpr int most_changes = 6;

// Solves [a, b; c, d] (x, y) = (p, q).
bool solve_two(double a, double b, double c, double d, double p, double q, double& x, double& y) {
  const double determinant = a * d - b * c;
  if (!(std::abs(determinant) > least_determinant * (std::abs(a * d) + std::abs(b * c)))) return false;
  x = (p * d - b * q) / determinant;
  y = (a * q - p * c) / determinant;
  return true;
}

}  // namespace

BoxContact::BoxContact(const double* D) {
  std::copy_n(D, 9, D_.begin());
}

double BoxContact::mode_of(double mu, const double* r) const {
  if (!(r[0] > 0.0)) return -1.0;
  Sides sides;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool slips = std::abs(r[i + 1]) >= mu * r[0] * (1.0 - slip_edge) && r[i + 1] != 0.0;
    sides[i] = slips ? (r[i + 1] > 0.0 ? 1 : -1) : 0;
  }
  return mode_of(sides);
}

// r of the mode, without its conditions. A tangent that sticks may have a singular row of its own.
bool BoxContact::solve_mode(const Sides& sides, const double* b, double mu, double* r) const {
  const double first = mu * sides[0], second = mu * sides[1];
  // The columns of r_N with the tangents that slip.
  std::array<double, 3> normal;
  for (std::size_t a = 0; a < 3; ++a) normal[a] = D_[3 * a] + first * D_[3 * a + 1] + second * D_[3 * a + 2];
  bool found = false;
  if (sides[0] != 0 && sides[1] != 0) {
    r[0] = -b[0] / normal[0];
    found = normal[0] > 0.0;
  } else if (sides[0] != 0) {
    found = solve_two(normal[0], D_[2], normal[2], D_[8], -b[0], -b[2], r[0], r[2]);
  } else if (sides[1] != 0) {
    found = solve_two(normal[0], D_[1], normal[1], D_[4], -b[0], -b[1], r[0], r[1]);
  } else if (D_[0] > 0.0) {
    const double one = D_[3] / D_[0], two = D_[6] / D_[0];
    found = solve_two(D_[4] - one * D_[1], D_[5] - one * D_[2], D_[7] - two * D_[1], D_[8] - two * D_[2],
                      one * b[0] - b[1], two * b[0] - b[2], r[1], r[2]);
    if (found) r[0] = -(b[0] + D_[1] * r[1] + D_[2] * r[2]) / D_[0];
  }
  if (!found) return false;
  if (sides[0] != 0) r[1] = first * r[0];
  if (sides[1] != 0) r[2] = second * r[0];
  return std::abs(r[0]) + std::abs(r[1]) + std::abs(r[2]) <= 1e300;
}

// Changes the modes of the tangents that r violates. Returns false if there is none.
bool BoxContact::change_sides(const double* b, double mu, const double* r, double slack, Sides& sides) const {
  bool changed = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t a = i + 1;
    if (sides[i] == 0) {
      if (!(std::abs(r[a]) > (1.0 + slack) * mu * r[0])) continue;
      sides[i] = r[a] > 0.0 ? 1 : -1;
    } else {
      double u = b[a], terms = std::abs(b[a]);
      for (std::size_t c = 0; c < 3; ++c) {
        u += D_[3 * a + c] * r[c];
        terms += std::abs(D_[3 * a + c] * r[c]);
      }
      if (!(sides[i] * u > slack * terms)) continue;
      sides[i] = 0;
    }
    changed = true;
  }
  return changed;
}

bool BoxContact::solve(const double* b, double mu, double& mode, double* r) const {
  const auto open = [&] {
    r[0] = r[1] = r[2] = 0.0;
    mode = -1.0;
    return true;
  };
  const bool parts = b[0] >= 0.0;
  if (parts && (mode < 0.0 || !(D_[0] > 0.0))) return open();
  if (!(D_[0] > 0.0)) return false;
  if (mu == 0.0) {
    if (parts) return open();
    r[0] = -b[0] / D_[0];
    r[1] = r[2] = 0.0;
    mode = mode_of(Sides{0, 0});
    return true;
  }
  double found[3];
  Sides sides = {0, 0};
  if (mode >= 0.0) sides = {static_cast<int>(mode) / 3 - 1, static_cast<int>(mode) % 3 - 1};
  const auto accept = [&](const Sides& chosen) {
    std::copy_n(found, 3, r);
    mode = mode_of(chosen);
    return true;
  };
  for (int k = 0; k < most_changes; ++k) {
    if (!solve_mode(sides, b, mu, found) || !(found[0] >= 0.0)) break;
    const Sides tried = sides;
    if (!change_sides(b, mu, found, mode_slack, sides)) return accept(tried);
  }
  for (int k = 0; k < 9; ++k) {
    Sides tried = {k / 3 - 1, k % 3 - 1};
    const Sides chosen = tried;
    if (solve_mode(tried, b, mu, found) && found[0] >= 0.0 && !change_sides(b, mu, found, mode_slack, tried))
      return accept(chosen);
  }
  return parts && open();
}

}  // namespace slipstick::internal
