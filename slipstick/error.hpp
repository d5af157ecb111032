// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "slipstick/export.hpp"

namespace slipstick {

/// Exception for bad input or bad settings. The message names the error, its position, and what was expected.
/// A solver that does not converge returns a Status instead. A broken invariant is an assert.
class SLIPSTICK_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace slipstick
