// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "slipstick/problem.hpp"

// Joints in matrices of their own, as FCLib and Siconos hold them.
namespace slipstick::internal {

/// Appends the rows of joints: u = W r + V l + q, 0 = V' r + R l + s.
SLIPSTICK_EXPORT void add_joints(const CsrMatrix& V, const CsrMatrix& R, const Vector& s, LocalContactProblem& problem);
/// Appends the rows of joints: M v = H r + G l + f, 0 = G' v + b.
SLIPSTICK_EXPORT void add_joints(const CsrMatrix& G, const Vector& b, GlobalContactProblem& problem);

/// The parts of a problem, contacts and joints apart.
struct LocalParts {
  CsrMatrix W, V, R;
  Vector q, s;
};
struct GlobalParts {
  CsrMatrix H, G;
  Vector w, b;
};
/// Nothing if the problem has limits or motors, or if W is not symmetric between contacts and joints.
SLIPSTICK_EXPORT std::optional<LocalParts> parts_of(const LocalContactProblem& problem);
/// Nothing if the problem has limits, motors or compliance.
SLIPSTICK_EXPORT std::optional<GlobalParts> parts_of(const GlobalContactProblem& problem);

}  // namespace slipstick::internal
