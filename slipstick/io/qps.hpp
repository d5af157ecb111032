// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/files.hpp"

namespace slipstick::internal {

/// Values of this size are infinite: the convention of the collection.
inline constexpr double qps_infinite_from = 1e20;

/// Reads the text of a QPS file (Maros and Meszaros 1999): an MPS file with a quadratic objective.
///     minimize 1/2 x'Qx + c'x + constant  over  lower <= x <= upper  and the linear rows.
///
/// - ROWS: the first N row is the objective. Further N rows are left out with a warning. E, L and G rows
///   become lower <= G x <= upper. RHS of the objective is minus the constant. RANGES widen a row as usual.
/// - BOUNDS: UP, LO, FX, FR, MI, PL. BV, LI, UI become intervals, and integrality is dropped with a warning.
///   The default is x >= 0. An upper bound below zero without a lower bound makes the latter infinite, with a
///   warning. Values from 1e20 on are infinite.
/// - QUADOBJ: one triangle of Q. QMATRIX: all of Q. If it is not symmetric, it becomes (Q + Q')/2 with a
///   warning.
/// - OBJSENSE MAX: the negative of the objective is minimized, with a warning.
///
/// Spaces separate the fields. Or the fields are in fixed columns, and names may contain spaces. Errors name
/// the path and the line.
ProblemFile read_qps(std::string_view text, const std::string& path);

}  // namespace slipstick::internal
