// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linsolve/banded/general_band.hpp"
#include "tests/support/dense.hpp"
#if defined(SLIPSTICK_HAVE_LAPACKE)
#include <lapacke.h>
#endif

namespace slipstick::internal::testing {

/// Entries in [-1, 1]. The diagonal of a row is `dominance` times the sum of the sizes of the other entries.
/// If dominance = 0, it is random too.
inline GeneralBand random_band(Index n, Index k, double dominance, std::uint64_t seed) {
  Random random(seed);
  GeneralBand a(n, k);
  for (Index i = 0; i < n; ++i) {
    double sum = 0.0;
    for (Index j = std::max<Index>(0, i - k); j < std::min(n, i + k + 1); ++j) {
      a.at(i, j) = random.uniform(-1.0, 1.0);
      if (i != j) sum += std::abs(a.at(i, j));
    }
    if (dominance > 0.0) a.at(i, i) = std::copysign(std::max(1e-3, dominance * sum), a.at(i, i));
  }
  return a;
}

/// The reference: LAPACK's dgbsv, with partial pivoting; dense LU if LAPACKE is not there.
inline Vector banded_reference(const GeneralBand& a, const Vector& b) {
#if defined(SLIPSTICK_HAVE_LAPACKE)
  const Index n = a.rows(), k = a.half_bandwidth();
  if (n == 0) return b;
  DenseMatrix storage = DenseMatrix::Zero(3 * k + 1, n);
  storage.bottomRows(2 * k + 1) = a.columns();
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  Vector x = b;
  const auto width = static_cast<lapack_int>(k);
  LAPACKE_dgbsv(LAPACK_COL_MAJOR, static_cast<lapack_int>(n), width, width, 1, storage.data(), 3 * width + 1,
                pivots.data(), x.data(), static_cast<lapack_int>(n));
  return x;
#else
  return solve_linear(a.to_dense(), b).value();
#endif
}

}  // namespace slipstick::internal::testing
