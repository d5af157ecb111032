// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace slipstick::internal {

/// J M^-1 J' + C as plain numbers, for the assembly of its band on the device. The Hessians of contact and
/// friction of Litven 2013, section 5.4, N'M^-1 N and T'M^-1 T, are of this form.
struct BodyBand {
  static constexpr int most_dofs = 6;
  struct Constraint {
    int place = 0;  ///< the row of the band for its first row
    int rows = 0;
    int first_body = -1, second_body = -1;          ///< -1: the ground, or a body that does not move
    std::size_t first_block = 0, second_block = 0;  ///< its rows of J, row by row, in `jacobian`
  };
  /// Constraints that share a body. The first one has the larger place, or both are the same.
  struct Pair {
    int high = 0, low = 0;
  };

  int dofs = 1;                ///< of a body
  bool diagonal_mass = false;  ///< `inverse_mass` has d numbers per body, not d x d
  int most_rows = 0;           ///< of a constraint
  std::span<const Constraint> constraints = {};
  std::span<const Pair> pairs = {};
  std::span<const double> jacobian = {}, inverse_mass = {};
  std::span<const double> compliance = {};  ///< the diagonal of C, in the order of the band
};

}  // namespace slipstick::internal
