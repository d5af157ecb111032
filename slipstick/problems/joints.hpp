// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "slipstick/problem.hpp"

// Joints in matrices of their own, as FCLib and Siconos hold them (see add_joints).
namespace slipstick::internal {

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
