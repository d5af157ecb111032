// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::detail {

void block_error(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView w, double d,
                 VectorView error) {
  error = x - w / d;
  project(K, block, error);
  // Two ways to write the same; the smaller of x and w / d is not rounded away.
  if (x.squaredNorm() * d * d <= w.squaredNorm()) {
    error = d * (x - error);
  } else {
    error = w + d * ((x - w / d) - error);
  }
}

void keep_worst(std::vector<WorstRow>& rows, Index k) {
  const Index count = std::clamp<Index>(k, 0, static_cast<Index>(rows.size()));
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [](const WorstRow& a, const WorstRow& b) {
    return a.error != b.error ? a.error > b.error : a.index < b.index;
  });
  rows.resize(static_cast<std::size_t>(count));
}

}  // namespace slipstick::detail
