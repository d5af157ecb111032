// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A family of convex QPs that a formula gives at any size.
struct QpFamily {
  std::string_view name;
  std::string_view size_counts;  ///< what the size is a number of
  Index smallest, standard, largest;
  bool seeded;  ///< false: the seed is ignored
  Problem (*make)(Index size, std::uint64_t seed);
};

/// Families of the Maros-Meszaros collection (their standard size is that of the collection's largest file),
/// and models from applications with random data.
std::span<const QpFamily> qp_families();

/// Throws Error if there is no such family, or the size is out of its range. Size 0 is the standard one.
struct QpOptions {
  std::string family = "cvxqp1";
  Index size = 0;
  std::uint64_t seed = 1;
};
Problem make_qp(const QpOptions& options);

}  // namespace slipstick::internal
