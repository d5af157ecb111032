// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>

#include "slipstick/linalg/vector.hpp"

namespace slipstick {

inline Vector vec(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

/// Row by row.
inline DenseMatrix mat(std::initializer_list<std::initializer_list<double>> rows) {
  DenseMatrix m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    std::copy(row.begin(), row.end(), m.row(i).begin());
    ++i;
  }
  return m;
}

}  // namespace slipstick
