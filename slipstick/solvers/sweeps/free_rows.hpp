// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {

/// list <- the rows strictly between their bounds whose `mobility` is not zero. Returns true if the list has
/// changed. Keeps the capacity of the list.
inline bool list_free_rows(const ProductSet& K, const Vector& mobility, const Vector& x,
                           std::vector<int>& list) {
  const double* lower = K.lower().data();
  const double* upper = K.upper().data();
  const std::size_t count_before = list.size();
  std::size_t count = 0;
  bool changed = false;
  for (Index i = 0; i < x.size(); ++i) {
    if (mobility[i] == 0.0 || x[i] <= lower[i] || x[i] >= upper[i]) continue;
    if (count == list.size()) list.push_back(-1);
    changed = changed || list[count] != i;
    list[count++] = static_cast<int>(i);
  }
  list.resize(count);
  return changed || count != count_before;
}

}  // namespace slipstick::internal
