// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// True if a direction d with d'A d < 0 was found in a few steps of Lanczos's method. A is symmetric. A true
/// answer is certain, a false one is not.
bool finds_negative_curvature(const Operator& a);

}  // namespace slipstick::internal
