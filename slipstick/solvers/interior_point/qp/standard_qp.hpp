// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The QP that the path follows:
///
///     minimize 1/2 x'Hx + c'x + 1/2 y'Ey   over lower <= x <= upper,  row_lower <= G x + E y <= row_upper.
///
/// y are the multipliers of the rows. With E = 0 it is a QP as usual. With E = I the rows are elastic: they
/// may be violated by y, for a price of 1/2 y'y. H has both triangles.
struct StandardQp {
  CsrMatrix H, G;
  Vector c, lower, upper, row_lower, row_upper;
  double compliance = 0.0;  ///< E = compliance I

  Index unknowns() const { return c.size(); }
  Index rows() const { return row_lower.size(); }
};

}  // namespace slipstick::internal
