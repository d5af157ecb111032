// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A contact in world axes. Force f acts on the first body and -f on the second; -1 is the ground. Velocities
/// of its bodies (v, omega) give
///     u = v_first + a x omega_first - (v_second + b x omega_second).
struct WorldContact {
  std::array<int, 2> body = {-1, -1};
  double axes[9] = {};    ///< rows: the normal, then the tangents; the third is zero in the plane
  double arm[2][3] = {};  ///< a, b
  int row = 0;            ///< its first row in the problem
  int rows = 3;
};

/// A row of a joint, a limit or a motor between two bodies.
struct WorldRow {
  std::array<int, 2> body = {-1, -1};
  double jacobian[2][6] = {};
  int row = 0;
};

/// The inverse of a body's mass, and of its inertia: xx, xy, xz, yy, yz, zz.
struct WorldBody {
  double inverse_mass = 0.0;
  std::array<double, 6> inverse_inertia = {};
};

/// Contacts between rigid bodies as plain lists, in the order of the problem.
struct WorldContacts {
  std::vector<WorldBody> bodies;
  std::vector<WorldContact> contacts;
  std::vector<WorldRow> rows;
};

/// Reads A = J M^-1 J' + C as contacts in world axes. Bodies in the plane, and points, are embedded in space.
/// Returns an empty text, or why that cannot be done: blocks that are no contact of two points, a mass that
/// is not one number, sets other than friction cones and bounds, compliance that differs between tangents.
std::string read_world_contacts(const DelassusOperator& A, const ProductSet& K, WorldContacts& to);

}  // namespace slipstick::internal
