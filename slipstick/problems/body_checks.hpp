// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/body_problem.hpp"

// The checks of the input of a BodyProblem. They throw Error.
namespace slipstick::internal {

/// The body or key that a message names.
struct Subject {
  const char* kind;
  std::uint64_t number;
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    internal::fail("{} {}: {}", kind, number, fmt::format(format, std::forward<Args>(args)...));
  }
};

/// Empty, or `size` finite numbers.
void check_vector(const Subject& subject, const char* name, const SmallVector& vector, Index size);
/// 1 to 6 rows, the same number for both bodies that are not the world, and `dofs` columns. Returns the rows.
Index check_jacobians(const Subject& subject, const RowSpec& spec, Index dofs);
/// Empty, or `rows` finite numbers >= 0.
void check_compliance(const Subject& subject, const SmallVector& compliance, Index rows);
/// Empty, or dofs x dofs, symmetric up to 1e-9 of the largest entry, positive semidefinite.
void check_inverse_mass(const Subject& subject, const SmallMatrix& block, Index dofs);
/// Two rows, or `dimension`, orthonormal up to 1e-9.
void check_frame(const Subject& subject, const SmallMatrix& frame, int dimension);
/// Each empty, or `rows` numbers, lower <= upper.
void check_bounds(const Subject& subject, const RowSpec& spec, Index rows);

}  // namespace slipstick::internal
