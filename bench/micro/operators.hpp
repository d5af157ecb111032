// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal::bench {

/// The 7-point Laplacian on a cube of edge^3 cells, times a full `block` x `block` matrix (1: the Laplacian).
CsrMatrix laplacian(Index edge);

/// One operator of every storage, made for a number of rows that is met nearly. A dense matrix has rows^2
/// entries, so that one gets the number of rows that makes it as large as the others.
struct OperatorFamily {
  std::string_view name;
  std::string_view summary;
  Operator (*make)(Index rows);
};
std::span<const OperatorFamily> operator_families();

}  // namespace slipstick::internal::bench
