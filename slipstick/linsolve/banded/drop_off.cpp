// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/drop_off.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

DropOff choose_band(const CsrMatrix& a, const DropOffSettings& settings, std::vector<double>& squares) {
  if (a.rows() != a.cols()) fail("a band needs a square matrix, not {} x {}", a.rows(), a.cols());
  if (!(settings.share >= 0.0 && settings.share <= 1.0)) {
    fail("the share of the norm that may be dropped must be in [0, 1], not {}", settings.share);
  }
  if (settings.max_half_bandwidth < 0) {
    fail("the largest half-bandwidth must be >= 0, not {}", settings.max_half_bandwidth);
  }
  // Values are divided by the largest one, whose square might overflow.
  double largest = 0.0;
  for (Index p = 0; p < a.nonZeros(); ++p) largest = std::max(largest, std::abs(a.valuePtr()[p]));
  if (largest == 0.0) return {};
  squares.assign(static_cast<std::size_t>(a.rows()), 0.0);  // indexed by the distance from the diagonal
  double total = 0.0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const double value = it.value() / largest;
      squares[static_cast<std::size_t>(std::abs(it.col() - i))] += value * value;
      total += value * value;
    }
    count_work(4.0 * (a.outerIndexPtr()[i + 1] - a.outerIndexPtr()[i]));
  }
  // Goes from the outermost diagonals inwards.
  double dropped = 0.0;
  Index k = a.rows() - 1;
  for (; k > 0; --k) {
    const double more = dropped + squares[static_cast<std::size_t>(k)];
    if (k <= settings.max_half_bandwidth && more > settings.share * settings.share * total) break;
    dropped = more;
  }
  return {k, std::sqrt(dropped / total)};
}

}  // namespace slipstick::internal
