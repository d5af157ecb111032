// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal::bench {

/// What a matrix is used for here.
enum class FactorJob {
  positive,  ///< symmetric positive definite
  signed_,   ///< symmetric quasi-definite: its pivots have known signs in every order
  general,   ///< not symmetric; the pattern is
};

/// A matrix that methods of this library factorize, with both triangles.
struct FactorMatrix {
  std::string name;
  FactorJob job = FactorJob::positive;
  CsrMatrix a;
  std::vector<signed char> signs = {};  ///< of the pivots, for quasi-definite ones
  int block = 1;                        ///< rows and columns come in blocks of this size
  bool pivoted = false;                 ///< pivoting methods take rows out of it and in again
};

/// The matrices by their names, smaller for a scale below 1.
std::vector<FactorMatrix> factor_matrices(double scale);

}  // namespace slipstick::internal::bench
